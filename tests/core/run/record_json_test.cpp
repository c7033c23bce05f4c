#include "core/run/record_json.h"

#include <catch2/catch.hpp>

namespace pet {
namespace {

// Every field has a value that is not its default.
RunRecord full() {
  const Lineage mutant{MutantId(4),
                       MutantId(2),
                       1,
                       {move::Join{2, 0, 3, false}, move::Correct{CorrectionWay::InBatch}}};
  PlaceRecord place;
  place.subprogram = 3;
  place.name = "/conv";
  place.outputs = {"/conv"};
  place.mutant = mutant;
  place.saved_ms = 1.5;
  place.ratio = {2, 1.5, 2.5};
  place.correction = {Region{{{{2}, {2, 3}}}, {{{0, 1, 0}, {1, 2, 3}}}}, 0.25};
  place.before.inputs = {{"%0", "x", {DType::Float, Shape{1, 2}}, {}, 0}};
  place.before.constants = {{"%1", "w", {DType::Float, Shape{}}, {"w", "v"}, 3, 0.5}};
  place.before.steps = {{"%2",
                         "Conv",
                         {{"pads", Ints{1, 1}},
                          {"group", std::int64_t{2}},
                          {"alpha", 1.0},
                          {"mode", std::string("linear")}},
                         {DType::Int64, std::nullopt},
                         {"%0", "%1"},
                         true}};
  place.before.outputs = {"%2"};
  place.after = place.before;
  place.inputs = {{"x", {1, 0}}};
  place.results = {{"y", {0, 2, 1}}};
  SubprogramRecord subprogram;
  subprogram.number = 3;
  subprogram.operators = {"Conv", "Add"};
  subprogram.place = "/conv";
  subprogram.places = 2;
  subprogram.nodes = 7;
  subprogram.generated = 9;
  subprogram.distinct = 8;
  subprogram.proposed = 6;
  subprogram.checked = 4;
  subprogram.not_checked = 2;
  subprogram.equal = 1;
  subprogram.discarded[static_cast<std::size_t>(Discarded::CostsMore)] = 2;
  subprogram.pruned[static_cast<std::size_t>(Pruned::Depth)] = 5;
  subprogram.left = 3;
  subprogram.best_ratio = 2.0;
  subprogram.measured = {{mutant, Decision::Faster, {2, 1.5, std::nullopt}, 3, 1.5}};
  subprogram.failed = {{mutant, "it died"}};
  RunRecord out;
  out.model = "m.onnx";
  out.original = "a/m.onnx";
  out.optimized = "b.onnx";
  out.changed = true;
  out.reason = "why";
  out.bytes_original = 100;
  out.bytes_optimized = 200;
  out.target = {"ort", "1", "cpu", 2};
  out.original_times = {3, 2, 12};
  out.optimized_times = {2, 1, 11};
  out.speedup = {1.5, 1.4, 1.6};
  out.rejected = {{2, "a tie", Speedup{1, 0.9, 1.1}, 2.5}, {1, "refused", std::nullopt}};
  out.promised_ms = 1.25;
  out.attempts = 2;
  out.trust = {Outcome::Equivalent,
               -68.5,
               1.25,
               5,
               3,
               {0.1, 0.2, 0.3},
               {{"x", "float[1,2]"}},
               {{"batch", 4}},
               "seed",
               "c.json",
               {{"what", "why"}}};
  out.operators_before = {{"Conv", 2}};
  out.operators_after = {{"Conv", 1}, {"Reshape", 2}};
  out.limits = {60, 1e-4, 4};
  out.subprograms = {subprogram};
  out.places = {place};
  out.effort = {StopReason::Finished, 6, 4, 1, 2.5, 1, 3};
  out.seconds = {{"search", 1.5}};
  out.peak_rss_mib = 42;
  out.seed = 7;
  return out;
}

nlohmann::json json_of(const RunRecord& record) {
  return nlohmann::json::parse(to_json(record).dump());
}

TEST_CASE("A report is read back as it was written, field by field") {
  const RunRecord record = full();
  const auto written = json_of(record);
  REQUIRE(is_report(written));
  const RunRecord back = record_of(written);
  CHECK(json_of(back) == written);
  REQUIRE(back.places.size() == 1);
  CHECK(back.places[0].mutant == record.places[0].mutant);
  REQUIRE(back.places[0].correction);
  REQUIRE(back.places[0].correction->wrong);
  CHECK(back.places[0].correction->wrong->boxes == record.places[0].correction->wrong->boxes);
  CHECK(back.places[0].before.steps[0].attributes == record.places[0].before.steps[0].attributes);
  CHECK(back.places[0].before.steps[0].type == record.places[0].before.steps[0].type);
  CHECK(back.subprograms[0].measured[0].mutant == record.places[0].mutant);
}

TEST_CASE("What is missing in a report, or of another kind, is empty in the record") {
  const auto whole = json_of(full());
  for (const auto& [key, value] : whole.items()) {
    CAPTURE(key);
    for (const nlohmann::json& odd : {nlohmann::json("text"), nlohmann::json(-1.5),
                                      nlohmann::json(nullptr), nlohmann::json::array({1, "a"})}) {
      auto report = whole;
      report[key] = odd;
      CHECK_FALSE(json_of(record_of(report)).empty());
    }
  }
}

TEST_CASE("A report that is nested as deep as a stack is read") {
  auto report = json_of(full());
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  std::string text = report.dump();
  for (const char* field : {"\"shape\":[1,2]", "\"id\":4", "\"pads\":[1,1]", "\"halo\":false"}) {
    std::string odd = text;
    const std::size_t at = odd.find(field);
    REQUIRE(at != std::string::npos);
    const std::size_t value = odd.find(':', at) + 1;
    odd.replace(value, std::string(field).size() - (value - at), deep);
    CHECK(record_of(nlohmann::json::parse(odd)).places.size() == 1);
  }
}

TEST_CASE("Moves in words are said as they stand, and boxes outside of their tensor are none") {
  auto report = json_of(full());
  report["places"][0]["moves"] = {"join 2 of axis 0 along axis 3", {{"move", "fly"}}};
  report["places"][0]["corrected"]["wrong"]["boxes"][0]["high"] = {9, 9, 9};
  const RunRecord back = record_of(report);
  const auto& moves = back.places[0].mutant.moves;
  REQUIRE(moves.size() == 2);
  CHECK(moves[0] == Move(move::Said{"join 2 of axis 0 along axis 3"}));
  CHECK(moves[1] == Move(move::Said{""}));
  REQUIRE(back.places[0].correction);
  CHECK_FALSE(back.places[0].correction->wrong);
}

}  // namespace
}  // namespace pet
