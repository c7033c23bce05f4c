// Journals, line by line. Over 400 lines: one of every event is made here, and all cases use them.
#include "core/search/journal.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>

#include "tests/support/onnx_builder.h"

namespace pet {
namespace {

using testing::ScratchFolder;

JournalHeader header() {
  JournalHeader out{.tool = "1.2", .model = "m.onnx", .digest = "abc"};
  out.dimensions = {{"batch", 2}};
  out.threads = 3;
  out.budget_s = 1.5;
  SearchConfig config;
  config.seed = ~std::uint64_t{0};
  config.only = Only::Partial;
  config.exclude = {"a*", "b?"};
  config.generator.depth = 7;
  out.config = config;
  out.max_growth = 0.1;
  return out;
}

Comparison comparison() {
  return {{{0.1, 0.2}, {0.3, 1e-9}}, {1.5, 0, HUGE_VAL}, Decision::Faster, 0.25};
}

// A mutant of a later round, of a corrected one.
Lineage mutant() {
  return {MutantId(7),
          MutantId(3),
          1,
          {move::FastConvolution{2, move::AxisPlace::Unmoved, 4, 3, 1, 2, false, true},
           move::Correct{CorrectionWay::InBatch}, move::StartAgain{}, move::Join{2, 0, 3, true}}};
}

std::vector<Event> one_of_each() {
  const ComparedFiles files{"f0", "f1"};
  const MutantId id(7);
  const Region wrong{{{{2}, {2, 3}}}, {{{0, 1, 0}, {1, 2, 3}}}};
  MutantsCounted counted{5, false, 4, {1, 2, 3, {}}, {}};
  counted.generator.pruned[3] = 9;
  counted.discarded[2] = 8;
  return {SearchStarted{"m.onnx", "abc", "o \"t\"\n", 7, 3},
          SubprogramFound{1, {"Conv", "Add"}, "v", 4, "p"},
          ProgramShown{"p", "text"},
          RoundStarted{1, 1, {MutantId(3)}},
          MutantShown{1, mutant()},
          MutantDiscarded{1, id, Discarded::NotCorrectable, CorrectionWay::InBatch, {}, "why"},
          MutantVerified{1, id, "p", Outcome::Partial, false, wrong, 0.1, -HUGE_VAL},
          MutantCorrected{1, id, MutantId(8), "p", Outcome::Equivalent, false},
          CandidateMeasured{1, id, "p", files, comparison()},
          BorderMeasured{{2, 3}, {1, 0}, 0.5, files, comparison()},
          BorderFailed{{2, 3}, {1, 0}, files, {"died", ErrorKind::Tool}},
          LayoutMeasured{3, 0.5, files, comparison()},
          LayoutFailed{3, files, {"died", ErrorKind::Tool}},
          CandidateFailed{1, id, "died", ErrorKind::Stopped, "p", files},
          BestImproved{1, id, 0.1},
          counted,
          SearchFinished{StopReason::StepLimit, 1, 2, 3, 4, 5},
          StageStarted{Stage::Proving, 1},
          FileMeasured{1, files, comparison()},
          FileProved{1, Outcome::Unknown, "too long", -64, 5, 1.5},
          NumbersCompared{1, 0.1, 0.2, 0.3},
          PlanTried{{{1, "v", id}}, 0.5, false, "slower", Ratio{1, 0.5, 2}},
          StateTaken{3, 0.5},
          StateReached{4, 3, "rule", "v", 0.25, "digest"},
          RuleRefused{"rule", "v", Outcome::Different, "why"},
          SaturationStarted{10, 20, 30},
          RuleApplied{1, "rule", 2, 3, 4},
          EGraphCounted{1, 10, 20, 3000, 4, 0.5},
          SaturationEnded{2, "saturated"},
          Extracted{"ilp", 0.5, std::nullopt, false, "out of time"},
          WayFound{0.5, {{"rule", "x[0] = 1", "v"}}},
          SolverAnswered{"digest", "", true, 9, {1, 7}, {1, 0.5}, 0.25, 1.5},
          TreeNodeReached{5, 4, "rule", 0.5, true},
          ActionChosen{5, "rule", 0.125},
          OperatorMeasured{"digest", "Relu(float[2])", 0.5},
          BlockTaken{1, 9, {"v", "w"}}};
}

// Of the kind that is looked for.
template <class E>
const E& the(const std::vector<Event>& events) {
  for (const Event& event : events)
    if (const auto* found = std::get_if<E>(&event)) return *found;
  FAIL("there is no such event");
  throw;
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

TEST_CASE("Journals from before whole files were told by their digests are read") {
  const ScratchFolder folder;
  FileMeasured measured = the<FileMeasured>(one_of_each());
  write(folder / "j", {measured});
  CHECK(the<FileMeasured>(read(folder / "j")).files == measured.files);
  std::string text = bytes_of(folder / "j");
  const auto begin = text.find("\"files\":");
  REQUIRE(begin != std::string::npos);
  text.erase(begin, text.find('}', begin) + 2 - begin);
  std::ofstream(folder / "old", std::ios::binary) << text;
  const auto back = the<FileMeasured>(read(folder / "old"));
  CHECK(back.files.original.empty());
  CHECK(back.comparison.timing.a_ms == measured.comparison.timing.a_ms);
}

TEST_CASE("Every kind of event is read back as it was written") {
  const ScratchFolder folder;
  const auto events = one_of_each();
  write(folder / "j", events);
  const auto back = read(folder / "j");
  CHECK(lines(back) == lines(events));
  CHECK(the<SearchStarted>(back).model == "m.onnx");
  CHECK(the<MutantShown>(back).mutant == mutant());
  CHECK(the<MutantDiscarded>(back).way == CorrectionWay::InBatch);
  const auto& measured = the<CandidateMeasured>(back);
  CHECK(measured.files.candidate == "f1");
  CHECK(measured.comparison.timing.b_ms == std::vector<double>{0.3, 1e-9});
  CHECK(measured.comparison.ratio.high == HUGE_VAL);
  const auto& verified = the<MutantVerified>(back);
  CHECK(verified.log2_error == -HUGE_VAL);
  REQUIRE(verified.wrong);
  CHECK(verified.wrong->basis.digits == std::vector<Shape>{{2}, {2, 3}});
  CHECK(verified.wrong->boxes == std::vector<Box>{{{0, 1, 0}, {1, 2, 3}}});
  CHECK(the<MutantsCounted>(back).generator.pruned[3] == 9);
  CHECK(the<MutantsCounted>(back).discarded[2] == 8);
  CHECK(the<CandidateFailed>(back).kind == ErrorKind::Stopped);
  CHECK(the<PlanTried>(back).ratio->high == 2);
  CHECK(the<SolverAnswered>(back).taken == std::vector<std::size_t>{1, 7});
  CHECK(the<EGraphCounted>(back).best_ms == 0.5);
  CHECK_FALSE(the<Extracted>(back).bound_ms);
  CHECK(the<WayFound>(back).way.front().condition == "x[0] = 1");
}

TEST_CASE("Every move is read back as it was written") {
  const std::vector<Move> moves = {move::FoldNormalisation{},
                                   move::Exchange{"Conv", "Add"},
                                   move::Merge{move::Merging::CommonDivisor},
                                   move::ComposeWeights{},
                                   move::Join{2, 0, 3, true},
                                   move::Interleave{2, 0, 3},
                                   move::Cut{3, 2, true},
                                   move::Phases{2, 2, move::Gathered::Channels},
                                   move::PadEnd{2, 3},
                                   move::DropIdleTaps{2},
                                   move::TapsApart{2},
                                   move::TapsToChannels{3},
                                   move::ChannelsToTaps{4, 2},
                                   move::FeaturesToGroups{3},
                                   move::GroupsToBlocks{2},
                                   move::Form{move::Shaped::UnitBehind},
                                   move::ExchangeDimensions{1, 2},
                                   move::AxisToBatch{2},
                                   move::FastConvolution{3, move::AxisPlace::Unmoved, 4, 3, 2, 5},
                                   move::Correct{CorrectionWay::Recomputing},
                                   move::StartAgain{},
                                   move::ApplyRule{"r", "w[2] = 1", "y"},
                                   move::Said{"something"}};
  REQUIRE(moves.size() == std::variant_size_v<Move>);
  const ScratchFolder folder;
  write(folder / "j", {MutantShown{1, {MutantId(0), {}, 0, moves}}});
  CHECK(the<MutantShown>(read(folder / "j")).mutant.moves == moves);
}

TEST_CASE("The first line says which search it is, and what that followed from") {
  const ScratchFolder folder;
  JournalHeader taso = header();
  taso.config = TasoConfig{
      .seed = 5, .rules = {{"taso", "d1", {{"r1", ""}, {"r2", "w[2] = 1"}}}}, .alpha = 1.5};
  REQUIRE(Journal::create(folder / "j", taso).ok());
  const auto content = read_journal(folder / "j");
  REQUIRE(content.ok());
  const auto* read = std::get_if<TasoConfig>(&content->header.config);
  REQUIRE(read != nullptr);
  CHECK(read->seed == 5);
  CHECK(read->alpha == 1.5);
  REQUIRE(read->rules.size() == 1);
  CHECK(read->rules[0].digest == "d1");
  REQUIRE(read->rules[0].rules.size() == 2);
  CHECK(read->rules[0].rules[1].condition == "w[2] = 1");
}

TEST_CASE("The first line holds what the search followed from") {
  const ScratchFolder folder;
  write(folder / "j", {});
  const auto content = read_journal(folder / "j");
  REQUIRE(content.ok());
  const JournalHeader& h = content->header;
  CHECK(h.dimensions.at("batch") == 2);
  REQUIRE(std::holds_alternative<SearchConfig>(h.config));
  const SearchConfig config = pet_config(h.config);
  CHECK(config.seed == ~std::uint64_t{0});
  CHECK(config.only == Only::Partial);
  CHECK(config.exclude == std::vector<std::string>{"a*", "b?"});
  CHECK(config.generator.depth == 7);
  CHECK(config.max_steps == SIZE_MAX);
  CHECK(h.max_growth == 0.1);
  CHECK(h.threads == 3);
}

TEST_CASE("Mutants that nobody looked at closely have no lines of their own") {
  const ScratchFolder folder;
  write(folder / "j",
        {MutantProposed{1, mutant()},
         MutantDiscarded{1, MutantId(7), Discarded::CostsMore, {}, 2, ""},
         CandidateKept{1, MutantId(7), 1, {}, {}, {}},
         CandidateDropped{1, MutantId(7), 1, {}, {}, {}}, BestImproved{1, MutantId(7), 1}});
  CHECK(read(folder / "j").size() == 1);
}

TEST_CASE("A journal that is written is nobody else's to write, and loses nothing") {
  const ScratchFolder folder;
  auto journal = Journal::create(folder / "j", header());
  REQUIRE(journal.ok());
  journal->write(BestImproved{1, MutantId(0), 1});
  for (const auto& other : {Journal::create(folder / "j", header()),
                            Journal::resume(folder / "j", *read_journal(folder / "j"))}) {
    REQUIRE_FALSE(other.ok());
    CHECK(other.error().message.find("choose another name for the journal") != std::string::npos);
  }
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
      R"({"event":"best_improved","subprogram":-1,"mutant":1,"saved_ms":1,"t":0})",
      R"({"event":"best_improved","subprogram":1,"mutant":"a","saved_ms":1,"t":0})",
      R"({"event":"best_improved","subprogram":1,"mutant":1.5,"saved_ms":1,"t":0})",
      R"({"event":"best_improved","subprogram":1,"mutant":4294967296,"saved_ms":1,"t":0})",
      R"({"event":"mutant_shown","subprogram":1,"id":1,"parent":null,"round":0,"moves":[{"move":"fly"}],"t":0})",
      R"({"event":"mutant_shown","subprogram":1,"id":1,"parent":null,"round":0,"moves":[{"move":"cut","axis":1}],"t":0})",
      R"({"event":"mutant_corrected","subprogram":1,"mutant":1,"corrected":2,"program":"p","outcome":"odd","t":0})"};
  for (const std::string& line : bad) {
    CAPTURE(line);
    const ScratchFolder folder;
    write(folder / "j", {BestImproved{1, MutantId(7), 1}});
    append(folder / "j", line + "\n");
    const auto content = read_journal(folder / "j");
    REQUIRE_FALSE(content.ok());
    CHECK(content.error().message.find("j:3: ") != std::string::npos);
  }
}

TEST_CASE("A line that is nested as deep as a stack is refused, in every format") {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  const std::string old = bytes_of(PET_TEST_DATA "/format3.jsonl");
  const ScratchFolder folder;
  write(folder / "new", {});
  append(folder / "old", old.substr(0, old.find('\n') + 1));
  for (const char* name : {"new", "old"}) {
    append(folder / name, R"({"event":"best_improved","a":1,"b":2,"how":)" + deep +
                              R"(,"subprogram":0,"mutant":)" + deep + R"(,"saved_ms":1,"t":0})" +
                              "\n");
    CHECK_FALSE(read_journal(folder / name).ok());
  }
}

TEST_CASE("A region that lies outside of its tensor is none") {
  const Region beyond{{{{2}, {2, 3}}}, {{{0, 1, 0}, {1, 2, 4}}}};
  const Region flat{{{{4}}}, {{{}, {}}}};
  const Region huge{{{{Dim{1} << 40, Dim{1} << 40}}}, {{{0, 0}, {1, 1}}}};
  for (const Region& wrong : {beyond, flat, huge}) {
    const ScratchFolder folder;
    write(folder / "j", {MutantVerified{1, MutantId(0), "p", Outcome::Partial, true, wrong}});
    const auto content = read_journal(folder / "j");
    REQUIRE_FALSE(content.ok());
    CHECK(content.error().message.find("j:2: a region lies outside of its tensor") !=
          std::string::npos);
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

TEST_CASE("A journal of format 3 is there to be looked at, and for nothing else") {
  const auto content = read_journal(PET_TEST_DATA "/format3.jsonl");
  REQUIRE(content.ok());
  CHECK_FALSE(content->is_current);
  // What was a sentence is said as it stands, a mutant told of once before it is named.
  std::map<std::pair<std::size_t, MutantId>, std::string> told;
  std::size_t measured = 0;
  for (const auto& entry : content->entries) {
    if (const auto* shown = std::get_if<MutantShown>(&entry.event)) {
      REQUIRE(shown->mutant.moves.size() == 1);
      const bool is_new = told.emplace(std::pair(shown->subprogram, shown->mutant.id),
                                       std::get<move::Said>(shown->mutant.moves[0]).words)
                              .second;
      CHECK(is_new);
    }
    if (const auto* e = std::get_if<CandidateMeasured>(&entry.event)) {
      ++measured;
      CHECK(told.contains({e->subprogram, e->mutant}));
    }
    if (const auto* e = std::get_if<MutantCorrected>(&entry.event)) {
      const std::string& wrong = told.at({e->subprogram, e->mutant});
      CHECK(told.at({e->subprogram, e->corrected}).starts_with(wrong + ", corrected"));
    }
  }
  CHECK(measured > 3);
  const auto current = check_current(*content);
  REQUIRE_FALSE(current.ok());
  CHECK(current.error().message.find("pet-journal/3") != std::string::npos);
  const ScratchFolder folder;
  std::filesystem::copy_file(PET_TEST_DATA "/format3.jsonl", folder / "j");
  const std::string before = bytes_of(folder / "j");
  CHECK_FALSE(Journal::resume(folder / "j", *content).ok());
  CHECK(bytes_of(folder / "j") == before);
}

TEST_CASE("A journal of format 3 that makes no sense is refused as any other") {
  const std::string header = bytes_of(PET_TEST_DATA "/format3.jsonl");
  const std::string first = header.substr(0, header.find('\n') + 1);
  for (const char* bad :
       {R"({"event":"mutant_verified","subprogram":0,"how":3,"program":"p"})",
        R"({"event":"border_measured","shape":"[2,","t":0})",
        R"({"event":"plan_tried","parts":[1],"t":0})",
        R"({"event":"plan_tried","parts":"x","t":0})", R"({"event":1})",
        R"({"event":"best_improved","subprogram":0,"how":"a","saved_ms":1,"t":"x"})"}) {
    CAPTURE(bad);
    const ScratchFolder folder;
    append(folder / "j",
           first + R"({"event":"round_started","subprogram":0,"round":0,"sources":[],"t":0})" +
               "\n" + bad + "\n");
    const auto read = read_journal(folder / "j");
    REQUIRE_FALSE(read.ok());
    CHECK(read.error().message.find("j:3: ") != std::string::npos);
  }
}

TEST_CASE("A resumed journal is the one that would have been written at once") {
  const ScratchFolder folder;
  const auto events = one_of_each();
  write(folder / "whole", events);
  for (const std::size_t killed_after : {0UL, 1UL, 5UL, 13UL, 14UL, 15UL, 16UL, 19UL}) {
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

TEST_CASE("A journal is followed line by line while it is written, and not once it was cut") {
  const ScratchFolder folder;
  const auto events = one_of_each();
  write(folder / "whole", events);
  std::ifstream whole(folder / "whole");
  std::string line, all;
  std::getline(whole, line);
  append(folder / "j", line + "\n");
  JournalTail tail(folder / "j", *read_journal(folder / "j"));
  std::vector<JournalContent::Entry> seen;
  while (std::getline(whole, line)) {
    // In two halves: what is not whole is not there yet.
    for (const std::string& half : {line.substr(0, 5), line.substr(5) + "\n"}) {
      append(folder / "j", half);
      auto more = tail.more();
      REQUIRE(more.ok());
      CHECK(more->size() == (half.back() == '\n' ? 1 : 0));
      for (auto& entry : *more) seen.push_back(std::move(entry));
    }
  }
  const auto once = read_journal(folder / "whole");
  REQUIRE(once.ok());
  REQUIRE(seen.size() == once->entries.size());
  for (std::size_t i = 0; i < seen.size(); ++i) {
    CHECK(line_of(seen[i].event) == line_of(once->entries[i].event));
    CHECK(seen[i].line == once->entries[i].line);
  }
  append(folder / "j", "nonsense\n");
  CHECK_FALSE(tail.more().ok());
  std::filesystem::resize_file(folder / "j", 10);
  const auto cut = tail.more();
  REQUIRE_FALSE(cut.ok());
  CHECK(cut.error().message.find("has become shorter: open it again") != std::string::npos);
}

TEST_CASE("A search that was stopped before it got as far as its journal leaves it as it is") {
  const ScratchFolder folder;
  const std::vector<Event> events = {SearchStarted{"m", "d", "t", 1, 1},
                                     BestImproved{1, MutantId(0), 1}};
  write(folder / "j", events);
  auto journal = Journal::resume(folder / "j", *read_journal(folder / "j"));
  REQUIRE(journal.ok());
  journal->write(events[0]);
  journal->write(SearchFinished{StopReason::Stopped, 0, 0, 0, 0, 1});
  CHECK(lines(read(folder / "j")) == lines(events));
}

TEST_CASE("A resumed search that does something else is found out, and nothing is written") {
  const ScratchFolder folder;
  const std::vector<Event> events = {SearchStarted{"m", "d", "t", 1, 1},
                                     BestImproved{1, MutantId(0), 1}};
  write(folder / "j", events);
  auto journal = Journal::resume(folder / "j", *read_journal(folder / "j"));
  REQUIRE(journal.ok());
  journal->write(events[0]);
  journal->write(BestImproved{1, MutantId(1), 1});
  journal->write(BestImproved{2, MutantId(2), 1});
  REQUIRE(journal->divergence());
  CHECK(*journal->divergence() == "line 3");
  CHECK(lines(read(folder / "j")) == lines(events));
}

}  // namespace
}  // namespace pet
