#include "core/onnx/inventory.h"

#include <algorithm>

#include "core/onnx/parsed_file.h"
#include "core/util/file_reader.h"
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

// The digest of the file's bytes, if they are the ones that the model was read from.
Result<Digest> digest_of_unchanged(const Model& model) {
  auto file = FileReader::open(model.path);
  if (!file) return std::move(file).error();
  Digester as_read("onnx bytes");
  as_read.add(static_cast<std::uint64_t>(file->size()));
  Digester alone = Digester::plain();
  auto all = file->each_piece([&](std::span<const std::byte> piece) {
    as_read.append(piece);
    alone.append(piece);
  });
  if (!all) return std::move(all).error();
  if (as_read.finish() == model.file->bytes_digest) return alone.finish();
  return Error{printable(model.path.string()) + ": the file was changed while it was in use",
               ErrorKind::Tool};
}

// As the model has it, where its program holds it; null: of a type that has no plain bytes.
std::shared_ptr<const Tensor> stored_tensor(const Model& model, const ::onnx::TensorProto& proto) {
  if (const auto value = model.values.find(proto.name()); value != model.values.end()) {
    const auto* held = std::get_if<ConstantLeaf>(&model.graph.node(value->second).what);
    if (held != nullptr) return *held;
  }
  auto tensor = onnx_io::read_tensor(proto, model.file);
  return tensor ? *std::move(tensor) : nullptr;
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

Result<Digest> digest_of_model(const std::filesystem::path& path) {
  const auto file = onnx_io::parse_file(path);
  if (!file) return file.error();
  return (*file)->digest;
}

Result<Inventory> inventory_of(const Model& model) {
  const auto digest = digest_of_unchanged(model);
  if (!digest) return digest.error();
  Inventory out{.file = *digest, .external = {}, .tensors = {}};
  for (const auto& proto : model.file->proto.graph().initializer()) {
    if (onnx_io::is_external(proto)) {
      const std::string location = location_of(proto);
      const auto is_this = [&](const StoredFile& file) { return file.location == location; };
      if (std::none_of(out.external.begin(), out.external.end(), is_this))
        out.external.push_back({location, plain_digest(model.file->external.at(location).bytes())});
    }
    out.tensors.push_back({proto.name(), stored_tensor(model, proto)});
  }
  return out;
}

}  // namespace pet
