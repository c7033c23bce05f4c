#include "verify/files/certificate.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/onnx/inventory.h"
#include "core/onnx/weight_programs.h"
#include "core/util/printable.h"
#include "verify/values/value_table.h"

namespace pet {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kFormat = "pet-certificate/1";

Json shape_of(const TensorType& type) { return type.shape ? Json(*type.shape) : Json(nullptr); }

Json described(const std::string& name, const TensorType& type) {
  return {{"name", name}, {"type", to_string(type.dtype)}, {"shape", shape_of(type)}};
}

std::set<Digest> float_constants(const Graph& graph) {
  std::set<Digest> out;
  for (const Node& node : graph.nodes()) {
    const Tensor* tensor = node.constant();
    if (tensor != nullptr && tensor->type().dtype == DType::Float) out.insert(tensor->digest());
  }
  return out;
}

// What the constants of one file stand for.
struct Roles {
  ValueTable::Weights weights = ValueTable::Weights::Symbols;
  const std::set<Digest>* symbols = nullptr;  // null: every constant is one of its own
  std::set<Digest> explained;                 // by weight programs

  std::string_view of(const Tensor& tensor) const {
    if (explained.contains(tensor.digest())) return "program";
    if (tensor.type().dtype != DType::Float) return "exact";
    const bool is_known = symbols == nullptr || symbols->contains(tensor.digest());
    return ValueTable::role_of(tensor, weights, is_known) == ConstantRole::Symbol ? "symbol"
                                                                                  : "exact";
  }
};

Result<Json> file_of(const Model& model, const Roles& roles) {
  const auto inventory = inventory_of(model);
  if (!inventory) return inventory.error();
  Json external = Json::array();
  for (const StoredFile& file : inventory->external)
    external.push_back({{"location", file.location}, {"digest", file.digest.hex()}});
  Json tensors = Json::array();
  for (const auto& [name, tensor] : inventory->tensors) {
    if (tensor == nullptr)
      return Error{"no certificate: initialiser '" + printable(name) + "' has no plain bytes",
                   ErrorKind::Unsupported};
    const bool is_input =
        std::any_of(model.inputs.begin(), model.inputs.end(),
                    [&stored = name](const ModelInput& input) { return input.name == stored; });
    Json entry = described(name, tensor->type());
    entry["digest"] = tensor->digest().hex();
    entry["role"] = is_input ? "input" : roles.of(*tensor);
    tensors.push_back(std::move(entry));
  }
  return Json{{"file", inventory->file.hex()},
              {"external", std::move(external)},
              {"tensors", std::move(tensors)}};
}

bool same_output_names(const Model& a, const Model& b) {
  return std::equal(a.outputs.begin(), a.outputs.end(), b.outputs.begin(), b.outputs.end(),
                    [](const ModelOutput& x, const ModelOutput& y) { return x.name == y.name; });
}

Json interface_of(const Model& model, const Model& mutant) {
  Json inputs = Json::array();
  for (const ModelInput& input : model.inputs) inputs.push_back(described(input.name, input.type));
  Json results = Json::array();
  for (const ModelOutput& output : model.outputs)
    results.push_back(described(output.name, output.type));
  return {{"outputs", same_output_names(model, mutant) ? "by-name" : "by-position"},
          {"inputs", std::move(inputs)},
          {"results", std::move(results)}};
}

// Weights as they are stored, where there are any that would be symbols otherwise.
bool is_bound(const Model& original, const Model& mutant, const FileProofOptions& options) {
  const auto has_symbol = [](const Model& model) {
    const auto& nodes = model.graph.nodes();
    return std::any_of(nodes.begin(), nodes.end(), [](const Node& node) {
      using Weights = ValueTable::Weights;
      return node.constant() != nullptr &&
             ValueTable::role_of(*node.constant(), Weights::Symbols, true) !=
                 ValueTable::role_of(*node.constant(), Weights::Bound, true);
    });
  };
  return options.proof.bind_weights && (has_symbol(original) || has_symbol(mutant));
}

Json claim_of(const Model& original, const FileVerdict& verdict) {
  Json outputs = Json::array();
  for (std::size_t i = 0; i < verdict.outputs.size(); ++i) {
    const OutputVerdict& output = verdict.outputs[i];
    const bool known = original.outputs[i].type.shape.has_value();
    outputs.push_back({{"name", original.outputs[i].name},
                       {"verdict", to_string(output.outcome)},
                       {"total", known ? Json(output.elements) : Json(nullptr)},
                       {"equal", known ? Json(output.equal) : Json(nullptr)}});
  }
  return {{"verdict", to_string(verdict.outcome)}, {"outputs", std::move(outputs)}};
}

Json pairs_of(const std::vector<ShownPair>& pairs) {
  Json out = Json::array();
  for (const ShownPair& pair : pairs) {
    out.push_back({{"a", pair.original},
                   {"b", pair.mutant},
                   {"order", pair.order.empty() ? Json(nullptr) : Json(pair.order)},
                   {"from", pair.from}});
  }
  return out;
}

// What is the same expressions, as a file and its copy are, needs no pairs.
Json evidence_of(const FileVerdict& verdict, bool are_copies) {
  if (!are_copies && verdict.places && verdict.places->pairs)
    return {{"engine", "places"}, {"pairs", pairs_of(*verdict.places->pairs)}};
  const std::optional<TestRecord>& test = verdict.test;
  if (!test) return {{"engine", "places"}, {"pairs", Json::array()}};
  Json out{{"engine", "bitmap"}};
  out["seed"] = test->seed.hex();
  out["primes"] = test->primes;
  out["degree"] = test->degree;
  out["length_blocks"] = static_cast<std::uint64_t>(test->length_blocks);
  out["elements"] = static_cast<std::uint64_t>(test->elements);
  out["log2_error"] = test->log2_error;
  Json values = Json::array();
  for (const auto& ends : test->ends)
    values.push_back(ends ? Json{ends->first, ends->last} : Json(nullptr));
  out["values"] = std::move(values);
  return out;
}

}  // namespace

Result<std::string> certificate_of(const Model& original, const Model& mutant,
                                   const FileVerdict& verdict, const FileProofOptions& options,
                                   const CertificateInfo& info) {
  if (verdict.outcome != Outcome::Equivalent)
    return Error{"no certificate: the verdict is " + std::string(to_string(verdict.outcome)),
                 ErrorKind::Unsupported};
  // A file and its copy are one program, whatever they hold.
  const auto& nested = original.nested ? original.nested : mutant.nested;
  if (nested && original.digest != mutant.digest)
    return Error{"no certificate: " + *nested + ", where its checker does not look",
                 ErrorKind::Unsupported};
  auto programs = weight_programs_of(mutant);
  if (!programs) return programs.error();
  const bool bound = is_bound(original, mutant, options);
  const auto weights = bound ? ValueTable::Weights::Bound : ValueTable::Weights::Symbols;
  Roles theirs{.weights = weights, .symbols = nullptr, .explained = {}};
  const std::set<Digest> constants = float_constants(original.graph);
  Roles mine{.weights = weights, .symbols = &constants, .explained = {}};
  Json told = nullptr;
  if (*programs) {
    const std::string& text = mutant.metadata.at(std::string(kWeightProgramsKey));
    told = plain_digest(std::as_bytes(std::span(text))).hex();
    if (verdict.found_programs)
      return Error{
          "no certificate: the weight programs that the second file carries explain none "
          "of its constants",
          ErrorKind::Unsupported};
  } else if (verdict.found_programs) {
    auto found = decoded(*verdict.found_programs);
    if (!found) return std::move(found).error().within("weight programs");
    *programs = *std::move(found);
    told = {{"text", *verdict.found_programs}};
  } else if (verdict.weight_programs > 0) {
    return Error{
        "no certificate: constants of the second file follow from the first's, it carries no "
        "weight programs that say how (pet fold and pet optimize write them), and those that were "
        "found are too large",
        ErrorKind::Unsupported};
  }
  if (*programs) mine.explained.insert((*programs)->results.begin(), (*programs)->results.end());
  auto a = file_of(original, theirs);
  if (!a) return std::move(a).error();
  auto b = file_of(mutant, mine);
  if (!b) return std::move(b).error();
  Json out{{"format", kFormat},
           {"a", *std::move(a)},
           {"b", *std::move(b)},
           {"sizes", verdict.proved_at},
           {"interface", interface_of(original, mutant)},
           {"semantics", {{"arithmetic", "reals"}, {"weights", bound ? "bound" : "symbols"}}},
           {"weight_programs", std::move(told)},
           {"claim", claim_of(original, verdict)},
           {"evidence", evidence_of(verdict, original.digest == mutant.digest)},
           {"info", info}};
  try {
    return out.dump(1) + "\n";
  } catch (const Json::exception&) {
    return Error{"no certificate: a name in the files is not UTF-8", ErrorKind::Unsupported};
  }
}

}  // namespace pet
