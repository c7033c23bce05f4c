#include "app/pet-verify/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "app/common/json_text.h"
#include "app/common/machine.h"
#include "core/program/region_words.h"
#include "core/program/verdict_text.h"
#include "core/util/printable.h"
#include "verify/bitmap/bitmap_engine.h"
#include "verify/verdict/replay.h"

namespace pet::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr Dim kMostInText = 4096;  // elements of a witness' inputs

// JSON knows neither infinities nor NaN.
Json finite(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

// Of a wrong "equal"; null where nothing is claimed, or no probability is in it.
Json log2_error(Outcome outcome, double error) {
  return claims_equality(outcome) ? finite(error) : Json(nullptr);
}

Json json_of(const Region& region) {
  Json boxes = Json::array();
  for (const Box& box : region.boxes) boxes.push_back({{"low", box.low}, {"high", box.high}});
  return boxes;
}

// The first position that is not shown equal.
Json first_difference(const OutputVerdict& output) {
  if (output.equal == output.elements) return nullptr;
  const auto at = std::find(output.equal_at.begin(), output.equal_at.end(), 0);
  Dim rest = output.equal == 0 ? 0 : static_cast<Dim>(at - output.equal_at.begin());
  Json out = Json::array();
  for (const Dim stride : row_major_strides(output.wrong.basis.shape())) {
    out.push_back(rest / stride);
    rest %= stride;
  }
  return out;
}

// Row-major, 1 where it is equal. As long as the output has elements, and made only where it is
// asked for; null where it would be too long for a report.
Json equal_bitmap(const OutputVerdict& output) {
  constexpr Dim kMostPositions = Dim{1} << 28;
  if (output.elements > kMostPositions) return nullptr;
  const auto all = static_cast<std::size_t>(output.elements);
  if (output.equal == output.elements) return std::string(all, '1');
  if (output.equal == 0) return std::string(all, '0');
  std::string out;
  for (const char at : output.equal_at) out += at != 0 ? '1' : '0';
  return out;
}

// An output without axes has one element; one without elements and axes is behind an operator of
// which not even the shape is known.
Json shape_of(const OutputVerdict& output) {
  const Shape& shape = output.wrong.basis.shape();
  return shape.empty() && output.elements == 0 ? Json(nullptr) : Json(shape);
}

// The boxes of what is not shown equal; null where they are too many, or nothing is known to have
// boxes.
Json wrong_boxes(const OutputVerdict& output) {
  if (output.outcome == Outcome::Equivalent) return Json::array();
  const bool listed =
      !output.wrong.empty() || (output.equal == output.elements && output.elements > 0);
  return listed ? json_of(output.wrong) : Json(nullptr);
}

Json json_of(const OutputVerdict& output, bool bitmap) {
  Json out{{"name", printable_whole(output.name)}, {"verdict", to_string(output.outcome)}};
  if (output.shapes) {
    out["shape_a"] = output.shapes->first;
    out["shape_b"] = output.shapes->second;
    return out;
  }
  out["shape"] = shape_of(output);
  out["total"] = output.elements;
  out["equal"] = output.equal;
  out["different"] = output.different;
  out["unknown"] = output.undecided;
  out["wrong_boxes"] = wrong_boxes(output);
  out["digit_basis"] = output.wrong.basis.digits;
  const std::string where = output.outcome == Outcome::Partial ? in_words(output.wrong) : "";
  out["where"] = where.empty() ? Json(nullptr) : Json(where);
  out["first_difference"] = first_difference(output);
  if (bitmap) out["equal_bitmap"] = equal_bitmap(output);
  out["reason"] = output.reason;
  return out;
}

Json number(float x) {
  return x == std::trunc(x) && std::abs(x) < 0x1p24F ? Json(static_cast<std::int64_t>(x)) : Json(x);
}

// Every input as it was drawn; null where they are too large to be listed.
Json inputs_of(const Witness& witness, Dim most_elements) {
  Dim elements = 0;
  for (const auto& [name, type] : witness.inputs) elements += count(*type.shape);
  if (elements > most_elements) return nullptr;
  Json out = Json::object();
  for (const auto& [name, type] : witness.inputs) {
    Json values = Json::array();
    for (const float x : witness_input(name, type, witness.seed)) values.push_back(number(x));
    Json& input = out[printable_whole(name)];
    input = {{"shape", *type.shape}, {"values", std::move(values)}};
    if (type.dtype != DType::Float) input["type"] = to_string(type.dtype);
  }
  return out;
}

const OutputVerdict* with_witness(const FileVerdict& verdict) {
  const auto it = std::find_if(verdict.outputs.begin(), verdict.outputs.end(),
                               [](const OutputVerdict& o) { return o.witness.has_value(); });
  return it == verdict.outputs.end() ? nullptr : &*it;
}

Json json_of_witness(const FileVerdict& verdict, Dim most_elements) {
  const OutputVerdict* output = with_witness(verdict);
  if (output == nullptr) return nullptr;
  const Witness& witness = *output->witness;
  return {{"output", printable_whole(output->name)},
          {"position", witness.position},
          {"inputs", inputs_of(witness, most_elements)},
          {"rounding", finite(witness.rounding)},
          {"seed", witness.seed},
          {"weights", "stored"},
          {"value_a", finite(witness.original)},
          {"value_b", finite(witness.mutant)}};
}

// Without a probability by the engine that would have drawn numbers: nothing was left to compare.
// (Others have none in what they prove.)
bool is_identical(const FileVerdict& verdict) {
  const auto found_it = [](const EngineAnswer& engine) {
    return engine.engine == BitmapEngine::kName && engine.outcome == Outcome::Equivalent &&
           std::isinf(engine.log2_error);
  };
  const bool is_shared =
      verdict.places && verdict.places->places.empty() && verdict.places->whole.empty();
  return verdict.outcome == Outcome::Equivalent &&
         (is_shared || std::ranges::any_of(verdict.engines, found_it));
}

// How sure what is called equal is; nothing where nothing is.
std::string proof_line(const FileVerdict& verdict, const Answer& answer, const Options& options) {
  std::string out = "  ";
  if (claims_equality(verdict.outcome)) {
    const std::string error = is_identical(verdict) ? "none, identical"
                              : std::isinf(verdict.log2_error)
                                  ? "none"
                                  : fmt::format("2^{:.1f}", verdict.log2_error);
    out += fmt::format("error {}, ", error);
  }
  if (verdict.primes > 0)
    out += fmt::format("{} primes, growth {:.3g}, ", verdict.primes, verdict.growth);
  return out + fmt::format("{:.2f} s, proof_seed {}{}\n", answer.seconds,
                           answer.remembered_seed.value_or(options.seed),
                           options.seed_given ? " (given)" : "");
}

Json json_of(const PlaceReport& place) {
  const auto names = [](const std::vector<std::string>& from) {
    Json out = Json::array();
    for (const std::string& name : from) out.push_back(printable_whole(name));
    return out;
  };
  Json out{{"original", printable_whole(place.original)},
           {"mutant", printable_whole(place.mutant)},
           {"between", names(place.between)},
           {"operators", place.operators},
           {"replaced_by", place.replaced_by},
           {"shown_by", place.shown_by.empty() ? Json() : Json(place.shown_by)}};
  if (!place.shown_by.empty()) return out;
  out["verdict"] = to_string(place.outcome);
  out["witness"] = Json();
  if (const auto& witness = place.witness) {
    out["witness"] = {{"position", witness->position},
                      {"seed", witness->seed},
                      {"value_a", finite(witness->original)},
                      {"value_b", finite(witness->mutant)}};
  }
  return out;
}

Json json_of(const PlacesReport& report) {
  Json places = Json::array();
  for (const PlaceReport& place : report.places) places.push_back(json_of(place));
  return {{"shared_operators", report.shared},
          {"places", std::move(places)},
          {"whole", report.whole.empty() ? Json() : Json(printable_whole(report.whole))}};
}

void put_verdict(Json& json, const FileVerdict& verdict, bool bitmap) {
  Json outputs = Json::array();
  for (const OutputVerdict& output : verdict.outputs) outputs.push_back(json_of(output, bitmap));
  json["outputs"] = std::move(outputs);
  json["witness"] = json_of_witness(verdict, kMostInText);
  Json engines = Json::array();
  for (const EngineAnswer& engine : verdict.engines) {
    engines.push_back({{"name", engine.engine},
                       {"verdict", to_string(engine.outcome)},
                       {"log2_error", log2_error(engine.outcome, engine.log2_error)},
                       {"reason", engine.reason}});
  }
  json["engines"] = std::move(engines);
  if (verdict.places) json["by_places"] = json_of(*verdict.places);
  json["identical"] = is_identical(verdict);
  json["log2_error"] = log2_error(verdict.outcome, verdict.log2_error);
  json["primes"] = verdict.primes;
  json["growth"] = finite(verdict.growth);
  json["proved_at"] = Json::object();
  for (const auto& [name, size] : verdict.proved_at)
    json["proved_at"][printable_whole(name)] = size;
  json["all_sizes"] = verdict.all_sizes;
  json["for_every"] = Json::array();
  for (const std::string& name : verdict.for_every)
    json["for_every"].push_back(printable_whole(name));
  json["folded"] = {{"constants", verdict.weight_programs},
                    {"inexact", verdict.inexact_constants},
                    {"max_ulp", verdict.max_ulp}};
  json["formulas"] = {{"spelled_out", verdict.spelled_out}, {"constants", verdict.known_reals}};
}

}  // namespace

std::string text_report(const Answer& answer, const Options& options) {
  if (!answer.verdict) return answer.error->message + "\n";
  const FileVerdict& verdict = *answer.verdict;
  std::string out = text_of(verdict, options.proof.proof.bind_weights,
                            options.verbose ? PlacesInText::All : PlacesInText::Some);
  out += proof_line(verdict, answer, options);
  if (!answer.is_evidence)
    out +=
        "NO EVIDENCE: PET's test as published, whose hypotheses nobody looked at; --engine theorem "
        "without --as-published does\n";
  if (!answer.deviation.empty()) out += "NOT AS EXPECTED: " + answer.deviation + "\n";
  if (answer.has_expectation && answer.deviation.empty()) out += "as expected\n";
  return out;
}

std::string json_report(const Question& question, const Answer& answer, const Options& options,
                        Layout layout) {
  Json files = Json::array();
  for (const auto& file : question.files) files.push_back(printable_whole(file.string()));
  const FileVerdict* verdict = answer.verdict ? &*answer.verdict : nullptr;
  Json json{
      {"name", printable_whole(question.name)},
      {"tool", "pet-verify " PET_VERSION},
      {"files", std::move(files)},
      {"verdict", verdict != nullptr ? to_string(verdict->outcome) : to_string(answer.error->kind)},
      {"reason", verdict != nullptr ? reason_of(*verdict) : answer.error->message}};
  if (verdict != nullptr) {
    json["weights"] = options.proof.proof.bind_weights ? "bound" : "symbols";
    put_verdict(json, *verdict, options.bitmap);
  }
  if (!answer.is_evidence) json["evidence"] = false;
  if (answer.question) json["question"] = answer.question->hex();
  json["exit_code"] = answer.exit_code();
  json["proof_seed"] = answer.remembered_seed.value_or(options.seed);
  json["reproduced"] = options.seed_given;
  if (answer.has_expectation) json["as_expected"] = answer.deviation.empty();
  if (!answer.deviation.empty()) json["deviation"] = answer.deviation;
  json["timing"] = {{"seconds", answer.seconds}, {"peak_rss_mib", peak_rss_mib()}};
  if (verdict != nullptr) {
    json["timing"]["asked"] = Json::array();
    for (const AskedQuestion& one : verdict->asked)
      json["timing"]["asked"].push_back(Json::array({one.what, one.seconds}));
  }
  if (answer.remembered_seed) json["timing"]["cached"] = true;
  return layout == Layout::Pretty ? readable(json) : one_line(json);
}

std::string regions_report(const FileVerdict& verdict) {
  Json json = Json::array();
  for (const OutputVerdict& output : verdict.outputs) {
    json.push_back({{"name", printable_whole(output.name)},
                    {"verdict", to_string(output.outcome)},
                    {"shape", shape_of(output)},
                    {"digit_basis", output.wrong.basis.digits},
                    {"wrong_boxes", wrong_boxes(output)}});
  }
  return readable(json);
}

std::string witness_report(const FileVerdict& verdict) {
  return readable(json_of_witness(verdict, std::numeric_limits<Dim>::max()));
}

}  // namespace pet::app
