// Verdicts as JSON, and read back from it.
#include "core/program/verdict_json.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>

#include "verify/bitmap/bitmap_engine.h"
#include "verify/files/case_check.h"

namespace pet {
namespace {

using Json = nlohmann::ordered_json;

void check_same(const OutputVerdict& a, const OutputVerdict& b) {
  CHECK(a.name == b.name);
  CHECK(a.outcome == b.outcome);
  CHECK(std::tie(a.elements, a.equal, a.different, a.undecided) ==
        std::tie(b.elements, b.equal, b.different, b.undecided));
  CHECK(a.wrong.basis == b.wrong.basis);
  CHECK(a.wrong.boxes == b.wrong.boxes);
  CHECK(a.shapes == b.shapes);
  CHECK(a.equal_at == b.equal_at);
  CHECK(a.reason == b.reason);
  REQUIRE(a.witness.has_value() == b.witness.has_value());
  if (!a.witness) return;
  CHECK(a.witness->seed == b.witness->seed);
  CHECK(a.witness->inputs == b.witness->inputs);
  CHECK(a.witness->position == b.witness->position);
  CHECK(a.witness->original == b.witness->original);
  CHECK(a.witness->mutant == b.witness->mutant);
}

void check_same(const EngineAnswer& a, const EngineAnswer& b) {
  CHECK(std::tie(a.engine, a.outcome, a.reason, a.log2_error) ==
        std::tie(b.engine, b.outcome, b.reason, b.log2_error));
}

void check_same(const FileVerdict& a, const FileVerdict& b) {
  CHECK(a.outcome == b.outcome);
  CHECK(a.reason == b.reason);
  CHECK(a.log2_error == b.log2_error);
  CHECK(std::tie(a.primes, a.growth, a.proof_seed) == std::tie(b.primes, b.growth, b.proof_seed));
  CHECK(a.proved_at == b.proved_at);
  CHECK(a.all_sizes == b.all_sizes);
  CHECK(a.for_every == b.for_every);
  CHECK(std::tie(a.weight_programs, a.inexact_constants, a.max_ulp) ==
        std::tie(b.weight_programs, b.inexact_constants, b.max_ulp));
  REQUIRE(a.engines.size() == b.engines.size());
  for (std::size_t i = 0; i < a.engines.size(); ++i) check_same(a.engines[i], b.engines[i]);
  REQUIRE(a.outputs.size() == b.outputs.size());
  for (std::size_t i = 0; i < a.outputs.size(); ++i) check_same(a.outputs[i], b.outputs[i]);
}

// Something in every field that is written.
FileVerdict partial_verdict() {
  FileVerdict out;
  out.outcome = Outcome::Partial;
  out.reason = "three of four are";
  out.log2_error = -65.5;
  out.primes = 3;
  out.growth = std::numeric_limits<double>::infinity();
  out.proof_seed = "18446744073709551615";
  out.engines = {{"bitmap", Outcome::Partial, "", -65.5},
                 {"exact", Outcome::Unknown, "too large", 0}};
  out.proved_at = {{"n", 4}, {"~/m", 2}};
  out.all_sizes = false;
  out.for_every = {"n"};
  out.weight_programs = 5;
  out.inexact_constants = 1;
  out.max_ulp = 7;
  OutputVerdict& output = out.outputs.emplace_back();
  output.name = "y";
  output.outcome = Outcome::Partial;
  output.elements = 4;
  output.equal = 3;
  output.different = 1;
  output.wrong = {{{{2, 2}}}, {Box{{0, 1}, {1, 2}}}};
  output.equal_at = {1, 0, 1, 1};
  output.witness = Witness{9, {{"x", float_tensor({4})}}, {1}, 0.5, -0.25, 0};
  OutputVerdict& other = out.outputs.emplace_back();
  other.name = "z";
  other.outcome = Outcome::ShapeMismatch;
  other.shapes = {{2, 3}, {3, 2}};
  other.reason = "they have not the same shape";
  return out;
}

Json written(const FileVerdict& verdict) {
  const auto text = verdict_json(verdict);
  REQUIRE(text);
  return Json::parse(*text);
}

std::string why_not(const Json& json) {
  const auto verdict = read_verdict(json.dump());
  REQUIRE(!verdict);
  return verdict.error().message;
}

TEST_CASE("A verdict that an engine gave is read back as it was written") {
  const auto programs = parse_case(R"(
original (float[2, 3] X) => (float[2, 3] Y, float[2, 3] Z) { Y = Relu (X)  Z = Add (X, X) }
mutant (float[2, 3] X) => (float[2, 3] Y, float[2, 3] Z) <int64[1] s = {0}, int64[1] e = {1}, int64[1] l = {2}> {
  a = Slice (X, s, e, s)  b = Slice (X, e, l, s)  n = Tanh (b)
  r = Relu (a)  Y = Concat <axis = 0> (r, n)  Z = Add (X, X)
}
)",
                                   "the test");
  REQUIRE(programs);
  BitmapEngine bitmap;
  const std::vector<Engine*> engines = {&bitmap};
  FileProofOptions options;
  options.proof.in_detail = true;
  const FileVerdict verdict = prove_files(programs->original, programs->mutant, engines, options);
  REQUIRE(verdict.outcome == Outcome::Partial);
  const auto again = read_verdict(written(verdict).dump());
  REQUIRE(again);
  check_same(*again, verdict);
}

TEST_CASE("A verdict with something in every field is read back as it was written") {
  const FileVerdict verdict = partial_verdict();
  const auto again = read_verdict(written(verdict).dump());
  REQUIRE(again);
  check_same(*again, verdict);
}

TEST_CASE("What cannot be written whole is not written") {
  FileVerdict verdict = partial_verdict();
  verdict.outputs[0].wrong.boxes.clear();
  CHECK(!verdict_json(verdict));  // more boxes than are listed
  verdict = partial_verdict();
  verdict.outputs[0].name = "\xff";
  CHECK(!verdict_json(verdict));
}

TEST_CASE("An altered field is named by the error") {
  const auto [where, value] = GENERATE(table<std::string, Json>({
      {"outcome", 77},
      {"outcome", "perhaps"},
      {"growth", "much"},
      {"primes", -1},
      {"primes", 2.5},
      {"all_sizes", 1},
      {"engines", 77},
      {"engines/1/outcome", "none"},
      {"proved_at", Json::array()},
      {"proved_at/n", "four"},
      {"outputs/0/elements", 5},
      {"outputs/0/equal", 77},
      {"outputs/0/equal", -1},
      {"outputs/0/wrong/basis/0", 4},
      {"outputs/0/wrong/boxes", Json::array()},
      {"outputs/0/wrong/boxes/0/0/1", 77},
      {"outputs/0/wrong/boxes/0/1/1", 18446744073709551615U},
      {"outputs/0/witness/inputs/0/1/0", nullptr},
      {"outputs/1/shapes", Json::array({Json::array()})},
  }));
  INFO(where);
  Json broken = written(partial_verdict());
  broken[Json::json_pointer("/" + where)] = value;
  const std::string why = why_not(broken);
  INFO(why);
  CHECK(why.starts_with("outputs/0/") == where.starts_with("outputs/0/"));
  const std::string named = why.substr(0, why.find(':'));
  CHECK(where.starts_with(named));
}

TEST_CASE("A missing field is named by the error") {
  const Json whole = written(partial_verdict());
  for (const auto& [name, value] : whole.items()) {
    Json broken = whole;
    broken.erase(name);
    CHECK(why_not(broken) == name + ": is missing");
  }
  for (const auto& [name, value] : whole["outputs"][0].items()) {
    Json broken = whole;
    broken["outputs"][0].erase(name);
    CHECK(why_not(broken) == "outputs/0/" + name + ": is missing");
  }
}

TEST_CASE("Boxes that lie on each other are not what is wrong") {
  Json broken = written(partial_verdict());
  broken["outputs"][0]["equal"] = 2;
  broken["outputs"][0]["different"] = 2;
  Json& boxes = broken["outputs"][0]["wrong"]["boxes"];
  boxes.push_back(boxes[0]);
  CHECK(why_not(broken).starts_with("outputs/0/wrong: "));
}

TEST_CASE("What is no JSON, and no object, is no verdict") {
  CHECK(read_verdict("").error().message == "no JSON");
  CHECK(read_verdict(R"({"outcome": )").error().message == "no JSON");
  CHECK(read_verdict("[]").error().message == "is no object");
  CHECK(!read_verdict(std::string(100'000, '[')));
}

}  // namespace
}  // namespace pet
