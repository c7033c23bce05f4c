#include <catch2/catch.hpp>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/explain/compose.h"
#include "app/explain/drawing.h"
#include "app/explain/explanation.h"
#include "app/explain/html.h"
#include "app/explain/text.h"
#include "app/explain/words.h"
#include "core/backend/scratch_folder.h"
#include "core/run/record_json.h"

using namespace pet;
using namespace pet::explain;

namespace {

nlohmann::json stored_report() {
  std::ifstream file(PET_TEST_DATA "/explain_report.json");
  return nlohmann::json::parse(file);
}

bool says(const std::string& text, const std::string& wanted) {
  return text.find(wanted) != std::string::npos;
}

// As one line: where lines are broken does not matter.
std::string joined(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool is_space = c == ' ' || c == '\n';
    if (!is_space || !out.ends_with(' ')) out += is_space ? ' ' : c;
  }
  return out;
}

std::string text_of(const nlohmann::json& report) { return as_text(compose(record_of(report))); }

// The same report with every text replaced.
nlohmann::json poisoned(const nlohmann::json& json, const std::string& text) {
  if (json.is_string()) return text;
  if (!json.is_structured()) return json;
  nlohmann::json out = json;
  for (auto& value : out) value = poisoned(value, text);
  return out;
}

ProgramRecord one_step(const std::string& name) {
  ProgramRecord out;
  out.inputs.push_back({name, name, {}, {}, 0});
  out.constants.push_back({"c", name, {}, {name}, 3});
  out.steps.push_back({"s", name, {{"mode", name}}, {}, {name, "c"}, false});
  out.outputs.push_back("s");
  return out;
}

Result<std::vector<PlaceRecord>> no_programs(const JournalContent&, const PlanTried&,
                                             const Recorder&) {
  return Error{"the model m.onnx is no longer there"};
}

}  // namespace

TEST_CASE("a fast convolution is told with its tile, its products and its points") {
  const std::string text = joined(text_of(stored_report()));
  CHECK(says(text, "1. Conv, at 2 places"));
  CHECK(says(text, "F(4, 3): 6 products instead of 12 give 4 results"));
  CHECK(says(text, "at the points 0, 1, infinity, -1, 1/2, -2"));
  CHECK(says(text, "saves 4.200 ms each, 2.100x (at least 1.950x)"));
  CHECK(says(text, "8.400 ms at all places"));
  CHECK(says(text, "1 constant follows from layer1.conv.weight by weight programs of 5 operators"));
  CHECK(says(text, "relu_1 with its axes in the order 2, 0, 1, 3, 4"));
}

TEST_CASE("the products of a tile are told where the steps are of one only") {
  move::FastConvolution fast{2, move::AxisPlace::Unmoved, 2, 3};
  CHECK(says(meaning_of_move(fast), "F(2, 3): 4 products instead of 6"));
  fast.stride = 2;
  CHECK_FALSE(says(meaning_of_move(fast), "F(2, 3)"));
}

TEST_CASE("taps that become channels are told from taps that become products") {
  CHECK(says(meaning_of_move(move::TapsToChannels{2}), "become channels"));
  CHECK(says(meaning_of_move(move::TapsApart{2}), "one product for each tap"));
}

TEST_CASE("a corrected place says where the mutant was wrong and what repairs it") {
  const std::string text = joined(text_of(stored_report()));
  CHECK(says(text, "join 2 of axis 0 along axis 3. Reshape & transpose: images"));
  CHECK(says(text,
             "wrong at 1.79 % of the positions (axis 0 at 0 and axis 3 at 55; axis 0 at 1 and "
             "axis 3 at 0)"));
  CHECK(says(text, "Correction kernel (PET, section 5.2)"));
}

TEST_CASE("what was tried and lost is there with its ratio or its reason") {
  const std::string text = joined(text_of(stored_report()));
  CHECK(says(text, "cut axis 3 in 2 with a halo 0.800 0.700 -2.000 slower"));
  CHECK(says(text, "taps of axis 2 to channels 1.300 1.200 1.850 others fit better"));
  CHECK(says(text, "dropped 30 estimated to cost more; 1 different everywhere."));
  CHECK(says(text, "failed cut axis 4 in 2: the worker died"));
  CHECK(says(text, "exchange MatMul and Add 1.000 0.970 0.000 tie"));
  CHECK(says(text, "4 mutants together: not faster as a whole"));
}

TEST_CASE("the whole is there: time, proof, numbers, transposes, budgets") {
  const std::string text = joined(text_of(stored_report()));
  CHECK(says(text, "20.00 ms -> 11.50 ms, 1.740x (at least 1.690x)"));
  CHECK(says(text, "equivalent, wrong with probability 2^-68.9 at most"));
  CHECK(says(text, "2.1e-06 of the largest output value, on random inputs (allowed 0.0001)"));
  CHECK(says(text, "2 Transposes of activations (the original has 0)"));
  CHECK(says(text, "search 60.1 s (31.5 s of it measuring; budget 60 s)"));
}

TEST_CASE("the bars of the waterfall lead from the original to the optimized time") {
  const Document document = compose(record_of(stored_report()));
  const BarChart* fall = nullptr;
  for (const Block& block : document.blocks) {
    if (const auto* found = std::get_if<BarChart>(&block)) fall = found;
  }
  REQUIRE(fall != nullptr);
  REQUIRE(fall->bars.size() == 5);
  CHECK(fall->bars[0].to_ms == Approx(20));
  CHECK(fall->bars[1].to_ms == Approx(11.6));
  CHECK(fall->bars[2].to_ms == Approx(11.4));
  // The places save more than the whole does: the rest is shown, as a loss.
  CHECK(fall->bars[3].from_ms == Approx(11.4));
  CHECK(fall->bars[3].to_ms == Approx(11.5));
  CHECK(fall->bars[3].kind == BarChart::Kind::Loss);
  CHECK(fall->bars[4].to_ms == Approx(11.5));
}

TEST_CASE("no line of the text is longer than 100 columns") {
  for (const auto& report : {stored_report(), poisoned(stored_report(), std::string(500, 'x')),
                             poisoned(stored_report(), "\xC3\xA9t\xC3\xA9 \xE2\x82\xAC")}) {
    std::istringstream lines(text_of(report));
    for (std::string line; std::getline(lines, line);) {
      std::size_t columns = 0;
      for (const char c : line) {
        if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) ++columns;
      }
      INFO(line);
      CHECK(columns <= 100);
    }
  }
}

TEST_CASE("of an unchanged file it is said that it is, and why") {
  auto report = stored_report();
  report["changed"] = false;
  report["reason"] = "nothing faster was found";
  report["chosen"] = report["places"] = nlohmann::json::array();
  const std::string text = joined(text_of(report));
  CHECK(says(text, "The file is unchanged"));
  CHECK(says(text, "Reason: nothing faster was found."));
  CHECK(says(text, "cut axis 3 in 2 with a halo 0.800"));
  CHECK_FALSE(says(text, "Changed places"));
}

TEST_CASE("reports of older versions and ones without most of their members are explained") {
  auto report = stored_report();
  report.erase("places");
  CHECK(says(joined(text_of(report)), "fast convolution, axis 2 before the channels"));
  CHECK_FALSE(text_of({{"chosen", nlohmann::json::array()}, {"changed", true}}).empty());
  const auto whole = stored_report();
  for (const auto& [key, value] : whole.items()) {
    auto odd = stored_report();
    odd[key] = "something else";
    CHECK_FALSE(text_of(odd).empty());
  }
}

TEST_CASE("no text of a report becomes markup") {
  const std::string evil =
      "</title><script>alert(1)</script>\"'><img src=x onerror=alert(2)>&lt;i&gt;\\\" "
      "URL=\"javascript:x";
  const std::string page = as_html(compose(record_of(poisoned(stored_report(), evil))));
  CHECK_FALSE(says(page, "<script"));
  CHECK_FALSE(says(page, "<img"));
  CHECK_FALSE(says(page, "<a "));
  CHECK(says(page, "&lt;script&gt;"));
  // What was an entity in the name is shown as it was written.
  CHECK(says(page, "&amp;lt;i&amp;gt;"));
  const std::string dot = dot_of(one_step(evil), {true}, "g1");
  CHECK(says(dot, "\\\" URL=\\\"javascript:x"));
}

TEST_CASE("a page needs nothing but itself") {
  const std::string page = as_html(compose(record_of(stored_report())));
  for (const char* outside : {"src=", "<link", "@import", "url(", "<a ", "<script"})
    CHECK_FALSE(says(page, outside));
  CHECK(says(page, "class=\"saving\""));
}

TEST_CASE("new steps are marked, what stands as it was is not") {
  const auto report = record_of(stored_report());
  const auto marks = new_steps(report.places[0].before, report.places[0].after);
  CHECK(marks == std::vector<bool>(6, true));
  CHECK(new_steps(report.places[0].before, report.places[0].before) == std::vector{false});
}

TEST_CASE("a journal is explained as far as it goes") {
  const auto folder = ScratchFolder::make("pet-test");
  REQUIRE(folder.ok());
  const auto path = folder->path() / "journal.jsonl";
  {
    JournalHeader header;
    header.model = "nets/m.onnx";
    header.runtime = "ort";
    auto journal = Journal::create(path, header);
    REQUIRE(journal.ok());
    journal->write(SubprogramFound{2, {"Conv"}, "/conv", 3, ""});
    MutantsCounted counted;
    counted.subprogram = 2;
    counted.proposed = 9;
    counted.generator.nodes = 20;
    counted.generator.programs = 10;
    counted.generator.pruned[static_cast<std::size_t>(Pruned::SeenProgram)] = 2;
    counted.discarded[static_cast<std::size_t>(Discarded::CostsMore)] = 7;
    journal->write(counted);
    const Comparison slower{{{1, 1}, {2, 2}}, {0.5, 0.4, 0.6}, Decision::Slower, 1.5};
    journal->write(MutantShown{2, {MutantId(0), {}, 0, {move::Cut{3, 2, false}}}});
    journal->write(CandidateMeasured{2, MutantId(0), "", {}, slower});
    journal->write(PlanTried{{{2, "/conv", MutantId(0)}}, 1, false, "a tie", std::nullopt});
  }
  const auto read = read_run(path, no_programs);
  REQUIRE(read.ok());
  const std::string text = joined(as_text(compose(*read)));
  CHECK(says(text, "m.onnx"));
  CHECK(says(text, "Conv at /conv and 2 more"));
  CHECK(says(text, "Conv, at 3 places 12 10 ? ? ? 9 1 0.500"));
  CHECK(says(text, "/conv. Dropped: 7 estimated to cost more; 1 kept until cheaper ones came"));
  CHECK(says(text, "cut axis 3 in 2 0.500 0.400 -1.000 slower"));
  CHECK(says(text, "1 mutant together: a tie"));
  CHECK(says(text, "not finished"));
}

TEST_CASE(
    "the places of an accepted plan are told without their programs where the model is gone") {
  const auto folder = ScratchFolder::make("pet-test");
  REQUIRE(folder.ok());
  const auto path = folder->path() / "journal.jsonl";
  {
    auto journal = Journal::create(path, JournalHeader{});
    REQUIRE(journal.ok());
    journal->write(SubprogramFound{0, {"Conv"}, "/conv", 1, ""});
    const Comparison faster{{{4, 4}, {2, 2}}, {2, 1.9, 2.1}, Decision::Faster, 1.5};
    journal->write(MutantShown{0, {MutantId(0), {}, 0, {move::Cut{3, 2, false}}}});
    journal->write(CandidateMeasured{0, MutantId(0), "", {}, faster});
    journal->write(
        PlanTried{{{0, "/conv", MutantId(0)}}, 2, true, "", Ratio{1.5, 1.4, 1.6}, 12, 8});
  }
  const auto read = read_run(path, no_programs);
  REQUIRE(read.ok());
  const std::string text = joined(as_text(compose(*read)));
  CHECK(says(text, "There are no graphs: the model m.onnx is no longer there."));
  CHECK(says(text, "12.00 ms -> 8.000 ms, 1.500x (at least 1.400x)"));
  CHECK(says(text, "places together, against their sum"));
  CHECK(says(text, "saves 2.000 ms, 2.000x (at least 1.900x)"));
  CHECK(says(text, "taken"));
}

TEST_CASE("operators are told without what goes without saying") {
  const auto told = [](const char* op, Attrs attributes) {
    return operator_in_words({"s", op, std::move(attributes), {}, {}, false});
  };
  CHECK(told("Conv", {{"kernel_shape", Ints{3, 3}},
                      {"strides", Ints{1, 1}},
                      {"dilations", Ints{1, 2}},
                      {"pads", Ints{0, 0, 0, 0}}}) == "Conv<dilations=[1,2]>");
  CHECK(told("Conv", {{"group", std::int64_t{1}}, {"strides", Ints{11, 1}}}) ==
        "Conv<strides=[11,1]>");
  CHECK(told("AveragePool", {{"kernel_shape", Ints{2, 2}}, {"strides", Ints{1, 1}}}) ==
        "AveragePool<kernel_shape=[2,2]>");
  CHECK(told("Pad", {{"pads", Ints{0, 0}}}) == "Pad<pads=[0,0]>");
  CHECK(told("Relu", {}) == "Relu");
}

TEST_CASE("powers and arrows are set in pages, and nothing else is") {
  CHECK(typeset("2^-68.9 at most, 2^-3.") ==
        "2<sup>\xE2\x88\x92"
        "68.9</sup> at most, 2<sup>\xE2\x88\x92"
        "3</sup>.");
  CHECK(typeset("1 -> 2, >=3 <b>") ==
        "1 \xE2\x86\x92 2, \xE2\x89\xA5"
        "3 &lt;b&gt;");
}

TEST_CASE("what is no report is refused with the reason") {
  const auto folder = ScratchFolder::make("pet-test");
  REQUIRE(folder.ok());
  const auto path = folder->path() / "file";
  const auto refused = [&](const std::string& content) {
    std::ofstream(path) << content;
    const auto read = read_run(path, no_programs);
    REQUIRE_FALSE(read.ok());
    return read.error().message;
  };
  CHECK(says(refused(""), "empty"));
  CHECK(says(refused("ONNX"), "neither a report nor a journal"));
  CHECK(says(refused("[1,2]"), "neither a report nor a journal"));
  CHECK(says(refused("{\"a\":1}"), "neither a report nor a journal"));
  CHECK(says(read_run(folder->path(), no_programs).error().message, "a folder"));
  CHECK(says(read_run(folder->path() / "nosuch", no_programs).error().message, "No such file"));
}

TEST_CASE("regions are told axis by axis, of factored axes the digits") {
  const auto plain = [](Shape shape, Box box) {
    return region_in_words({DigitBasis::plain(shape), {std::move(box)}});
  };
  CHECK(plain({2, 3}, {{0, 0}, {2, 3}}) == "everywhere");
  CHECK(plain({2, 4}, {{0, 1}, {2, 3}}) == "axis 1 from 1 to 2");
  const auto in_digits = [](Box box) {
    return region_in_words({{{{1}, {7, 2}, {14}}}, {std::move(box)}});
  };
  CHECK(in_digits({{0, 0, 0, 12}, {1, 7, 1, 14}}) ==
        "axis 1 at 0 modulo 2 and axis 2 from 12 to 13");
  CHECK(in_digits({{0, 6, 0, 0}, {1, 7, 2, 14}}) == "axis 1 from 12 to 13");
}
