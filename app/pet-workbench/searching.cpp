#include "app/pet-workbench/searching.h"

#include <fmt/format.h>

#include "app/common/machine.h"
#include "app/common/target.h"
#include "app/pet-workbench/exporting.h"
#include "app/pet-workbench/opening.h"
#include "core/backend/cached_profiler.h"
#include "core/backend/estimating_profiler.h"
#include "core/backend/measuring_profiler.h"
#include "core/program/linear_sets.h"
#include "core/run/replay.h"
#include "core/search/exclude.h"
#include "core/search/mutant_maker.h"
#include "core/search/pet_search.h"
#include "core/util/overloaded.h"
#include "core/util/printable.h"
#include "verify/pairs/search_checker.h"
#include "viz/words/events.h"

namespace pet::app {
namespace {

constexpr double kSecondsACandidate = 4;

// What a search measures with, and all that stands behind it.
struct Measuring {
  BackendInfo info{viz::kEstimates, PET_VERSION, "", 1};
  std::optional<Target> target;
  std::unique_ptr<Profiler> live, cached;  // the second asks the first
  Profiler& profiler() { return cached ? *cached : *live; }
};

Result<Measuring> measuring_for(const viz::RunRequest& request, const Model& model,
                                const std::stop_token& stop) {
  Measuring out;
  if (request.target == viz::kEstimates) {
    out.live = std::make_unique<EstimatingProfiler>();
    return out;
  }
  auto target = start_target(request.target, stop);
  if (!target) return std::move(target).error();
  out.target = *std::move(target);
  out.info = out.target->backend->info();
  MeasuringProfiler::Options plan{
      .load = {.threads = request.threads, .dimensions = model.dimensions}};
  plan.seed = request.search.seed;
  plan.budget = std::chrono::milliseconds(static_cast<std::int64_t>(kSecondsACandidate * 1000));
  if (auto runs = check_runs(*out.target->backend, model.path, plan.load, stop); !runs)
    return std::move(runs).error();
  out.live = std::make_unique<MeasuringProfiler>(*out.target->backend, plan);
  if (const auto file = default_measurements())
    out.cached = std::make_unique<CachedProfiler>(
        *out.live, *file, measuring_context(out.info, plan, out.target->command));
  return out;
}

class Searching final : public viz::DrivenRun {
 public:
  Searching(std::shared_ptr<const Model> model, const viz::RunRequest& request, Measuring measuring,
            std::optional<Journal> journal, const viz::RunWires& wires)
      : model_(std::move(model)),
        measuring_(std::move(measuring)),
        journal_(std::move(journal)),
        request_(request),
        events_(wires.events),
        run_(*model_, config_of(request), ports_of(wires)) {}

  Run& run() override { return run_; }

  Result<viz::ExportedFile> export_best(const std::filesystem::path& target,
                                        const std::stop_token& stop) override {
    const ExportWires wires{events_, stop};
    if (!measuring_.target) return export_unmeasured(*model_, run_.best(), target, wires);
    const LoadOptions load{.threads = request_.threads, .dimensions = model_->dimensions};
    Backend& backend = *measuring_.target->backend;
    const auto profiler = [&](const FileEffort& effort) {
      constexpr double kComparisons = 2;  // a gain is seen twice (MeasuringProfiler)
      MeasuringProfiler::Options plan{.load = load};
      plan.seed = request_.search.seed + (effort.draw << 32);
      plan.is_seen_twice = effort.is_seen_twice;
      plan.budget = std::chrono::milliseconds(static_cast<std::int64_t>(
          effort.seconds / (effort.is_seen_twice ? kComparisons : 1) * 1000));
      return std::make_unique<MeasuringProfiler>(backend, plan);
    };
    return export_measured(
        *model_, run_.best(), target, wires,
        {backend, profiler, load,
         files_after_search({2 * request_.budget_s, {}}, request_.budget_s), request_.search.seed});
  }

 private:
  RunConfig config_of(const viz::RunRequest& request) const {
    RunConfig out;
    out.target_name = measuring_.info.name;
    out.tool = PET_VERSION;
    out.search = request.search;
    out.budget.whole_s = request.budget_s;
    out.load = {.threads = request.threads, .dimensions = model_->dimensions};
    out.seed = request.search.seed;
    return out;
  }
  RunPorts ports_of(const viz::RunWires& wires) {
    RunPorts out{checker_, measuring_.profiler(), wires.stop};
    out.events = wires.events;
    out.now = wires.now;
    out.journal = journal_ ? &*journal_ : nullptr;
    out.make_search = [nodes = wires.nodes](const Model& model, std::string target,
                                            const AnySearchConfig& config, SearchPorts ports) {
      auto made = std::make_unique<PetSearch>(model, std::move(target), pet_config(config),
                                              std::move(ports));
      made->set_trace(nodes);
      return made;
    };
    return out;
  }

  const std::shared_ptr<const Model> model_;
  SearchChecker checker_;
  Measuring measuring_;
  std::optional<Journal> journal_;
  const viz::RunRequest request_;
  const EventSink events_;
  Run run_;
};

JournalHeader header_of(const Model& model, const viz::RunRequest& request,
                        const BackendInfo& runtime) {
  JournalHeader out;
  out.tool = PET_VERSION;
  out.model = model.path.string();
  out.digest = model.digest.hex();
  out.dimensions = model.dimensions;
  out.target = request.target;
  out.runtime = runtime.name;
  out.version = runtime.version;
  out.device = runtime.device;
  out.threads = request.threads;
  out.budget_s = request.budget_s;
  out.config = request.search;
  return out;
}

Result<std::unique_ptr<viz::DrivenRun>> start(const viz::OpenedModel& opened,
                                              const viz::RunRequest& request, viz::RunWires wires) {
  auto measuring = measuring_for(request, *opened.model, wires.stop.everything());
  if (!measuring) return std::move(measuring).error();
  std::optional<Journal> journal;
  if (!request.journal.empty()) {
    auto made =
        Journal::create(request.journal, header_of(*opened.model, request, measuring->info));
    if (!made) return std::move(made).error();
    journal = *std::move(made);
  }
  return std::unique_ptr<viz::DrivenRun>(std::make_unique<Searching>(
      opened.model, request, *std::move(measuring), std::move(journal), wires));
}

Result<viz::OpenedPair> mutant(const viz::OpenedModel& opened, const SearchConfig& config,
                               std::size_t subprogram, const std::vector<Wanted>& line,
                               const std::stop_token& stop) {
  const Graph& graph = opened.model->graph;
  const auto classes = included(split(graph, config.split).classes, graph, config.exclude);
  if (subprogram >= classes.size())
    return Error{fmt::format("the model has no subprogram {}", subprogram)};
  const Graph& original = classes[subprogram].representative().program;
  SearchChecker checker;
  auto made = MutantMaker(original, config, checker, stop).make(line);
  if (!made) return std::move(made).error();
  auto pair = opened_pair(original, made->program,
                          fmt::format("{} of {}", viz::name_of(subprogram, line.back().lineage.id),
                                      opened.model->path.filename().string()),
                          stop);
  if (!pair) return pair;
  pair->moves = line.back().lineage.moves;
  pair->places = std::make_shared<const SubprogramClass>(classes[subprogram]);
  return pair;
}

// Where the header says, if it is that model still.
Result<Model> model_of(const JournalHeader& header) {
  auto model = read_model(header.model, {.dimensions = header.dimensions});
  if (model && model->digest.hex() != header.digest)
    return Error{fmt::format("{} is not the model that was searched", printable(header.model))};
  return model;
}

Result<viz::OpenedJournal> open_journal(const std::filesystem::path& path,
                                        const std::stop_token& stop) {
  // One that never ends, or never begins, could not be cancelled.
  std::error_code unknown;
  if (std::filesystem::exists(path, unknown) && !std::filesystem::is_regular_file(path, unknown))
    return Error{fmt::format("cannot read {}: it is no regular file", printable(path.string()))};
  auto content = read_journal(path);
  if (!content) return std::move(content).error();
  viz::OpenedJournal out{
      path.filename().string(), {}, pet_config(content->header.config), {}, {}, {}};
  for (const JournalContent::Entry& entry : content->entries)
    out.entries.push_back({entry.event, entry.seconds});
  if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  if (auto current = check_current(*content); !current) {
    out.note = current.error().message;
    return out;
  }
  out.more = [tail = std::make_shared<JournalTail>(
                  path, *content)]() -> Result<std::vector<viz::LogEntry>> {
    auto entries = tail->more();
    if (!entries) return std::move(entries).error();
    std::vector<viz::LogEntry> told;
    for (auto& entry : *entries) told.push_back({std::move(entry.event), entry.seconds});
    return told;
  };
  auto model = model_of(content->header);
  if (model)
    out.model = opened_model(*std::move(model));
  else
    out.note = "without its model it is there to be read alone: " + model.error().message;
  out.content = std::make_shared<const JournalContent>(*std::move(content));
  return out;
}

Result<std::vector<viz::LogEntry>> walk(const viz::OpenedModel& opened,
                                        const JournalContent& journal, std::size_t subprogram,
                                        const std::stop_token& stop) {
  std::vector<viz::LogEntry> out;
  const auto told = overloaded{[&](const TraceNode& node) {
                                 out.push_back({viz::TracedNode{subprogram, node}, 0});
                               },
                               [&](const Event& event) {
                                 out.push_back({event, 0});
                               }};
  SearchChecker checker;
  const bool is_there = trace(
      *opened.model, journal, subprogram, checker,
      [&](const TraceStep& step) { std::visit(told, step); }, stop);
  if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  if (!is_there) return Error{fmt::format("the search has no subprogram {}", subprogram)};
  return out;
}

}  // namespace

viz::OpenedModel opened_model(Model model) {
  auto shared = std::make_shared<const Model>(std::move(model));
  return viz::OpenedModel{shared, linear_sets(shared->graph), split(shared->graph, {})};
}

viz::SearchingPorts searching() {
  const auto words = [](const char* text) { return QString::fromUtf8(text); };
  return {{{viz::kEstimates, words("estimates: nothing is measured")},
           {"ort", words("ONNX Runtime on this machine")},
           {"reference", words("reference: slow, in this process")}},
          start,
          mutant,
          open_journal,
          walk};
}

}  // namespace pet::app
