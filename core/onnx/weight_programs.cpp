#include "core/onnx/weight_programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/onnx/import.h"
#include "core/onnx/save.h"
#include "core/util/base64.h"

namespace pet {
namespace {

constexpr int kOpset = 17;  // of the programs, whatever the file's own is
constexpr std::size_t kMostBytes = std::size_t{16} << 20;
constexpr int kMostNodes = 20'000;
// Behind the name of a result that has the bits of an operand: no value has two names in ONNX.
constexpr char kPrime = '\'';

std::optional<Digest> digest_from(const std::string& hex) {
  Digest digest;
  if (hex.size() != 2 * digest.bytes.size()) return std::nullopt;
  const auto value = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
  };
  for (std::size_t i = 0; i < digest.bytes.size(); ++i) {
    const int high = value(hex[2 * i]);
    const int low = value(hex[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    digest.bytes[i] = static_cast<std::uint8_t>(16 * high + low);
  }
  return digest;
}

}  // namespace

Result<WeightPrograms> decoded(const std::string& text) {
  if (text.size() > kMostBytes) return Error{fmt::format("more than {} bytes", kMostBytes)};
  const auto bytes = from_base64(text);
  if (!bytes) return Error{"not in base64"};
  auto file = onnx_io::parse_bytes(*bytes, "metadata");
  if (!file) return std::move(file).error();
  if ((*file)->proto.graph().node_size() > kMostNodes)
    return Error{fmt::format("more than {} operators", kMostNodes)};
  auto model = onnx_io::import_model(*std::move(file), {}, onnx_io::Unknown::Refused);
  if (!model) return std::move(model).error();
  if (model->unprovable) return Error{*model->unprovable};
  WeightPrograms programs{std::move(model->graph), {}};
  std::set<Digest> seen;
  for (const ModelInput& input : model->inputs) {
    const auto digest = digest_from(input.name);
    if (!digest || input.standard || !input.other_type.empty() || !input.type.shape)
      return Error{"an operand that is no digest of a tensor"};
    if (!seen.insert(*digest).second) return Error{"an operand stands twice"};
  }
  seen.clear();
  for (const ModelOutput& output : model->outputs) {
    const bool primed = output.name.ends_with(kPrime);
    const auto digest = digest_from(output.name.substr(0, output.name.size() - (primed ? 1 : 0)));
    if (!digest) return Error{"a result that is no digest of a tensor"};
    if (!seen.insert(*digest).second) return Error{"a constant has two programs"};
    programs.results.push_back(*digest);
  }
  return programs;
}

Result<std::string> encoded(const WeightPrograms& programs) {
  std::vector<std::string> operands;
  std::vector<std::string> results;
  for (const NodeId id : programs.graph.inputs())
    operands.push_back(programs.graph.node(id).input()->name);
  for (const Digest& digest : programs.results) {
    std::string& name = results.emplace_back(digest.hex());
    if (std::find(operands.begin(), operands.end(), name) != operands.end()) name += kPrime;
  }
  const auto proto = onnx_io::program_message(programs.graph, kOpset, operands, results);
  if (!proto) return proto.error();
  if (proto->graph().node_size() > kMostNodes)
    return Error{fmt::format("weight programs of more than {} operators", kMostNodes),
                 ErrorKind::Unsupported};
  std::string bytes;
  if (!proto->SerializeToString(&bytes)) return Error{"weight programs too large", ErrorKind::Tool};
  auto text = to_base64(std::as_bytes(std::span(bytes)));
  if (text.size() > kMostBytes)
    return Error{fmt::format("weight programs of more than {} bytes", kMostBytes),
                 ErrorKind::Unsupported};
  return text;
}

Result<std::optional<WeightPrograms>> weight_programs_of(const Model& model) {
  const auto it = model.metadata.find(std::string(kWeightProgramsKey));
  if (it == model.metadata.end()) return std::optional<WeightPrograms>{};
  auto programs = decoded(it->second);
  if (!programs) return std::move(programs).error().within("weight programs");
  return std::optional<WeightPrograms>(*std::move(programs));
}

}  // namespace pet
