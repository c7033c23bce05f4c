#include "core/onnx/skeleton.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "core/onnx/parsed_file.h"
#include "core/util/digest.h"
#include "core/util/printable.h"

namespace pet {
namespace {

constexpr std::size_t kLarge = 1024;  // bytes
constexpr std::size_t kHexDigits = 64;

void refer_to(::onnx::TensorProto& tensor, const std::string& digest) {
  tensor.clear_raw_data();
  tensor.clear_external_data();
  tensor.set_data_location(::onnx::TensorProto::EXTERNAL);
  auto* location = tensor.add_external_data();
  location->set_key("location");
  location->set_value(digest);
}

bool is_digest(const std::string& text) {
  return text.size() == kHexDigits && std::ranges::all_of(text, [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

}  // namespace

Result<Skeleton> skeleton_of(const std::filesystem::path& model) {
  auto read = onnx_io::parse_file(model);
  if (!read) return std::move(read).error();
  const std::shared_ptr<const onnx_io::ParsedFile> file = *std::move(read);
  ::onnx::ModelProto proto = file->proto;
  Skeleton out;
  out.held = file;
  std::map<std::string, bool> known;
  const auto send_apart = [&](::onnx::TensorProto& tensor, std::span<const std::byte> bytes) {
    std::string digest = plain_digest(bytes).hex();
    refer_to(tensor, digest);
    if (known.emplace(digest, true).second) out.weights.push_back({std::move(digest), bytes});
  };
  std::size_t outside = 0;
  onnx_io::for_each_tensor(proto, [&](::onnx::TensorProto& tensor) {
    if (onnx_io::is_external(tensor)) send_apart(tensor, file->outside_in_order[outside++]);
  });
  for (int i = 0; i < proto.graph().initializer_size(); ++i) {
    ::onnx::TensorProto& tensor = *proto.mutable_graph()->mutable_initializer(i);
    if (onnx_io::is_external(tensor) || tensor.raw_data().size() < kLarge) continue;
    const std::string& there = file->proto.graph().initializer(i).raw_data();
    send_apart(tensor, std::as_bytes(std::span<const char>(there.data(), there.size())));
  }
  if (!proto.SerializeToString(&out.bytes))
    return Error{fmt::format("{} cannot be written anew", printable(model.string()))};
  return out;
}

Status check_skeleton(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  ::onnx::ModelProto proto;
  // What is no model is refused by whoever reads it, with what is wrong about it.
  const google::protobuf::LogSilencer quiet;
  if (!proto.ParseFromIstream(&in)) return Done{};
  Status out = Done{};
  onnx_io::for_each_tensor(proto, [&](::onnx::TensorProto& tensor) {
    if (!onnx_io::is_external(tensor)) return;
    for (const auto& entry : tensor.external_data()) {
      if (entry.key() == "location" && !is_digest(entry.value()))
        out = Error{fmt::format("the model that was sent refers to '{}', which is no digest",
                                printable(entry.value().substr(0, 80)))};
    }
  });
  return out;
}

}  // namespace pet
