#include "core/onnx/input_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "core/onnx/npz.h"
#include "core/onnx/parsed_file.h"
#include "core/util/printable.h"

namespace pet {
namespace {

namespace fs = std::filesystem;

Result<Tensor> read_value(const fs::path& path, const TensorType& type) {
  const auto fail = [&](const std::string& why) {
    return Error{fmt::format("{}: {}", printable(path.string()), why), ErrorKind::Malformed};
  };
  auto file = std::make_shared<onnx_io::ParsedFile>();
  auto& proto = *file->proto.mutable_graph()->add_initializer();
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return fail("cannot be read");
  if (!proto.ParseFromIstream(&stream)) return fail("is no tensor in ONNX's format");
  if (onnx_io::is_external(proto)) return fail("refers to another file");
  const auto tensor = onnx_io::read_tensor(proto, file);
  if (!tensor) return fail(tensor.error().message);
  if ((*tensor)->type() != type)
    return fail(fmt::format("holds {}, not {}", to_string((*tensor)->type()), to_string(type)));
  return **tensor;
}

Result<InputSet> read_set(const Model& model, const fs::path& folder) {
  InputSet out;
  for (const ModelInput& input : model.inputs) {
    if (input.standard != nullptr) continue;
    const auto path = folder / fmt::format("input_{}.pb", out.size());
    auto value = read_value(path, input.type);
    if (!value) return std::move(value).error().within("input " + printable(input.name));
    out.push_back(*std::move(value));
  }
  return out;
}

Result<InputSet> read_archive(const Model& model, const fs::path& path) {
  const auto archive = onnx_io::Npz::read(path);
  if (!archive) return archive.error();
  InputSet out;
  for (const ModelInput& input : model.inputs) {
    if (input.standard != nullptr) continue;
    auto value = archive->at(input.name, input.type);
    if (!value) {
      return Error{fmt::format("{}: {}", printable(path.string()), value.error().message),
                   ErrorKind::Malformed}
          .within("input " + printable(input.name));
    }
    out.push_back(*std::move(value));
  }
  return out;
}

}  // namespace

Result<std::vector<InputSet>> read_input_data(const Model& model, const fs::path& folder) {
  std::error_code failed;
  std::vector<fs::path> folders;
  std::vector<fs::path> archives;
  for (const auto& entry : fs::directory_iterator(folder, failed)) {
    const bool named = entry.path().filename().string().starts_with("test_data_set_");
    if (named && entry.is_directory(failed)) folders.push_back(entry.path());
    if (entry.path().extension() == ".npz") archives.push_back(entry.path());
  }
  if (failed) {
    return Error{fmt::format("{}: {}", printable(folder.string()), failed.message()),
                 ErrorKind::Usage};
  }
  std::sort(folders.begin(), folders.end());
  std::sort(archives.begin(), archives.end());
  if (folders.empty() && archives.empty()) folders.push_back(folder);
  std::vector<InputSet> out;
  for (const fs::path& one : folders) {
    auto set = read_set(model, one);
    if (!set) return std::move(set).error();
    out.push_back(*std::move(set));
  }
  for (const fs::path& one : archives) {
    auto set = read_archive(model, one);
    if (!set) return std::move(set).error();
    out.push_back(*std::move(set));
  }
  return out;
}

}  // namespace pet
