#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <map>

#include "app/pet-workbench/exporting.h"
#include "core/backend/estimating_profiler.h"
#include "core/backend/reference.h"
#include "core/run/run.h"
#include "core/search/mutant_maker.h"
#include "datasets/models/models.h"
#include "tests/support/scratch_folder.h"
#include "verify/pairs/search_checker.h"

namespace pet::app {
namespace {

using Key = std::pair<std::size_t, MutantId>;

// The pair of convolutions, searched with estimated times.
class Searched {
 public:
  Searched() : model_(build()), run_(model_, config(), ports()) {
    while (run_.phase() != Run::Phase::Done) run_.step();
  }
  const Model& model() const { return model_; }
  std::filesystem::path target() const { return folder_ / "out.onnx"; }
  std::vector<Plan> best() const { return run_.best(); }
  const std::optional<Key>& corrected() const { return corrected_; }
  // What was corrected of it.
  Key parent(const Key& key) const { return {key.first, *lineages_.at(key).parent}; }
  SubprogramClass places(const Key& key) const {
    return split(model_.graph, search_config().split).classes[key.first];
  }
  Graph program(const Key& key) {
    std::vector<Wanted> line;
    for (std::optional<MutantId> next = key.second; next;
         next = lineages_.at({key.first, *next}).parent)
      line.insert(line.begin(), {lineages_.at({key.first, *next}), {}});
    const SearchConfig search = search_config();
    auto made = MutantMaker(places(key).representative().program, search, checker_, {}).make(line);
    REQUIRE(made.ok());
    return std::move(made->program);
  }
  // Everything in the folder but the original.
  std::size_t files() const {
    std::size_t out = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder_ / "."))
      if (entry.path().filename() != "pair.onnx") ++out;
    return out;
  }
  ExportWires wires() {
    return {[this](const Event& event) {
              if (const auto* stage = std::get_if<StageStarted>(&event))
                stages.push_back(stage->stage);
            },
            {}};
  }
  std::vector<Stage> stages;

 private:
  static SearchConfig search_config() {
    SearchConfig out;
    out.rounds = 1;
    out.heap = 12;
    out.worth_measuring = out.worth_in_other_orders = 6;
    out.generator.moves = 1;
    out.generator.max_steps = 12;
    return out;
  }
  static RunConfig config() {
    RunConfig out;
    out.target_name = "estimates";
    out.search = search_config();
    return out;
  }
  Model build() const {
    REQUIRE(datasets::build_model({.name = "pair"}, folder_ / "pair.onnx").ok());
    auto model = read_model(folder_ / "pair.onnx");
    REQUIRE(model.ok());
    return *std::move(model);
  }
  RunPorts ports() {
    RunPorts out{checker_, profiler_, stop_};
    out.events = [this](const Event& event) {
      if (const auto* shown = std::get_if<MutantShown>(&event))
        lineages_[{shown->subprogram, shown->mutant.id}] = shown->mutant;
      const auto* made = std::get_if<MutantCorrected>(&event);
      if (made != nullptr && made->outcome == Outcome::Equivalent)
        corrected_ = {made->subprogram, made->corrected};
    };
    return out;
  }

  const testing::ScratchFolder folder_;
  SearchChecker checker_;
  EstimatingProfiler profiler_{2};  // that there is something faster
  StopRequests stop_;
  std::map<Key, Lineage> lineages_;
  std::optional<Key> corrected_;
  const Model model_;
  Run run_;
};

int pet_verify(const std::filesystem::path& a, const std::filesystem::path& b) {
  const auto command = fmt::format("{} {} {} >/dev/null", PET_VERIFY, a.string(), b.string());
  return std::system(command.c_str());
}

TEST_CASE("A corrected mutant is written in its places, proved, and pet-verify says equivalent") {
  Searched searched;
  REQUIRE(searched.corrected());
  const Key key = *searched.corrected();
  const auto file = export_mutant(searched.model(), searched.places(key), searched.program(key),
                                  searched.target(), searched.wires());
  INFO((file ? "" : file.error().message));
  REQUIRE(file.ok());
  CHECK(label_of(*file) == "proved, not measured");
  CHECK(file->places == 2);
  CHECK(file->why_no_certificate.empty());
  CHECK(std::filesystem::exists(file->certificate));
  CHECK(file->written.operators != file->original.operators);
  CHECK(searched.stages == std::vector{Stage::Weights, Stage::Proving});
  CHECK(searched.files() == 2);
  CHECK(pet_verify(searched.model().path, searched.target()) == 0);
}

TEST_CASE("A mutant that is wrong in part is refused, and nothing is left") {
  Searched searched;
  REQUIRE(searched.corrected());
  const Key key = searched.parent(*searched.corrected());
  const auto file = export_mutant(searched.model(), searched.places(key), searched.program(key),
                                  searched.target(), searched.wires());
  REQUIRE_FALSE(file.ok());
  CHECK(file.error().message.find("not proved: the file would be partial") == 0);
  CHECK(file.error().message.find("nothing was written") != std::string::npos);
  CHECK(searched.files() == 0);
}

TEST_CASE("The best of a search by estimates is proved and not measured; none is an error") {
  Searched searched;
  const auto none = export_unmeasured(searched.model(), {}, searched.target(), searched.wires());
  REQUIRE_FALSE(none.ok());
  CHECK(none.error().message ==
        "nothing faster has been found so far: let the search run on, or search with other moves");
  REQUIRE_FALSE(searched.best().empty());
  const auto file =
      export_unmeasured(searched.model(), searched.best(), searched.target(), searched.wires());
  INFO((file ? "" : file.error().message));
  REQUIRE(file.ok());
  CHECK(label_of(*file) == "proved, not measured");
  CHECK(pet_verify(searched.model().path, searched.target()) == 0);
}

TEST_CASE(
    "What is measured goes through every stage that pet optimize has; nothing faster is nothing") {
  Searched searched;
  ReferenceBackend backend({"reference", "1", "this machine", 1});
  const auto measured_as = [&](double gain) {
    return WholeFiles{backend,
                      [gain](const FileEffort&) -> std::unique_ptr<Profiler> {
                        return std::make_unique<EstimatingProfiler>(gain);
                      },
                      {}};
  };
  const auto slower = export_measured(searched.model(), searched.best(), searched.target(),
                                      searched.wires(), measured_as(0.01));
  REQUIRE_FALSE(slower.ok());
  CHECK(slower.error().message.find("nothing was written: ") == 0);
  CHECK(searched.files() == 0);
  searched.stages.clear();
  const auto file = export_measured(searched.model(), searched.best(), searched.target(),
                                    searched.wires(), measured_as(100));
  INFO((file ? "" : file.error().message));
  REQUIRE(file.ok());
  CHECK(file->measured.has_value());
  CHECK(label_of(*file).find("proved and measured") == 0);
  CHECK(file->why_no_certificate.empty());
  for (const Stage stage :
       {Stage::MeasuringFile, Stage::Proving, Stage::ComparingNumbers, Stage::MeasuringAgain})
    CHECK(std::ranges::find(searched.stages, stage) != searched.stages.end());
  CHECK(searched.files() == 2);
  CHECK(pet_verify(searched.model().path, searched.target()) == 0);
}

TEST_CASE("The original is never written over, and what is cancelled leaves nothing") {
  Searched searched;
  REQUIRE(searched.corrected());
  const Key key = *searched.corrected();
  const Graph program = searched.program(key);
  const auto over = export_mutant(searched.model(), searched.places(key), program,
                                  searched.model().path, searched.wires());
  REQUIRE_FALSE(over.ok());
  CHECK(over.error().message.find("would be overwritten") != std::string::npos);
  std::stop_source stop;
  stop.request_stop();
  ExportWires wires = searched.wires();
  wires.stop = stop.get_token();
  const auto cancelled =
      export_mutant(searched.model(), searched.places(key), program, searched.target(), wires);
  REQUIRE_FALSE(cancelled.ok());
  CHECK(cancelled.error().kind == ErrorKind::Stopped);
  CHECK(searched.files() == 0);
}

}  // namespace
}  // namespace pet::app
