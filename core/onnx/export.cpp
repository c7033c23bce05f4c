#include "core/onnx/export.h"

#include <fmt/format.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>

#include <algorithm>
#include <cerrno>
#include <limits>

#include "core/onnx/emit.h"
#include "core/onnx/save.h"
#include "core/onnx/text.h"
#include "core/util/atomic_file.h"
#include "core/util/printable.h"

namespace pet::onnx_io {
namespace {

bool same_folder(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code failed;
  const auto folder_a =
      std::filesystem::canonical(std::filesystem::absolute(a).parent_path(), failed);
  if (failed) return false;
  const auto folder_b =
      std::filesystem::canonical(std::filesystem::absolute(b).parent_path(), failed);
  return !failed && folder_a == folder_b;
}

// More would leave no room in a message of 2 GiB.
constexpr std::size_t kMostTakenIn = std::size_t{1} << 30;

bool is_taken_in(const ParsedFile& file) {
  std::size_t size = 0;
  for (const auto& bytes : file.outside_in_order) size += bytes.size();
  return size <= kMostTakenIn;
}

Status bring_along(const ParsedFile& file, const std::filesystem::path& path) {
  namespace fs = std::filesystem;
  for (const auto& [location, data] : file.external) {
    const fs::path name(location);
    if (name.is_absolute() || std::ranges::find(name, fs::path("..")) != name.end())
      return Error{fmt::format("external data {} leads out of a folder on its way; it is not "
                               "brought along",
                               printable(location)),
                   ErrorKind::Unsupported};
    const fs::path there = fs::absolute(path).parent_path() / name;
    std::error_code ignored;
    if (fs::exists(there, ignored)) {
      const auto found = FileBytes::read(there);
      if (!found) return found.error();
      if (std::ranges::equal(found->bytes(), data.bytes())) continue;
      return Error{fmt::format("{}: the model's weights would go there, and it is something else; "
                               "write to another folder",
                               printable(there.string())),
                   ErrorKind::Usage};
    }
    fs::create_directories(there.parent_path(), ignored);
    auto done = write_atomically(there, [&](int fd) { return write_all(fd, data.bytes()); });
    if (!done) return done;
  }
  return Done{};
}

}  // namespace

Status save(const ::onnx::ModelProto& proto, const std::filesystem::path& path) {
  const std::size_t size = proto.ByteSizeLong();
  if (size > std::size_t{std::numeric_limits<int>::max()}) {
    return Error{fmt::format("cannot write {}: {} bytes in one file are more than ONNX can hold",
                             printable(path.string()), size),
                 ErrorKind::Unsupported};
  }
  return write_atomically(path, [&](int fd) {
    google::protobuf::io::FileOutputStream stream(fd, 1 << 20);
    const bool good = proto.SerializeToZeroCopyStream(&stream) && stream.Flush();
    if (!good) errno = stream.GetErrno();
    return good;
  });
}

Result<::onnx::ModelProto> copy_for(const ParsedFile& file, const std::filesystem::path& path) {
  ::onnx::ModelProto out = file.proto;
  if (file.outside.empty() || same_folder(file.path, path)) return out;
  if (!is_taken_in(file)) {
    if (auto done = bring_along(file, path); !done) return std::move(done).error();
    return out;
  }
  std::size_t next = 0;
  for_each_tensor(out, [&](::onnx::TensorProto& tensor) {
    if (!is_external(tensor)) return;
    const auto bytes = file.outside_in_order[next++];
    tensor.set_raw_data(bytes.data(), bytes.size());
    tensor.clear_external_data();
    tensor.clear_data_location();
  });
  return out;
}

Result<::onnx::ModelProto> program_message(const Graph& graph, int opset,
                                           std::span<const std::string> inputs,
                                           std::span<const std::string> outputs, bool keeps_names) {
  ::onnx::ModelProto model;
  model.set_ir_version(8);
  model.set_producer_name("pet");
  model.add_opset_import()->set_version(opset);
  auto& out = *model.mutable_graph();
  out.set_name("program");
  Sheet sheet;
  sheet.opset = opset;
  sheet.nameless = !keeps_names;
  sheet.keeps_names = keeps_names;
  sheet.names.insert(inputs.begin(), inputs.end());
  sheet.names.insert(outputs.begin(), outputs.end());
  for (std::size_t i = 0; i < inputs.size(); ++i)
    fill_type(*out.add_input(), inputs[i], graph.node(graph.inputs()[i]).type);
  for (std::size_t j = 0; j < outputs.size(); ++j)
    fill_type(*out.add_output(), outputs[j], graph.node(graph.outputs()[j]).type);
  if (auto done = emit(graph, inputs, outputs, "node", sheet); !done)
    return std::move(done).error();
  for (auto& tensor : sheet.initialisers) *out.add_initializer() = std::move(tensor);
  for (auto& node : sheet.nodes) *out.add_node() = std::move(node);
  return model;
}

}  // namespace pet::onnx_io

namespace pet {

Status write_model(const Model& model, const std::filesystem::path& path) {
  const auto& file = *model.file;
  if (!file.outside.empty() && !onnx_io::same_folder(file.path, path)) {
    const auto copy = onnx_io::copy_for(file, path);
    if (!copy) return copy.error();
    if (onnx_io::is_taken_in(file)) return onnx_io::save(*copy, path);
  }
  const auto source = onnx_io::FileBytes::read(file.path);
  if (source && Digester("onnx bytes").add(source->bytes()).finish() == file.bytes_digest) {
    return write_atomically(path, [&](int fd) { return write_all(fd, source->bytes()); });
  }
  return onnx_io::save(file.proto, path);
}

Status write_program(const Graph& graph, int opset, const std::filesystem::path& path) {
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  for (std::size_t i = 0; i < graph.inputs().size(); ++i) inputs.push_back(fmt::format("in{}", i));
  for (std::size_t j = 0; j < graph.outputs().size(); ++j)
    outputs.push_back(fmt::format("out{}", j));
  const auto proto = onnx_io::program_message(graph, opset, inputs, outputs);
  if (!proto) return proto.error();
  return onnx_io::save(*proto, path);
}

Status write_named_program(const Graph& graph, const std::filesystem::path& path) {
  onnx_io::Sheet taken;
  const auto names_of = [&](const std::vector<NodeId>& ids, std::string_view otherwise) {
    std::vector<std::string> out;
    for (const NodeId id : ids) {
      const Node& node = graph.node(id);
      const std::string name = node.input() != nullptr ? node.input()->name : node.name;
      out.push_back(taken.fresh(name.empty() ? std::string(otherwise) : name));
    }
    return out;
  };
  const auto inputs = names_of(graph.inputs(), "in");
  const auto outputs = names_of(graph.outputs(), "out");
  auto proto = onnx_io::program_message(graph, kCaseOpset, inputs, outputs, true);
  for (int opset = kCaseOpset + 1; !proto && opset <= kNewestOpset; ++opset) {
    auto newer = onnx_io::program_message(graph, opset, inputs, outputs, true);
    if (newer) proto = std::move(newer);
  }
  if (!proto) return proto.error();
  return onnx_io::save(*proto, path);
}

}  // namespace pet
