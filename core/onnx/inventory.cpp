#include "core/onnx/inventory.h"

#include <algorithm>

#include "core/onnx/file_bytes.h"
#include "core/onnx/parsed_file.h"
#include "core/util/printable.h"

namespace pet {
namespace {

std::string location_of(const ::onnx::TensorProto& tensor) {
  std::string location;
  for (const auto& entry : tensor.external_data()) {
    if (entry.key() == "location") location = entry.value();
  }
  return location;
}

}  // namespace

std::vector<std::filesystem::path> external_files(const Model& model) {
  std::vector<std::filesystem::path> out;
  for (const auto& [location, data] : model.file->external)
    out.push_back(model.path.parent_path() / location);
  return out;
}

std::uintmax_t stored_bytes(const Model& model) {
  std::error_code failure;
  std::uintmax_t out = std::filesystem::file_size(model.path, failure);
  if (failure) out = model.file->proto.ByteSizeLong();
  for (const auto& bytes : model.file->outside_in_order) out += bytes.size();
  return out;
}

Result<Inventory> inventory_of(const Model& model) {
  const auto where = printable(model.path.string());
  const auto held = onnx_io::FileBytes::read(model.path);
  if (!held) return held.error();
  if (Digester("onnx bytes").add(held->bytes()).finish() != model.file->bytes_digest)
    return Error{where + ": the file was changed while it was in use", ErrorKind::Tool};
  Inventory out;
  out.file = plain_digest(held->bytes());
  for (const auto& proto : model.file->proto.graph().initializer()) {
    if (onnx_io::is_external(proto)) {
      const std::string location = location_of(proto);
      const auto is_this = [&](const StoredFile& file) { return file.location == location; };
      if (std::none_of(out.external.begin(), out.external.end(), is_this))
        out.external.push_back({location, plain_digest(model.file->external.at(location).bytes())});
    }
    auto tensor = onnx_io::read_tensor(proto, model.file);
    out.tensors.push_back({proto.name(), tensor ? *std::move(tensor) : nullptr});
  }
  return out;
}

}  // namespace pet
