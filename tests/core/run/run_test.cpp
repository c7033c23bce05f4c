#include "core/run/run.h"

#include <catch2/catch.hpp>

#include "core/backend/estimating_profiler.h"
#include "core/backend/reference.h"
#include "datasets/models/models.h"
#include "tests/support/onnx_builder.h"
#include "verify/files/file_proof.h"
#include "verify/pairs/bitmap_checker.h"

namespace pet {
namespace {

namespace fs = std::filesystem;
using testing::ScratchFolder;

SearchConfig small() {
  SearchConfig config;
  config.rounds = 1;
  config.heap = 2;
  config.generator.moves = 1;
  config.generator.max_steps = 10;
  return config;
}

// A step takes a second of this clock.
struct World {
  explicit World(const ScratchFolder& folder) : file(folder / "m.onnx"), out(folder / "o.onnx") {
    REQUIRE(datasets::build_model({.name = "resnet18", .tiny = true}, file).ok());
    auto read = read_model(file);
    REQUIRE(read.ok());
    model = *std::move(read);
  }

  RunConfig config() const {
    RunConfig out_config;
    out_config.target = out;
    out_config.search = small();
    return out_config;
  }
  RunPorts ports() {
    RunPorts out_ports{checker, profiler, stop};
    out_ports.now = [this] { return seconds += 1; };
    out_ports.backend = &backend;
    out_ports.prove = [](const Model& a, const Model& b, double error) -> Result<FileVerdict> {
      FileProofOptions how;
      how.proof.log2_error = error;
      return prove_files(a, b, how);
    };
    out_ports.profile_files = [](const LoadOptions&, const FileEffort&) {
      return std::make_unique<EstimatingProfiler>(3);
    };
    return out_ports;
  }

  fs::path file, out;
  Model model;
  BitmapChecker checker;
  EstimatingProfiler profiler{3};
  StopRequests stop;
  ReferenceBackend backend{BackendInfo{.name = "reference", .version = "1", .device = "cpu"}};
  double seconds = 0;
};

bool is_copy(const World& world) {
  return testing::read_bytes(world.out) == testing::read_bytes(world.file);
}

TEST_CASE("A run goes from a model to a faster file, phase by phase") {
  const ScratchFolder folder;
  World world(folder);
  RunConfig config = world.config();
  config.budget.whole_s = 1e9;
  Run run(world.model, config, world.ports());
  std::vector<Run::Phase> phases = {run.phase()};
  bool found = false;
  while (run.phase() != Run::Phase::Done) {
    run.step();
    if (run.phase() != phases.back()) phases.push_back(run.phase());
    found = found || (run.phase() == Run::Phase::Search && !run.best().empty());
  }
  CHECK(phases ==
        std::vector{Run::Phase::Prepare, Run::Phase::Search, Run::Phase::Accept, Run::Phase::Done});
  CHECK(found);  // before the search was over
  CHECK_FALSE(run.failure());
  REQUIRE(run.is_written());
  const RunRecord record = run.record();
  INFO(record.reason);
  REQUIRE(record.changed);
  CHECK_FALSE(is_copy(world));
  CHECK(record.trust.verdict == Outcome::Equivalent);
  CHECK_FALSE(record.places.empty());
  CHECK(record.effort.stop == StopReason::Finished);
  run.step();
  CHECK(run.phase() == Run::Phase::Done);
}

// To whom nothing holds in floats.
class OverTheReals final : public EquivalenceChecker {
 public:
  std::string_view name() const override { return inner_.name(); }
  Verdict check(const Graph& original, const Graph& mutant, const ProofOptions& options) override {
    return options.floats == Floats::None ? inner_.check(original, mutant, options) : Verdict{};
  }

 private:
  BitmapChecker inner_;
};

std::size_t chosen(World& world, EquivalenceChecker& checker) {
  RunConfig config = world.config();
  config.budget.whole_s = 1e9;
  const RunPorts from = world.ports();
  RunPorts ports{checker, from.candidates, from.stop};
  ports.now = from.now;
  ports.backend = from.backend;
  ports.prove = from.prove;
  ports.profile_files = from.profile_files;
  Run run(world.model, config, std::move(ports));
  while (run.phase() == Run::Phase::Prepare || run.phase() == Run::Phase::Search) run.step();
  const auto plans = run.best();
  return plans.empty() ? 0 : plans.front().choices.size();
}

TEST_CASE("Nothing is used that was not looked at in floats, too") {
  const ScratchFolder folder;
  World world(folder);
  OverTheReals blind;
  CHECK(chosen(world, world.checker) > 0);
  CHECK(chosen(world, blind) == 0);
}

TEST_CASE("What accepting took is told by its stages, and they are all of it") {
  const ScratchFolder folder;
  World world(folder);
  RunConfig config = world.config();
  config.budget.whole_s = 1e9;
  RunPorts ports = world.ports();
  const auto prove = ports.prove;
  ports.prove = [&](const Model& a, const Model& b, double error) {
    world.seconds += 500;
    return prove(a, b, error);
  };
  Run run(world.model, config, std::move(ports));
  while (run.phase() != Run::Phase::Done) run.step();
  const auto seconds = run.record().seconds;
  double stages = 0;
  for (const char* stage : {"writing", "comparing", "proof", "numbers", "fresh samples"}) {
    INFO(stage);
    REQUIRE(seconds.contains(stage));
    stages += seconds.at(stage);
  }
  CHECK(seconds.at("proof") > 500);
  CHECK(stages <= seconds.at("accept"));
  CHECK(stages >= seconds.at("accept") - 5);  // the clock goes on whenever it is read
}

TEST_CASE("A run whose budget is over goes on to accept what it has") {
  const ScratchFolder folder;
  World world(folder);
  RunConfig config = world.config();
  config.budget.whole_s = 20;
  Run run(world.model, config, world.ports());
  while (run.phase() != Run::Phase::Done) run.step();
  CHECK(run.record().effort.stop == StopReason::Budget);
  CHECK(run.is_written());
}

TEST_CASE("A run that is stopped before it has found anything writes the original") {
  const ScratchFolder folder;
  World world(folder);
  Run run(world.model, world.config(), world.ports());
  run.step();
  run.request_stop();
  while (run.phase() != Run::Phase::Done) run.step();
  CHECK(run.record().effort.stop == StopReason::Stopped);
  CHECK(is_copy(world));
}

TEST_CASE("A run that is stopped twice writes the original, whatever it had found") {
  const ScratchFolder folder;
  World world(folder);
  RunConfig config = world.config();
  config.budget.whole_s = 1e9;
  Run run(world.model, config, world.ports());
  while (run.phase() != Run::Phase::Accept) run.step();
  run.request_stop();
  run.request_stop();
  while (run.phase() != Run::Phase::Done) run.step();
  CHECK(is_copy(world));
  CHECK_FALSE(run.failure());
}

// A strategy of another kind: it knows one plan, and finds it in its second step.
class OneIdea final : public Search {
 public:
  OneIdea(const Model& model, SearchPorts ports) : model_(model), ports_(std::move(ports)) {}

  StepStatus step(Grain) override {
    ++steps_;
    ports_.sink(BestImproved{0, MutantId(0), 1});
    return steps_ < 2 ? StepStatus::Running : StepStatus::Finished;
  }
  // The first convolution with its mutant in its place.
  std::vector<Plan> best() const override {
    if (steps_ < 2) return {};
    for (const SubprogramClass& same : split(model_.graph, {}).classes) {
      const Subprogram& place = same.places.front();
      MutantGenerator generator(place.program, {.moves = 1});
      while (auto mutant = generator.next()) {
        if (BitmapChecker().check(place.program, mutant->program, {}).outcome !=
            Outcome::Equivalent)
          continue;
        const std::string name = model_.graph.node(place.outputs[0]).name;
        return {{{{0,
                   name,
                   {MutantId(0), {}, 0, mutant->moves},
                   1,
                   {2, 2, 2},
                   std::move(mutant->program),
                   place.inputs,
                   place.outputs}},
                 1}};
      }
    }
    return {};
  }
  void finish(StopReason reason) override { ports_.sink(SearchFinished{reason}); }
  bool is_finished() const override { return steps_ >= 2; }
  SearchProgress progress() const override { return {1, steps_ / 2, steps_, 1}; }

 private:
  const Model& model_;
  SearchPorts ports_;
  std::size_t steps_ = 0;
};

TEST_CASE("Another strategy's plans come to the same acceptance") {
  const ScratchFolder folder;
  World world(folder);
  RunPorts ports = world.ports();
  ports.make_search = [](const Model& model, std::string, const AnySearchConfig&,
                         SearchPorts search_ports) -> std::unique_ptr<Search> {
    return std::make_unique<OneIdea>(model, std::move(search_ports));
  };
  std::vector<Stage> stages;
  ports.events = [&](const Event& event) {
    if (const auto* e = std::get_if<StageStarted>(&event)) stages.push_back(e->stage);
  };
  RunConfig config = world.config();
  config.budget.whole_s = 1e9;
  Run run(world.model, config, std::move(ports));
  while (run.phase() != Run::Phase::Done) run.step();
  const RunRecord record = run.record();
  INFO(record.reason);
  CHECK(record.effort.stop == StopReason::Finished);
  CHECK(record.attempts == 1);
  REQUIRE(stages.size() >= 2);
  CHECK(stages[0] == Stage::Weights);
  CHECK(stages[1] == Stage::MeasuringFile);
  CHECK(record.changed);
}

TEST_CASE("A run without a target only searches") {
  const ScratchFolder folder;
  World world(folder);
  RunConfig config;
  config.search = small();
  config.ending = Ending{3, StopReason::Budget};
  Run run(world.model, config, {world.checker, world.profiler, world.stop});
  while (run.phase() != Run::Phase::Done) run.step();
  CHECK(run.progress().pieces == 3);
  CHECK_FALSE(run.is_written());
  CHECK_FALSE(fs::exists(world.out));
}

}  // namespace
}  // namespace pet
