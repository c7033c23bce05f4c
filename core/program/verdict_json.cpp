#include "core/program/verdict_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/util/printable.h"

namespace pet {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kOutcomes = {Outcome::Equivalent,    Outcome::EquivalentUpToConstants,
                                  Outcome::Partial,       Outcome::Different,
                                  Outcome::ShapeMismatch, Outcome::Unknown,
                                  Outcome::Unsupported};

// JSON knows no infinities.
Json number(double x) {
  if (std::isfinite(x)) return x;
  return std::isnan(x) ? "nan" : x > 0 ? "inf" : "-inf";
}

Json json_of(const Region& region) {
  Json boxes = Json::array();
  for (const Box& box : region.boxes) boxes.push_back({box.low, box.high});
  return {{"basis", region.basis.digits}, {"boxes", std::move(boxes)}};
}

Json json_of(const std::optional<Witness>& witness) {
  if (!witness) return nullptr;
  Json inputs = Json::array();
  for (const auto& [name, type] : witness->inputs) {
    inputs.push_back({name, *type.shape});
    if (type.dtype != DType::Float) inputs.back().push_back(to_string(type.dtype));
  }
  return {{"seed", witness->seed},
          {"inputs", std::move(inputs)},
          {"position", witness->position},
          {"original", number(witness->original)},
          {"mutant", number(witness->mutant)},
          {"rounding", number(witness->rounding)}};
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

Json json_of(const EngineAnswer& engine) {
  return {{"name", engine.engine},
          {"outcome", to_string(engine.outcome)},
          {"reason", engine.reason},
          {"log2_error", number(engine.log2_error)}};
}

Json json_of(const std::optional<PlacesReport>& report) {
  if (!report) return nullptr;
  Json places = Json::array();
  for (const PlaceReport& place : report->places) {
    places.push_back({{"original", place.original},
                      {"mutant", place.mutant},
                      {"operators", place.operators},
                      {"replaced_by", place.replaced_by},
                      {"between", place.between},
                      {"shown_by", place.shown_by},
                      {"outcome", to_string(place.outcome)},
                      {"witness", json_of(place.witness)}});
  }
  return {{"shared", report->shared}, {"places", std::move(places)}, {"whole", report->whole}};
}

bool is_partly_equal(const OutputVerdict& output) {
  return output.equal > 0 && output.equal < output.elements;
}

// What reading throws, and never leaves this file.
struct Nonsense {
  std::string message;
};

// A value that was written, and where it stands: "outputs/0/wrong/boxes/2". It knows how to be
// read as what belongs there, or says where that failed.
class Field {
 public:
  Field(const Json& json, std::string path) : json_(json), path_(std::move(path)) {}

  [[noreturn]] void fail(const std::string& why) const {
    throw Nonsense{path_.empty() ? why : path_ + ": " + why};
  }
  void require(bool sense, const char* why) const {
    if (!sense) fail(why);
  }

  Field operator[](const char* key) const {
    require(json_.is_object(), "is no object");
    const auto found = json_.find(key);
    const Field out(found == json_.end() ? json_ : *found, below(key));
    if (found == json_.end()) out.fail("is missing");
    return out;
  }

  std::vector<Field> entries() const {
    require(json_.is_array(), "is no list");
    std::vector<Field> out;
    for (std::size_t i = 0; i < json_.size(); ++i)
      out.emplace_back(json_[i], below(std::to_string(i)));
    return out;
  }

  std::pair<Field, Field> pair() const {
    const auto both = entries();
    require(both.size() == 2, "is no pair");
    return {both[0], both[1]};
  }

  std::vector<std::pair<std::string, Field>> named() const {
    require(json_.is_object(), "is no object");
    std::vector<std::pair<std::string, Field>> out;
    for (const auto& [name, value] : json_.items())
      out.emplace_back(name, Field(value, below(printable(name))));
    return out;
  }

  bool is_null() const { return json_.is_null(); }

  std::string text() const {
    require(json_.is_string(), "is no text");
    return json_.get<std::string>();
  }
  bool truth() const {
    require(json_.is_boolean(), "is neither true nor false");
    return json_.get<bool>();
  }
  std::uint64_t natural() const {
    require(json_.is_number_unsigned(), "is no natural number of 64 bits");
    return json_.get<std::uint64_t>();
  }
  // A size or a position.
  Dim dim() const {
    const std::uint64_t value = natural();
    require(value <= std::uint64_t{std::numeric_limits<Dim>::max()}, "is too large");
    return static_cast<Dim>(value);
  }
  double real() const {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    if (json_.is_number()) return json_.get<double>();
    if (json_ == "inf") return kInfinity;
    if (json_ == "-inf") return -kInfinity;
    require(json_ == "nan", "is no number");
    return std::numeric_limits<double>::quiet_NaN();
  }
  Shape dims() const {
    Shape out;
    for (const Field& size : entries()) out.push_back(size.dim());
    return out;
  }
  Shape shape() const {
    Shape out = dims();
    require(checked_count(out).has_value(), "has more elements than a tensor may have");
    return out;
  }
  Outcome outcome() const {
    const std::string word = text();
    const auto it = std::ranges::find(kOutcomes, word, [](Outcome o) { return to_string(o); });
    require(it != kOutcomes.end(), "is no outcome");
    return *it;
  }

 private:
  std::string below(const std::string& name) const {
    return path_.empty() ? name : path_ + "/" + name;
  }

  const Json& json_;
  std::string path_;
};

Box read_box(const Field& json, const Shape& flat) {
  const auto [low, high] = json.pair();
  Box out{low.dims(), high.dims()};
  json.require(out.low.size() == flat.size() && out.high.size() == flat.size(),
               "has another number of axes than the basis has digits");
  for (std::size_t d = 0; d < flat.size(); ++d)
    json.require(out.low[d] <= out.high[d] && out.high[d] <= flat[d], "leaves the output");
  return out;
}

Region read_region(const Field& json) {
  Region out;
  const Field basis = json["basis"];
  for (const Field& digits : basis.entries()) out.basis.digits.push_back(digits.shape());
  const Shape flat = out.basis.flat();
  basis.require(checked_count(flat).has_value(), "has more elements than a tensor may have");
  for (const Field& box : json["boxes"].entries()) out.boxes.push_back(read_box(box, flat));
  return out;
}

DType read_dtype(const Field& json) {
  for (int number = 1; const auto dtype = dtype_from(number); ++number) {
    if (are_numbers(*dtype) && to_string(*dtype) == json.text()) return *dtype;
  }
  json.require(false, "is no type of numbers");
  return DType::Undefined;
}

std::optional<Witness> read_witness(const Field& json) {
  if (json.is_null()) return std::nullopt;
  Witness out;
  out.seed = json["seed"].natural();
  for (const Field& input : json["inputs"].entries()) {
    const auto entry = input.entries();
    input.require(entry.size() == 2 || entry.size() == 3, "is no name with a shape");
    out.inputs.emplace_back(entry[0].text(), float_tensor(entry[1].shape()));
    if (entry.size() == 3) out.inputs.back().second.dtype = read_dtype(entry[2]);
  }
  out.position = json["position"].dims();
  out.original = json["original"].real();
  out.mutant = json["mutant"].real();
  out.rounding = json["rounding"].real();
  return out;
}

// The boxes are everything that is not equal.
std::vector<char> equal_positions(const OutputVerdict& output, const Field& wrong) {
  if (!is_partly_equal(output)) return {};
  constexpr const char* kWhy = "are not the positions that are not equal";
  wrong.require(output.wrong.volume() == output.elements - output.equal, kWhy);
  std::vector<char> marked = output.wrong.points();
  const auto wrong_ones = std::ranges::count_if(marked, [](char at) { return at != 0; });
  wrong.require(static_cast<Dim>(marked.size()) == output.elements &&
                    static_cast<Dim>(wrong_ones) == output.elements - output.equal,
                kWhy);
  for (char& at : marked) at = static_cast<char>(at == 0);
  return marked;
}

OutputVerdict read_output(const Field& json) {
  OutputVerdict out;
  out.name = json["name"].text();
  out.outcome = json["outcome"].outcome();
  out.elements = json["elements"].dim();
  out.equal = json["equal"].dim();
  out.different = json["different"].dim();
  out.undecided = json["undecided"].dim();
  json["elements"].require(out.elements <= kMaxElements, "are more than a tensor may have");
  for (const char* part : {"equal", "different", "undecided"})
    json[part].require(json[part].dim() <= out.elements, "are more than all elements");
  json["elements"].require(out.equal + out.different + out.undecided == out.elements,
                           "are not as many as are equal, different and undecided");
  out.wrong = read_region(json["wrong"]);
  if (const Field shapes = json["shapes"]; !shapes.is_null())
    out.shapes = {shapes.pair().first.shape(), shapes.pair().second.shape()};
  out.reason = json["reason"].text();
  out.witness = read_witness(json["witness"]);
  out.equal_at = equal_positions(out, json["wrong"]);
  return out;
}

PlaceReport read_place(const Field& json) {
  PlaceReport out;
  out.original = json["original"].text();
  out.mutant = json["mutant"].text();
  for (const Field& name : json["operators"].entries()) out.operators.push_back(name.text());
  for (const Field& name : json["replaced_by"].entries()) out.replaced_by.push_back(name.text());
  for (const Field& name : json["between"].entries()) out.between.push_back(name.text());
  out.shown_by = json["shown_by"].text();
  out.outcome = json["outcome"].outcome();
  out.witness = read_witness(json["witness"]);
  return out;
}

std::optional<PlacesReport> read_places(const Field& json) {
  if (json.is_null()) return std::nullopt;
  PlacesReport out;
  out.shared = json["shared"].natural();
  for (const Field& place : json["places"].entries()) out.places.push_back(read_place(place));
  out.whole = json["whole"].text();
  return out;
}

EngineAnswer read_engine(const Field& json) {
  return {json["name"].text(), json["outcome"].outcome(), json["reason"].text(),
          json["log2_error"].real()};
}

FileVerdict read_whole(const Field& json) {
  FileVerdict out;
  out.outcome = json["outcome"].outcome();
  out.reason = json["reason"].text();
  for (const Field& output : json["outputs"].entries()) out.outputs.push_back(read_output(output));
  out.log2_error = json["log2_error"].real();
  out.primes = json["primes"].natural();
  out.growth = json["growth"].real();
  out.proof_seed = json["proof_seed"].text();
  for (const Field& engine : json["engines"].entries()) out.engines.push_back(read_engine(engine));
  out.places = read_places(json["places"]);
  for (const auto& [name, size] : json["proved_at"].named()) out.proved_at[name] = size.dim();
  out.all_sizes = json["all_sizes"].truth();
  for (const Field& name : json["for_every"].entries()) out.for_every.push_back(name.text());
  out.weight_programs = json["weight_programs"].natural();
  out.inexact_constants = json["inexact_constants"].natural();
  out.max_ulp = json["max_ulp"].natural();
  out.known_reals = json["known_reals"].natural();
  out.spelled_out = json["spelled_out"].natural();
  return out;
}

}  // namespace

Result<std::string> verdict_json(const FileVerdict& verdict) {
  Json outputs = Json::array();
  for (const OutputVerdict& output : verdict.outputs) {
    if (is_partly_equal(output) && output.wrong.empty())
      return Error{"output " + printable(output.name) + ": more wrong boxes than are listed",
                   ErrorKind::Unsupported};
    outputs.push_back(json_of(output));
  }
  Json engines = Json::array();
  for (const EngineAnswer& engine : verdict.engines) engines.push_back(json_of(engine));
  const Json json{{"outcome", to_string(verdict.outcome)},
                  {"reason", verdict.reason},
                  {"outputs", std::move(outputs)},
                  {"log2_error", number(verdict.log2_error)},
                  {"primes", verdict.primes},
                  {"growth", number(verdict.growth)},
                  {"proof_seed", verdict.proof_seed},
                  {"engines", std::move(engines)},
                  {"places", json_of(verdict.places)},
                  {"proved_at", verdict.proved_at},
                  {"all_sizes", verdict.all_sizes},
                  {"for_every", verdict.for_every},
                  {"weight_programs", verdict.weight_programs},
                  {"inexact_constants", verdict.inexact_constants},
                  {"max_ulp", verdict.max_ulp},
                  {"known_reals", verdict.known_reals},
                  {"spelled_out", verdict.spelled_out}};
  try {
    return json.dump();
  } catch (const Json::type_error&) {
    return Error{"a name in the verdict is no UTF-8", ErrorKind::Unsupported};
  }
}

Result<FileVerdict> read_verdict(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return Error{"no JSON"};
  try {
    return read_whole(Field(json, {}));
  } catch (const Nonsense& nonsense) {
    return Error{nonsense.message};
  }
}

}  // namespace pet
