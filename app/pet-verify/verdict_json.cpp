#include "app/pet-verify/verdict_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace pet::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kOutcomes = {Outcome::Equivalent,    Outcome::EquivalentUpToConstants,
                                  Outcome::Partial,       Outcome::Different,
                                  Outcome::ShapeMismatch, Outcome::Unknown,
                                  Outcome::Unsupported};

// What read_*() throws where a line makes no sense; nlohmann's own exceptions are others.
struct Nonsense {};

void require(bool sense) {
  if (!sense) throw Nonsense{};
}

// JSON knows no infinities.
Json number(double x) {
  if (std::isfinite(x)) return x;
  return std::isnan(x) ? "nan" : x > 0 ? "inf" : "-inf";
}

double read_number(const Json& json) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  if (json.is_number()) return json.get<double>();
  if (json == "inf") return kInfinity;
  if (json == "-inf") return -kInfinity;
  require(json == "nan");
  return std::numeric_limits<double>::quiet_NaN();
}

Outcome read_outcome(const Json& json) {
  const auto word = json.get<std::string>();
  const auto it = std::ranges::find(kOutcomes, word, [](Outcome o) { return to_string(o); });
  require(it != kOutcomes.end());
  return *it;
}

Shape read_shape(const Json& json) {
  auto shape = json.get<Shape>();
  require(checked_count(shape).has_value());
  return shape;
}

Json json_of(const Region& region) {
  Json boxes = Json::array();
  for (const Box& box : region.boxes) boxes.push_back({box.low, box.high});
  return {{"basis", region.basis.digits}, {"boxes", std::move(boxes)}};
}

Region read_region(const Json& json) {
  Region out;
  for (const Json& digits : json.at("basis")) out.basis.digits.push_back(read_shape(digits));
  const Shape flat = out.basis.flat();
  require(checked_count(flat).has_value());
  for (const Json& json_box : json.at("boxes")) {
    Box box{json_box.at(0).get<Shape>(), json_box.at(1).get<Shape>()};
    require(box.low.size() == flat.size() && box.high.size() == flat.size());
    for (std::size_t d = 0; d < flat.size(); ++d)
      require(0 <= box.low[d] && box.low[d] <= box.high[d] && box.high[d] <= flat[d]);
    out.boxes.push_back(std::move(box));
  }
  return out;
}

Json json_of(const std::optional<Witness>& witness) {
  if (!witness) return nullptr;
  Json inputs = Json::array();
  for (const auto& [name, shape] : witness->inputs) inputs.push_back({name, shape});
  return {{"seed", witness->seed},
          {"inputs", std::move(inputs)},
          {"position", witness->position},
          {"original", number(witness->original)},
          {"mutant", number(witness->mutant)}};
}

std::optional<Witness> read_witness(const Json& json) {
  if (json.is_null()) return std::nullopt;
  Witness out;
  out.seed = json.at("seed").get<std::uint64_t>();
  for (const Json& input : json.at("inputs"))
    out.inputs.emplace_back(input.at(0).get<std::string>(), read_shape(input.at(1)));
  out.position = json.at("position").get<Shape>();
  out.original = read_number(json.at("original"));
  out.mutant = read_number(json.at("mutant"));
  return out;
}

Json json_of(const OutputVerdict& output) {
  Json shapes = nullptr;
  if (output.shapes) shapes = {output.shapes->first, output.shapes->second};
  return {{"name", output.name},
          {"outcome", to_string(output.outcome)},
          {"elements", output.elements},
          {"equal", output.equal},
          {"different", output.different},
          {"undecided", output.undecided},
          {"wrong", json_of(output.wrong)},
          {"shapes", std::move(shapes)},
          {"reason", output.reason},
          {"witness", json_of(output.witness)}};
}

bool is_partly_equal(const OutputVerdict& output) {
  return output.equal > 0 && output.equal < output.elements;
}

// The boxes are everything that is not equal.
std::vector<char> equal_positions(const OutputVerdict& output) {
  if (!is_partly_equal(output)) return {};
  require(output.wrong.volume() == output.elements - output.equal);
  std::vector<char> marked = output.wrong.points();
  require(static_cast<Dim>(marked.size()) == output.elements);
  for (char& at : marked) at = static_cast<char>(at == 0);
  return marked;
}

OutputVerdict read_output(const Json& json) {
  OutputVerdict out;
  out.name = json.at("name").get<std::string>();
  out.outcome = read_outcome(json.at("outcome"));
  out.elements = json.at("elements").get<Dim>();
  out.equal = json.at("equal").get<Dim>();
  out.different = json.at("different").get<Dim>();
  out.undecided = json.at("undecided").get<Dim>();
  require(0 <= out.elements && out.elements <= kMaxElements);
  for (const Dim part : {out.equal, out.different, out.undecided})
    require(0 <= part && part <= out.elements);
  require(out.equal + out.different + out.undecided == out.elements);
  out.wrong = read_region(json.at("wrong"));
  if (const Json& shapes = json.at("shapes"); !shapes.is_null())
    out.shapes = {read_shape(shapes.at(0)), read_shape(shapes.at(1))};
  out.reason = json.at("reason").get<std::string>();
  out.witness = read_witness(json.at("witness"));
  out.equal_at = equal_positions(out);
  return out;
}

Verdict read_verdict(const Json& json) {
  Verdict out;
  out.outcome = read_outcome(json.at("outcome"));
  out.reason = json.at("reason").get<std::string>();
  for (const Json& output : json.at("outputs")) out.outputs.push_back(read_output(output));
  out.log2_error = read_number(json.at("log2_error"));
  out.primes = json.at("primes").get<std::size_t>();
  out.growth = read_number(json.at("growth"));
  out.proof_seed = json.at("proof_seed").get<std::string>();
  for (const Json& engine : json.at("engines")) {
    out.engines.push_back({engine.at("name").get<std::string>(), read_outcome(engine.at("outcome")),
                           engine.at("reason").get<std::string>(),
                           read_number(engine.at("log2_error"))});
  }
  for (const auto& [name, size] : json.at("proved_at").items())
    out.proved_at[name] = size.get<Dim>();
  out.all_sizes = json.at("all_sizes").get<bool>();
  out.weight_programs = json.at("weight_programs").get<std::size_t>();
  out.inexact_constants = json.at("inexact_constants").get<std::size_t>();
  out.max_ulp = json.at("max_ulp").get<std::uint64_t>();
  return out;
}

}  // namespace

std::optional<Json> to_json(const Verdict& verdict) {
  Json outputs = Json::array();
  for (const OutputVerdict& output : verdict.outputs) {
    if (is_partly_equal(output) && output.wrong.empty()) return std::nullopt;
    outputs.push_back(json_of(output));
  }
  Json engines = Json::array();
  for (const EngineAnswer& engine : verdict.engines) {
    engines.push_back({{"name", engine.engine},
                       {"outcome", to_string(engine.outcome)},
                       {"reason", engine.reason},
                       {"log2_error", number(engine.log2_error)}});
  }
  Json json{{"outcome", to_string(verdict.outcome)},
            {"reason", verdict.reason},
            {"outputs", std::move(outputs)},
            {"log2_error", number(verdict.log2_error)},
            {"primes", verdict.primes},
            {"growth", number(verdict.growth)},
            {"proof_seed", verdict.proof_seed},
            {"engines", std::move(engines)},
            {"proved_at", verdict.proved_at},
            {"all_sizes", verdict.all_sizes},
            {"weight_programs", verdict.weight_programs},
            {"inexact_constants", verdict.inexact_constants},
            {"max_ulp", verdict.max_ulp}};
  try {
    static_cast<void>(json.dump());
  } catch (const Json::type_error&) {
    return std::nullopt;
  }
  return json;
}

std::optional<Verdict> verdict_of(const Json& json) {
  try {
    return read_verdict(json);
  } catch (const Json::exception&) {
    return std::nullopt;
  } catch (const Nonsense&) {
    return std::nullopt;
  }
}

}  // namespace pet::app
