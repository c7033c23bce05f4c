#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <regex>

#include "core/backend/estimating_profiler.h"
#include "core/search/journal.h"
#include "core/search/pet_search.h"
#include "datasets/models/models.h"
#include "tests/support/onnx_builder.h"
#include "verify/pairs/search_checker.h"

namespace pet {
namespace {

namespace fs = std::filesystem;

// Every stage of a search is in it, and it takes seconds.
SearchConfig small() {
  SearchConfig config;
  config.rounds = 2;
  config.heap = 6;
  config.worth_measuring = 3;  // calls are all that small operators cost
  config.generator.moves = 2;
  config.generator.max_steps = 40;
  config.later_steps = 4;
  config.later_sources = 1;
  return config;
}

std::vector<std::string> without_times(const fs::path& path) {
  static const std::regex kWhen(R"(,"t":[-+.0-9e]+\}$)");
  std::vector<std::string> out;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    out.push_back(std::regex_replace(line, kWhen, R"(,"t":0.0})"));
  return out;
}

// Two convolutions of two images, wide enough that other orders of axes pay for transposes.
fs::path write_pair(const fs::path& file) {
  constexpr std::int64_t kChannels = 64;
  testing::OnnxBuilder b;
  b.input("x", {2, kChannels, 12, 12});
  const auto conv = [&](const std::string& from, const std::string& to) {
    std::vector<float> weight(kChannels * kChannels * 9);
    for (std::size_t i = 0; i < weight.size(); ++i)
      weight[i] = static_cast<float>((i * 7 + to.size()) % 31) / 31;
    b.floats("w_" + to, {kChannels, kChannels, 3, 3}, weight);
    auto& node = b.node("Conv", {from, "w_" + to}, {to});
    auto& pads = b.attribute(node, "pads", ::onnx::AttributeProto::INTS);
    for (int i = 0; i < 4; ++i) pads.add_ints(1);
  };
  conv("x", "first");
  b.node("Relu", {"first"}, {"middle"});
  conv("middle", "second");
  b.output("second", {2, kChannels, 12, 12});
  return b.save(file);
}

// So many candidates that some need a correction, and few nodes of the tree.
SearchConfig with_corrections() {
  SearchConfig config = small();
  config.rounds = 1;
  config.heap = 12;
  config.worth_measuring = config.worth_in_other_orders = 6;
  config.generator.moves = 1;
  config.generator.max_steps = 12;
  return config;
}

// `favour`: by how much candidates are faster than estimated.
void record(const fs::path& file, const SearchConfig& config, double favour, const fs::path& path) {
  const auto model = read_model(file);
  REQUIRE(model.ok());
  JournalHeader header{.tool = "golden", .model = file.filename(), .digest = model->digest.hex()};
  header.runtime = "estimates";
  header.config = config;
  auto journal = Journal::create(path, header);
  REQUIRE(journal.ok());
  EstimatingProfiler profiler(favour);
  SearchChecker checker;
  PetSearch search(*model, "estimates", config,
                   {checker, profiler, [&](const Event& event) { journal->write(event); }, {}});
  while (search.step(Grain::Node) == StepStatus::Running) {
  }
  search.finish(StopReason::Finished);
  REQUIRE(journal->is_whole());
}

void renew(const fs::path& golden, const std::vector<std::string>& lines) {
  std::ofstream out(golden);
  for (const std::string& line : lines) out << line << "\n";
  REQUIRE(out.good());
}

void hold_against_the_record(const fs::path& file, const SearchConfig& config, double favour,
                             const std::string& name) {
  const testing::ScratchFolder folder;
  record(file, config, favour, folder / "journal.jsonl");
  const auto lines = without_times(folder / "journal.jsonl");
  REQUIRE(lines.size() > 30);
  const fs::path golden = fs::path(PET_GOLDEN) / (name + ".jsonl");
  if (std::getenv("PET_RENEW_GOLDEN") != nullptr) renew(golden, lines);
  const auto expected = without_times(golden);
  for (std::size_t i = 0; i < std::min(lines.size(), expected.size()); ++i) {
    INFO(golden.string() << ":" << i + 1 << "; if that is meant: tests/golden/renew");
    REQUIRE(lines[i] == expected[i]);
  }
  CHECK(lines.size() == expected.size());
}

void hold_tiny_against_the_record(const std::string& name) {
  const testing::ScratchFolder folder;
  const auto file = folder / (name + ".onnx");
  REQUIRE(datasets::build_model({.name = name, .tiny = true}, file).ok());
  hold_against_the_record(file, small(), 2,
                          name + "-tiny");  // so that there is something to choose
}

TEST_CASE("The search of a tiny ResNet-18 is the one on record") {
  hold_tiny_against_the_record("resnet18");
}

TEST_CASE("The search of a tiny ResNet3D-18 is the one on record") {
  hold_tiny_against_the_record("resnet3d18");
}

TEST_CASE("A search that corrects mutants and pays for other orders of axes is the one on record") {
  const testing::ScratchFolder folder;
  hold_against_the_record(write_pair(folder / "pair.onnx"), with_corrections(), 1, "pair");
  const auto content = read_journal(fs::path(PET_GOLDEN) / "pair.jsonl");
  REQUIRE(content.ok());
  const auto has = [&](auto is_wanted) {
    return std::any_of(content->entries.begin(), content->entries.end(),
                       [&](const auto& entry) { return is_wanted(entry.event); });
  };
  CHECK(has([](const Event& e) {
    const auto* corrected = std::get_if<MutantCorrected>(&e);
    return corrected != nullptr && corrected->outcome == Outcome::Equivalent;
  }));
  CHECK(has([](const Event& e) { return std::holds_alternative<BorderMeasured>(e); }));
}

TEST_CASE("A journal on record is read") {
  for (const char* name : {"resnet18-tiny.jsonl", "resnet3d18-tiny.jsonl", "pair.jsonl"}) {
    const auto content = read_journal(fs::path(PET_GOLDEN) / name);
    REQUIRE(content.ok());
    CHECK(content->entries.size() > 30);
    CHECK(std::holds_alternative<SearchFinished>(content->entries.back().event));
  }
}

}  // namespace
}  // namespace pet
