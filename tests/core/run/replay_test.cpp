#include "core/run/replay.h"

#include <catch2/catch.hpp>
#include <map>
#include <numeric>

#include "core/backend/estimating_profiler.h"
#include "core/search/pet_search.h"
#include "datasets/models/models.h"
#include "tests/support/onnx_builder.h"
#include "verify/pairs/bitmap_checker.h"

namespace pet {
namespace {

using testing::ScratchFolder;

Model tiny_resnet(const ScratchFolder& folder) {
  REQUIRE(datasets::build_model({.name = "resnet18", .tiny = true}, folder / "m.onnx").ok());
  auto model = read_model(folder / "m.onnx");
  REQUIRE(model.ok());
  return *std::move(model);
}

SearchConfig small() {
  SearchConfig config;
  config.rounds = 2;
  config.heap = 2;
  config.generator.moves = 2;
  config.generator.max_steps = 10;
  config.later_steps = 2;
  return config;
}

// Dies at every third comparison.
class Moody final : public Profiler {
 public:
  Result<Comparison> compare(const std::filesystem::path& original,
                             const std::filesystem::path& candidate,
                             std::stop_token stop) override {
    if (++asked_ % 3 == 0) return Error{"it died", ErrorKind::Tool};
    return inner_.compare(original, candidate, std::move(stop));
  }

 private:
  EstimatingProfiler inner_;
  int asked_ = 0;
};

struct Recorded {
  JournalContent content;
  std::map<std::size_t, std::vector<TraceNode>> nodes;  // by subprogram
};

// A search whose budget ends after so many pieces of work.
Recorded recorded(const Model& model, const SearchConfig& config, std::size_t pieces,
                  Profiler& profiler, const std::filesystem::path& path) {
  Recorded out;
  auto journal = Journal::create(path, {.digest = model.digest.hex(), .config = config});
  REQUIRE(journal.ok());
  BitmapChecker checker;
  PetSearch search(model, "t", config,
                   {checker, profiler, [&](const Event& event) { journal->write(event); }, {}});
  search.set_trace(
      [&](std::size_t number, const TraceNode& node) { out.nodes[number].push_back(node); });
  StepStatus status = StepStatus::Running;
  while (search.progress().pieces < pieces && status == StepStatus::Running)
    status = search.step(Grain::Node);
  search.finish(search.is_finished() ? StopReason::Finished : StopReason::Budget);
  auto content = read_journal(path);
  REQUIRE(content.ok());
  out.content = *std::move(content);
  return out;
}

std::string text_of(const TraceNode& node) {
  std::string out = in_words(node.moves) + (node.is_program ? " program " : " node ") +
                    std::to_string(node.tested) +
                    (node.pruned ? std::string(to_string(*node.pruned)) : "");
  for (const std::size_t child : node.path) out += "/" + std::to_string(child);
  return out;
}

TEST_CASE("A search that is run again from its journal does the same, errors included") {
  const ScratchFolder folder;
  const Model model = tiny_resnet(folder);
  Moody profiler;
  const auto [content, nodes] = recorded(model, small(), SIZE_MAX, profiler, folder / "j");
  const auto count = [&](auto wanted) {
    return std::count_if(content.entries.begin(), content.entries.end(), [&](const auto& entry) {
      return std::holds_alternative<decltype(wanted)>(entry.event);
    });
  };
  REQUIRE(count(CandidateFailed{}) > 0);
  REQUIRE(count(CandidateMeasured{}) > 0);
  BitmapChecker checker;
  const ReplayResult result = replay(model, content, checker, {});
  CHECK_FALSE(result.difference);
  CHECK(result.has_end);
  CHECK(result.events == content.entries.size());
}

TEST_CASE("Where the budget ended a search is a part of what is run again") {
  const ScratchFolder folder;
  const Model model = tiny_resnet(folder);
  for (const std::size_t pieces : {1UL, 30UL, 60UL}) {
    EstimatingProfiler profiler;
    const auto [content, nodes] = recorded(model, small(), pieces, profiler, folder / "j");
    BitmapChecker checker;
    const ReplayResult result = replay(model, content, checker, {});
    CHECK_FALSE(result.difference);
    CHECK(result.events == content.entries.size());
  }
}

TEST_CASE("A journal without its end is run again as far as it goes") {
  const ScratchFolder folder;
  const Model model = tiny_resnet(folder);
  EstimatingProfiler profiler;
  auto [content, nodes] = recorded(model, small(), SIZE_MAX, profiler, folder / "j");
  content.entries.resize(content.entries.size() / 2);
  BitmapChecker checker;
  const ReplayResult result = replay(model, content, checker, {});
  CHECK_FALSE(result.difference);
  CHECK_FALSE(result.has_end);
  CHECK(result.events == content.entries.size());
}

TEST_CASE("The first event that differs is named") {
  const ScratchFolder folder;
  const Model model = tiny_resnet(folder);
  EstimatingProfiler profiler;
  auto [content, nodes] = recorded(model, small(), SIZE_MAX, profiler, folder / "j");
  std::size_t changed = 0;
  for (auto& entry : content.entries) {
    auto* counted = std::get_if<MutantsCounted>(&entry.event);
    if (counted == nullptr) continue;
    ++counted->proposed;
    changed = entry.line;
    break;
  }
  REQUIRE(changed > 0);
  BitmapChecker checker;
  const ReplayResult result = replay(model, content, checker, {});
  REQUIRE(result.difference);
  CHECK(result.difference->starts_with("line " + std::to_string(changed) + ":"));
  CHECK(result.events == changed - 2);
}

TEST_CASE("The trace of a subprogram is regenerated in exactly the live order") {
  const ScratchFolder folder;
  const Model model = tiny_resnet(folder);
  EstimatingProfiler profiler;
  const auto [content, nodes] = recorded(model, small(), SIZE_MAX, profiler, folder / "j");
  REQUIRE(nodes.size() > 3);
  for (const auto& [number, live] : nodes) {
    std::vector<std::string> expected, seen;
    for (const TraceNode& node : live) expected.push_back(text_of(node));
    BitmapChecker checker;
    const auto collect = [&](const TraceStep& step) {
      if (const auto* node = std::get_if<TraceNode>(&step)) seen.push_back(text_of(*node));
    };
    CHECK(trace(model, content, number, checker, collect, {}));
    CAPTURE(number);
    CHECK(seen == expected);
  }
  BitmapChecker checker;
  CHECK_FALSE(trace(model, content, 10'000, checker, [](const TraceStep&) {}, {}));
}

TEST_CASE("A step goes as far as its grain") {
  const ScratchFolder folder;
  const Model model = tiny_resnet(folder);
  const auto run = [&](Grain grain) {
    EstimatingProfiler profiler;
    BitmapChecker checker;
    std::size_t steps = 0;
    std::string last;
    PetSearch search(model, "t", small(),
                     {checker, profiler, [&](const Event& event) { last = line_of(event); }, {}});
    while (search.step(grain) == StepStatus::Running) ++steps;
    search.finish(StopReason::Finished);
    return std::pair(steps, last);
  };
  const auto nodes = run(Grain::Node);
  const auto mutants = run(Grain::Mutant);
  const auto candidates = run(Grain::Candidate);
  const auto subprograms = run(Grain::Subprogram);
  CHECK(nodes.first > mutants.first);
  CHECK(mutants.first > candidates.first);
  CHECK(candidates.first >= subprograms.first);
  CHECK(subprograms.first > 3);
  CHECK(mutants.second == nodes.second);
  CHECK(candidates.second == nodes.second);
  CHECK(subprograms.second == nodes.second);
}

TEST_CASE("What became of every mutant is counted, however early a search ends") {
  const ScratchFolder folder;
  const Model model = tiny_resnet(folder);
  SearchConfig config = small();
  config.only = Only::Equivalent;  // one that is corrected becomes several
  EstimatingProfiler profiler;
  for (const std::size_t pieces : {40U, 150U, 100000U}) {
    const auto content =
        recorded(model, config, pieces, profiler, folder / "counted.jsonl").content;
    std::map<std::size_t, std::size_t> measured;
    std::map<std::size_t, MutantsCounted> counted;  // the last words
    for (const auto& entry : content.entries) {
      if (const auto* m = std::get_if<CandidateMeasured>(&entry.event)) ++measured[m->subprogram];
      if (const auto* c = std::get_if<MutantsCounted>(&entry.event)) counted[c->subprogram] = *c;
    }
    REQUIRE_FALSE(counted.empty());
    for (const auto& [number, counts] : counted) {
      INFO(pieces << " pieces, subprogram " << number);
      CHECK(counts.proposed ==
            std::accumulate(counts.discarded.begin(), counts.discarded.end(), measured[number]));
    }
  }
}

}  // namespace
}  // namespace pet
