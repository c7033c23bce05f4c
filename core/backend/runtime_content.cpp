// Models and tensors that are sent to a worker and fetched from it, by their digests.
#include <algorithm>

#include "core/backend/runtime_message.h"
#include "core/onnx/skeleton.h"
#include "core/util/base64.h"
#include "core/util/digest.h"

namespace pet {
namespace {

constexpr std::size_t kPart = std::size_t{8} << 20;

}  // namespace

// Each of the bytes once a worker.
Result<std::string> Runtime::sent(std::span<const std::byte> bytes, const std::stop_token& stop) {
  const std::string digest = plain_digest(bytes).hex();
  if (sent_.contains(digest)) return digest;
  const auto answer = ask({Json{{"op", "have"}, {"digests", {digest}}}}, stop);
  if (!answer) return answer.error();
  const auto missing =
      reading(answer->json, [](const Json& json) { return !json.at("missing").empty(); });
  if (!missing) return missing.error();
  std::size_t offset = 0;
  while (*missing && (offset < bytes.size() || offset == 0)) {
    const auto part = bytes.subspan(offset, std::min(kPart, bytes.size() - offset));
    auto put = ask({Json{{"op", "put"},
                         {"digest", digest},
                         {"size", bytes.size()},
                         {"offset", offset},
                         {"data", to_base64(part)}}},
                   stop);
    if (!put) return std::move(put).error();
    offset += part.size();
    if (part.empty()) break;
  }
  sent_.insert(digest);
  return digest;
}

// Its weights apart. What we cannot read is sent as it is: the worker knows what is wrong with it.
Result<std::string> Runtime::sent_model(const std::filesystem::path& file,
                                        const std::stop_token& stop) {
  const auto skeleton = skeleton_of(file);
  if (!skeleton) {
    const auto bytes = bytes_of_file(file);
    if (!bytes) return bytes.error();
    return sent(*bytes, stop);
  }
  for (const Skeleton::Weight& weight : skeleton->weights) {
    if (auto there = sent(weight.bytes, stop); !there) return there;
  }
  return sent(std::as_bytes(std::span<const char>(skeleton->bytes)), stop);
}

Result<std::vector<std::byte>> Runtime::fetched(const std::string& digest, std::size_t size,
                                                const std::stop_token& stop) {
  std::vector<std::byte> out;
  while (out.size() < size) {
    auto answer = ask({Json{{"op", "get"}, {"digest", digest}, {"offset", out.size()}}}, stop);
    if (!answer) return std::move(answer).error();
    const auto text =
        reading(answer->json, [](const Json& json) { return json.at("data").get<std::string>(); });
    if (!text) return text.error();
    const auto part = from_base64(*text);
    if (!part || part->empty() || part->size() > size - out.size())
      return Error{"the worker sent something else than it spoke of", ErrorKind::Tool};
    out.insert(out.end(), part->begin(), part->end());
  }
  if (plain_digest(out).hex() != digest)
    return Error{"the worker sent bytes of another digest than it spoke of", ErrorKind::Tool};
  return out;
}

Result<Runtime::Message> Runtime::run_with_blobs(std::int64_t handle,
                                                 std::span<const NamedTensor> inputs,
                                                 const std::stop_token& stop) {
  Json named = Json::object();
  for (const NamedTensor& input : inputs) {
    auto digest = sent(input.tensor.bytes(), stop);
    if (!digest) return std::move(digest).error();
    named[input.name] = json_of(input.tensor);
    named[input.name]["blob"] = *std::move(digest);
  }
  return ask({Json{{"op", "run"}, {"handle", handle}, {"inputs", named}}}, stop);
}

Result<std::vector<NamedTensor>> Runtime::outputs_by_content(const Message& answer,
                                                             const std::stop_token& stop) {
  const auto places =
      reading(answer.json, [](const Json& json) { return output_places(json, "blob"); });
  if (!places) return places.error();
  std::vector<NamedTensor> outputs;
  for (const OutputPlace& output : *places) {
    const auto dtype = dtype_named(output.value.type);
    const auto elements = checked_count(output.value.shape);
    if (!dtype || !elements)
      return Error{"the worker answered a tensor of type " + output.value.type, ErrorKind::Tool};
    auto bytes = fetched(output.where,
                         static_cast<std::size_t>(*elements) * bytes_per_element(*dtype), stop);
    if (!bytes) return std::move(bytes).error();
    auto owner = std::make_shared<std::vector<std::byte>>(*std::move(bytes));
    const std::span<const std::byte> view(*owner);
    outputs.push_back(
        {output.value.name, Tensor({*dtype, output.value.shape}, view, std::move(owner))});
  }
  return outputs;
}

}  // namespace pet
