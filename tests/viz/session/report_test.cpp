#include "viz/session/report.h"

#include <catch2/catch.hpp>

namespace pet::viz {
namespace {

const std::string kEqual =
    R"({"name": "a", "files": ["a.txt"], "verdict": "equivalent", "outputs": [], "engines": [{"name": "bitmap", "verdict": "equivalent"}], "log2_error": -84.5, "timing": {"seconds": 0.5}})"
    "\n";
const std::string kPartial =
    R"({"name": "b", "files": ["x.onnx", "y.onnx"], "verdict": "partial", "outputs": [{"name": "Y", "where": "row 3"}], "as_expected": false, "deviation": "expected equivalent"})"
    "\n";

TEST_CASE("A batch of pet-verify is a list of pairs, what is not as expected first") {
  const auto report = parse_report(kEqual + kPartial + "{\"half\": \n", "r.jsonl");
  REQUIRE(report.ok());
  const auto& batch = std::get<VerifyReport>(report->what);
  REQUIRE(batch.pairs.size() == 2);
  CHECK(batch.broken == 1);
  CHECK(batch.pairs[0].name == "b");
  CHECK(batch.pairs[0].where == "Y: row 3");
  CHECK_FALSE(batch.pairs[0].is_as_expected);
  CHECK(batch.pairs[0].files == std::vector<std::string>{"x.onnx", "y.onnx"});
  CHECK(batch.pairs[1].engines == std::vector<std::string>{"bitmap: equivalent"});
  CHECK(batch.pairs[1].log2_error == -84.5);
  CHECK(batch.pairs[1].seconds == 0.5);
  CHECK(batch.counts() == std::map<std::string, std::size_t>{{"equivalent", 1}, {"partial", 1}});
}

TEST_CASE("A report is told from a journal by how it begins") {
  CHECK(begins_like_a_report(kEqual));
  CHECK(begins_like_a_report("{\n  \"name\": \"a\","));
  CHECK_FALSE(begins_like_a_report("{\"format\": 4, \"seed\": 1}\n{}\n"));
  CHECK_FALSE(begins_like_a_report(""));
}

TEST_CASE("What is no report says so, and what has fields of other kinds loses only these") {
  for (const char* text : {"", "[]", "{}", "null", "\xff\xfe", "{\"verdict\": 1}", "{{{{"}) {
    const auto report = parse_report(text, "bad.json");
    REQUIRE_FALSE(report.ok());
    CHECK(report.error().message.find("bad.json: neither a report of pet optimize") == 0);
  }
  const auto odd = parse_report(
      R"({"files": 3, "verdict": ["x"], "outputs": {"a": 1}, "engines": [7, {}], "timing": []})",
      "odd.json");
  REQUIRE(odd.ok());
  const auto& pair = std::get<VerifyReport>(odd->what).pairs.at(0);
  CHECK(pair.verdict.empty());
  CHECK(pair.files.empty());
}

TEST_CASE("The report of a run is its record") {
  const auto report = parse_report(
      R"({"model": "m.onnx", "changed": true, "speedup": {"median": 1.5}, "chosen": []})",
      "r.json");
  REQUIRE(report.ok());
  const auto& run = std::get<RunRecord>(report->what);
  CHECK(run.model == "m.onnx");
  CHECK(run.speedup.median == 1.5);
}

}  // namespace
}  // namespace pet::viz
