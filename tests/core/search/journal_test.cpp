#include "core/search/journal.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <iterator>

#include "tests/support/onnx_builder.h"

namespace pet {
namespace {

using testing::ScratchFolder;

JournalHeader header() {
  JournalHeader out{.tool = "1.2", .model = "m.onnx", .digest = "abc"};
  out.dimensions = {{"batch", 2}};
  out.threads = 3;
  out.budget_s = 1.5;
  out.config.seed = ~std::uint64_t{0};
  out.config.only = Only::Partial;
  out.config.exclude = {"a*", "b?"};
  out.config.generator.depth = 7;
  out.max_growth = 0.1;
  return out;
}

Comparison comparison() {
  return {{{0.1, 0.2}, {0.3, 1e-9}}, {1.5, 0, HUGE_VAL}, Decision::Faster, 0.25};
}

std::vector<Event> one_of_each() {
  const ComparedFiles files{"f0", "f1"};
  MutantsCounted counted{5, false, 4, {1, 2, 3, {}}, {}};
  counted.generator.pruned[3] = 9;
  counted.discarded[2] = 8;
  return {SearchStarted{"m.onnx", "abc", "o \"t\"\n", 7, 3},
          SubprogramFound{1, "Conv, Add", "v", 4, "p"},
          ProgramShown{"p", "text"},
          MutantDiscarded{1, "join", Discarded::NotCorrectable, "why"},
          MutantVerified{1, "join", "p", Outcome::Partial, false, "[0,1)", 0.1, -HUGE_VAL},
          MutantCorrected{1, "join", "p", Outcome::Equivalent, false},
          CandidateMeasured{1, "join", "p", files, comparison()},
          BorderMeasured{"[2,3]", {1, 0}, 0.5, files, comparison()},
          BorderFailed{"[2,3]", {1, 0}, files, {"died", ErrorKind::Tool}},
          LayoutMeasured{3, 0.5, files, comparison()},
          LayoutFailed{3, files, {"died", ErrorKind::Tool}},
          CandidateFailed{1, "join", "died", ErrorKind::Stopped, "p", files},
          BestImproved{1, "join", 0.1},
          counted,
          SearchFinished{StopReason::StepLimit, 1, 2, 3, 4, 5},
          PlanTried{{{1, "v", "join"}}, 0.5, false, "slower", Ratio{1, 0.5, 2}}};
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void append(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::app) << text;
}

void write(const std::filesystem::path& path, const std::vector<Event>& events) {
  auto journal = Journal::create(path, header());
  REQUIRE(journal.ok());
  for (const Event& event : events) journal->write(event);
  REQUIRE(journal->is_whole());
}

std::vector<Event> read(const std::filesystem::path& path) {
  const auto content = read_journal(path);
  REQUIRE(content.ok());
  std::vector<Event> out;
  for (const auto& entry : content->entries) out.push_back(entry.event);
  return out;
}

std::vector<std::string> lines(const std::vector<Event>& events) {
  std::vector<std::string> out;
  for (const Event& event : events) out.push_back(line_of(event));
  return out;
}

TEST_CASE("Every kind of event is read back as it was written") {
  const ScratchFolder folder;
  const auto events = one_of_each();
  write(folder / "j", events);
  const auto back = read(folder / "j");
  CHECK(lines(back) == lines(events));
  CHECK(std::get<SearchStarted>(back[0]).model == "m.onnx");
  const auto& measured = std::get<CandidateMeasured>(back[6]);
  CHECK(measured.files.candidate == "f1");
  CHECK(measured.comparison.timing.b_ms == std::vector<double>{0.3, 1e-9});
  CHECK(measured.comparison.ratio.high == HUGE_VAL);
  CHECK(std::get<MutantVerified>(back[4]).log2_error == -HUGE_VAL);
  CHECK(std::get<MutantsCounted>(back[13]).generator.pruned[3] == 9);
  CHECK(std::get<MutantsCounted>(back[13]).discarded[2] == 8);
  CHECK(std::get<CandidateFailed>(back[11]).kind == ErrorKind::Stopped);
  CHECK(std::get<PlanTried>(back[15]).ratio->high == 2);
}

TEST_CASE("The first line holds what the search followed from") {
  const ScratchFolder folder;
  write(folder / "j", {});
  const auto content = read_journal(folder / "j");
  REQUIRE(content.ok());
  const JournalHeader& h = content->header;
  CHECK(h.dimensions.at("batch") == 2);
  CHECK(h.config.seed == ~std::uint64_t{0});
  CHECK(h.config.only == Only::Partial);
  CHECK(h.config.exclude == std::vector<std::string>{"a*", "b?"});
  CHECK(h.config.generator.depth == 7);
  CHECK(h.config.max_steps == SIZE_MAX);
  CHECK(h.max_growth == 0.1);
  CHECK(h.threads == 3);
}

TEST_CASE("Mutants that nobody looked at closely have no lines of their own") {
  const ScratchFolder folder;
  write(folder / "j", {MutantProposed{1, "join"}, MutantDiscarded{1, "a", Discarded::CostsMore, ""},
                       BestImproved{1, "join", 1}});
  CHECK(read(folder / "j").size() == 1);
}

TEST_CASE("A torn last line is left out") {
  const ScratchFolder folder;
  write(folder / "j", one_of_each());
  for (const char* torn : {R"({"event":"best_imp)", R"({"event":"best_improved"})", "\xff"}) {
    append(folder / "j", torn);
    CHECK(read(folder / "j").size() == one_of_each().size());
    write(folder / "j", one_of_each());
  }
}

TEST_CASE("A line that makes no sense is an error that names it") {
  const std::vector<std::string> bad = {
      "",
      "{}",
      "[]",
      "nonsense",
      R"({"event":"party","t":0})",
      R"({"event":"best_improved","t":0})",
      R"({"event":"best_improved","subprogram":-1,"how":"a","saved_ms":1,"t":0})",
      R"({"event":"best_improved","subprogram":1,"how":3,"saved_ms":1,"t":0})",
      R"({"event":"mutant_corrected","subprogram":1,"how":"a","program":"p","outcome":"odd","t":0})"};
  for (const std::string& line : bad) {
    CAPTURE(line);
    const ScratchFolder folder;
    write(folder / "j", {BestImproved{1, "join", 1}});
    append(folder / "j", line + "\n");
    const auto content = read_journal(folder / "j");
    REQUIRE_FALSE(content.ok());
    CHECK(content.error().message.find("j:3: ") != std::string::npos);
  }
}

TEST_CASE("What is no journal is refused") {
  const ScratchFolder folder;
  CHECK_FALSE(read_journal(folder / "nosuch").ok());
  append(folder / "empty", "");
  CHECK_FALSE(read_journal(folder / "empty").ok());
  append(folder / "old", R"({"format":"pet-journal/1"})"
                         "\n");
  const auto old = read_journal(folder / "old");
  REQUIRE_FALSE(old.ok());
  CHECK(old.error().message.find("pet-journal/1") != std::string::npos);
}

TEST_CASE("A resumed journal is the one that would have been written at once") {
  const ScratchFolder folder;
  const auto events = one_of_each();
  write(folder / "whole", events);
  for (const std::size_t killed_after : {0UL, 1UL, 5UL, 11UL, 12UL, 13UL, 14UL}) {
    const auto path = folder / ("j" + std::to_string(killed_after));
    write(path, {events.begin(), events.begin() + static_cast<std::ptrdiff_t>(killed_after)});
    append(path, R"({"event":"torn)");
    const auto content = read_journal(path);
    REQUIRE(content.ok());
    auto journal = Journal::resume(path, *content);
    REQUIRE(journal.ok());
    for (const Event& event : events) journal->write(event);
    CHECK_FALSE(journal->divergence());
    CHECK(lines(read(path)) == lines(events));
    CHECK(bytes_of(path).find("torn") == std::string::npos);
  }
}

TEST_CASE("A search that was stopped before it got as far as its journal leaves it as it is") {
  const ScratchFolder folder;
  const std::vector<Event> events = {SearchStarted{"m", "d", "t", 1, 1}, BestImproved{1, "a", 1}};
  write(folder / "j", events);
  auto journal = Journal::resume(folder / "j", *read_journal(folder / "j"));
  REQUIRE(journal.ok());
  journal->write(events[0]);
  journal->write(SearchFinished{StopReason::Stopped, 0, 0, 0, 0, 1});
  CHECK(lines(read(folder / "j")) == lines(events));
}

TEST_CASE("A resumed search that does something else is found out, and nothing is written") {
  const ScratchFolder folder;
  const std::vector<Event> events = {SearchStarted{"m", "d", "t", 1, 1}, BestImproved{1, "a", 1}};
  write(folder / "j", events);
  auto journal = Journal::resume(folder / "j", *read_journal(folder / "j"));
  REQUIRE(journal.ok());
  journal->write(events[0]);
  journal->write(BestImproved{1, "b", 1});
  journal->write(BestImproved{2, "c", 1});
  REQUIRE(journal->divergence());
  CHECK(*journal->divergence() == "line 3");
  CHECK(lines(read(folder / "j")) == lines(events));
}

}  // namespace
}  // namespace pet
