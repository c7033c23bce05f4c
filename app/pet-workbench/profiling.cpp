#include "app/pet-workbench/profiling.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>

#include "app/common/machine.h"
#include "app/common/target.h"
#include "core/backend/cached_profiler.h"
#include "core/backend/scratch_folder.h"
#include "core/backend/stored_profile.h"
#include "core/backend/time_alone.h"
#include "core/ir/structure.h"
#include "core/onnx/export.h"
#include "core/util/median.h"
#include "core/util/plural.h"
#include "core/util/printable.h"

namespace pet::app {
namespace {

using viz::Memory;
using viz::PreparedPrograms;

constexpr double kSecondsAlone = 3;
constexpr std::chrono::milliseconds kBudget(5000);  // of each of two comparisons

// ---- files and estimates

MachineModel this_machine() {
  MachineModel machine;
  machine.threads = static_cast<double>(all_threads());
  return machine;
}

void add(PreparedPrograms& to, std::string name, std::shared_ptr<const Model> model) {
  to.programs.push_back({std::move(name), estimated(*model, this_machine())});
  to.models.push_back(std::move(model));
}

Status add_file(PreparedPrograms& to, std::string name, const std::filesystem::path& file,
                const std::map<std::string, Dim>& dimensions) {
  auto model = read_model(file, {.dimensions = dimensions});
  if (!model) return std::move(model).error();
  add(to, std::move(name), std::make_shared<const Model>(*std::move(model)));
  return Done{};
}

Result<PreparedPrograms> prepare_pair(const viz::OpenedPair& pair) {
  auto folder = ScratchFolder::make("pet-profile");
  if (!folder) return std::move(folder).error();
  const auto files = std::make_shared<const ScratchFolder>(*std::move(folder));
  PreparedPrograms out;
  out.files = files;
  for (const auto& [name, graph] :
       {std::pair("original", pair.original.get()), std::pair("mutant", pair.mutant.get())}) {
    const auto file = files->path() / fmt::format("{}.onnx", name);
    if (auto written = write_named_program(*graph, file); !written)
      return std::move(written).error().within(name);
    if (auto added = add_file(out, name, file, {}); !added) return std::move(added).error();
  }
  return out;
}

Status check_same_inputs(const Model& a, const Model& b) {
  const auto is_same = [](const ModelInput& one, const ModelInput& other) {
    return one.name == other.name && one.type == other.type;
  };
  if (std::ranges::equal(a.inputs, b.inputs, is_same)) return Done{};
  return Error{fmt::format("{} and {} have different inputs", printable(a.path.string()),
                           printable(b.path.string())),
               ErrorKind::Usage};
}

Result<PreparedPrograms> prepare(const viz::Opened& opened, const std::filesystem::path& other,
                                 const std::stop_token& stop) {
  if (opened.pair && other.empty()) return prepare_pair(*opened.pair);
  PreparedPrograms out;
  const auto& model = opened.model->model;
  const std::string name = model->path.filename().string();
  add(out, other.empty() ? name : "original", model);
  if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  if (other.empty()) return out;
  if (auto added = add_file(out, other.filename().string(), other, model->dimensions); !added)
    return std::move(added).error();
  if (auto same = check_same_inputs(*model, *out.models[1]); !same) return std::move(same).error();
  return out;
}

// ---- measuring

// The targets, one after another: nothing else may run while something is timed.
class Targets {
 public:
  explicit Targets(std::vector<std::string> workers) : workers_(std::move(workers)) {}

  // `ask` has the target for itself. It is started where it is not there.
  template <class Ask>
  auto with(const std::string& name, const std::stop_token& stop, Ask ask)
      -> decltype(ask(std::declval<Target&>())) {
    std::unique_lock guard(mutex_, std::defer_lock);
    while (!guard.try_lock_for(std::chrono::milliseconds(50)))
      if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    if (!started_.contains(name)) {
      const bool is_worker = std::ranges::find(workers_, name) != workers_.end();
      auto target =
          is_worker ? start_target(TargetFlags{.worker = name}, stop) : start_target(name, stop);
      if (!target) return std::move(target).error();
      started_.emplace(name, *std::move(target));
    }
    if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    return ask(started_.at(name));
  }

 private:
  const std::vector<std::string> workers_;
  std::timed_mutex mutex_;
  std::map<std::string, Target> started_;
};

int threads_for(const Backend& backend) { return std::max(1, backend.info().threads); }

// Of a device there are no threads to choose.
std::string words_of(const BackendInfo& info) {
  std::string out = fmt::format("{} {} on {}", info.name, info.version, info.device);
  if (info.threads > 0) out += ", " + plural(info.threads, "thread");
  return printable(out);
}

Result<LoadOptions> options_for(const PreparedPrograms& programs, const Backend& backend) {
  LoadOptions out{.threads = threads_for(backend),
                  .dimensions = programs.models.front()->dimensions};
  for (const auto& model : programs.models) {
    auto ranges = input_ranges(*model);
    if (!ranges) return std::move(ranges).error();
    out.ranges.merge(*ranges);
  }
  return out;
}

Result<viz::WholeTimes> time_one(const PreparedPrograms& programs, Target& target,
                                 const LoadOptions& load, const std::stop_token& stop) {
  auto times = time_alone(*target.backend, programs.models[0]->path, load, kSecondsAlone, 1, stop);
  if (!times) return std::move(times).error();
  viz::WholeTimes out;
  out.comparison.timing.a_ms = *std::move(times);
  return out;
}

Result<viz::WholeTimes> time_two(const PreparedPrograms& programs, Target& target,
                                 const LoadOptions& load, Memory memory,
                                 const std::stop_token& stop) {
  MeasuringProfiler::Options plan{.load = load};
  plan.budget = kBudget;
  MeasuringProfiler measuring(*target.backend, plan);
  std::optional<CachedProfiler> cached;
  const auto database = memory == Memory::Asked ? default_measurements() : std::nullopt;
  if (database)
    cached.emplace(measuring, *database,
                   measuring_context(target.backend->info(), plan, target.command));
  Profiler& profiler = cached ? static_cast<Profiler&>(*cached) : measuring;
  auto comparison = profiler.compare(programs.models[0]->path, programs.models[1]->path, stop);
  if (!comparison) return std::move(comparison).error();
  return viz::WholeTimes{*std::move(comparison), cached && cached->reused() > 0};
}

Result<viz::MeasuredWhole> measure(const PreparedPrograms& programs, Target& target, Memory memory,
                                   const std::stop_token& stop) {
  const auto load = options_for(programs, *target.backend);
  if (!load) return load.error();
  auto times = programs.models.size() == 1 ? time_one(programs, target, *load, stop)
                                           : time_two(programs, target, *load, memory, stop);
  if (!times) return std::move(times).error();
  return viz::MeasuredWhole{*std::move(times), words_of(target.backend->info())};
}

Result<viz::RecordedProgram> record_one(const Model& model, Backend& backend,
                                        const LoadOptions& load, const std::stop_token& stop) {
  const auto loaded = backend.load(model.path, load, stop);
  if (!loaded) return loaded.error();
  const auto profile = backend.profile(loaded->id, {}, stop);
  backend.unload(loaded->id);
  if (!profile) return profile.error();
  return viz::RecordedProgram{median(profile->runs_ms), attributed(*profile, model)};
}

Result<viz::MeasuredOperators> record(const PreparedPrograms& programs, Target& target,
                                      const std::stop_token& stop) {
  const auto load = options_for(programs, *target.backend);
  if (!load) return load.error();
  viz::MeasuredOperators out;
  for (const auto& model : programs.models) {
    auto one = record_one(*model, *target.backend, *load, stop);
    if (!one) return std::move(one).error();
    out.programs.push_back(*std::move(one));
  }
  out.target = words_of(target.backend->info());
  return out;
}

// ---- stored times

// Of the last comparison of both, whatever decided it; of one program its times in all of them.
Result<viz::MeasuredWhole> look_up(const PreparedPrograms& programs, const std::string& file) {
  const auto profile = StoredProfile::read(file, false);
  if (!profile) return profile.error();
  const std::string original = structure_text(programs.models[0]->graph);
  viz::WholeTimes out;
  out.is_remembered = true;
  if (programs.models.size() == 1) {
    out.comparison.timing.a_ms = profile->times_of(original);
  } else {
    const ComparedStructures both{original, structure_text(programs.models[1]->graph)};
    for (const StoredComparison& line : profile->lines())
      if (line.programs == both) out.comparison = line.comparison;
  }
  if (out.comparison.timing.a_ms.empty())
    return Error{fmt::format("none of the {} of {} is of {}",
                             plural(profile->lines().size(), "comparison"), printable(file),
                             programs.models.size() == 1 ? "this program" : "these two programs"),
                 ErrorKind::Unsupported};
  return viz::MeasuredWhole{std::move(out), words_of(*profile->source())};
}

}  // namespace

viz::ProfilePorts profile_ports(const MoreTargets& more) {
  const auto targets = std::make_shared<Targets>(more.workers);
  const auto is_stored = [profiles = more.profiles](const std::string& target) {
    return std::ranges::find(profiles, target) != profiles.end();
  };
  viz::ProfilePorts out;
  // What was named is meant.
  out.targets = more.profiles;
  out.targets.insert(out.targets.end(), more.workers.begin(), more.workers.end());
  out.targets.insert(out.targets.end(), {"ort", "reference"});
  out.prepare = prepare;
  out.measure = [targets, is_stored](const PreparedPrograms& programs, const std::string& target,
                                     Memory memory, const std::stop_token& stop) {
    if (is_stored(target)) return look_up(programs, target);
    return targets->with(target, stop,
                         [&](Target& started) { return measure(programs, started, memory, stop); });
  };
  out.record = [targets, is_stored](const PreparedPrograms& programs, const std::string& target,
                                    const std::stop_token& stop) -> Result<viz::MeasuredOperators> {
    if (is_stored(target))
      return Error{"a stored profile has times of whole programs alone", ErrorKind::Unsupported};
    return targets->with(target, stop,
                         [&](Target& started) { return record(programs, started, stop); });
  };
  return out;
}

}  // namespace pet::app
