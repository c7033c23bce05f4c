// A run: from a model to the written file, as a value that is driven. Whoever drives it (a command
// line, a window, a test) calls step() until it is done; between two steps it is paused, and what
// it has found so far is there.
//
//   Prepare            the original is timed
//   Search             subprograms, mutants, measurements, plans (a Search)
//   Accept             files are written, measured, proved, compared (an Acceptance)
//   Done               the target is the accepted file, else the original, byte for byte
//
// Time, randomness, runtimes and provers come in through the ports.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "core/run/budget.h"
#include "core/run/place_record.h"
#include "core/run/stop.h"
#include "core/search/acceptance.h"
#include "core/search/journal.h"
#include "core/search/make_search.h"
#include "core/util/steady_seconds.h"

namespace pet {

// Where a search that is run again ended.
struct Ending {
  std::size_t pieces = 0;  // as SearchProgress counts them
  StopReason reason = StopReason::Finished;
};

struct RunConfig {
  std::filesystem::path target;  // the file to be written; empty: the search is all
  std::string target_name;       // of the runtime, as people call it
  std::string tool;              // the version of what wrote the file
  AnySearchConfig search;
  Budget budget;
  std::optional<Ending> ending;  // instead of the budget
  LoadOptions load;              // threads of the runtime, sizes of open dimensions
  double max_rel_error = 1e-4;   // as in AcceptanceConfig
  double max_growth = 4;
  std::vector<InputSet> data;
  std::map<std::string, ValueRange> fill;  // of inputs by name: what is drawn for them
  std::uint64_t seed = 1;
  std::size_t threads = 1;          // of our own work after the search
  std::optional<double> started_s;  // when it all began, on the clock of the ports; else now
  // Whole files are made beside the target and timed; none is proved, and the target not written.
  bool measures_only = false;
};

struct RunPorts {
  EquivalenceChecker& checker;
  Profiler& candidates;  // what the search measures with
  StopRequests& stop;
  EventSink events = [](const Event&) {};
  std::function<double()> now = steady_seconds;  // from any moment on
  Journal* journal = nullptr;                    // events are written there, and its time counts
  SearchFactory make_search = make_pet_search;
  egraph::IlpSolver* solver = nullptr;  // of a search that has integer programs
  OperatorCosts* costs = nullptr;       // of a search that measures operators
  // What comes before and after a search; a run that only searches needs none of it.
  Backend* backend = nullptr;
  // Milliseconds of the original by itself where they are known, or nobody can tell; else it is
  // run.
  std::function<std::vector<double>()> time_original = {};
  FileProver prove = {};
  std::function<std::unique_ptr<Profiler>(const LoadOptions&, const FileEffort&)> profile_files =
      {};
};

class Run {
 public:
  enum class Phase { Prepare, Search, Accept, Done };

  // REQUIRES: model and what the ports refer to outlive this
  Run(const Model& model, RunConfig config, RunPorts ports);
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  Phase phase() const { return phase_; }
  // One piece of the phase in work: of a search as far as `grain` says. Nothing happens once it is
  // Done.
  void step(Grain grain = Grain::Node);
  // The plans worth trying, the most promising first, as far as they are known.
  std::vector<Plan> best() const { return search_ ? search_->best() : std::vector<Plan>(); }
  // From any thread.
  void request_stop() { ports_.stop.request(); }

  SearchProgress progress() const { return search_ ? search_->progress() : SearchProgress{}; }
  double budget_left_s() const { return parts_.search_s - spent_s(); }  // of the search
  // As they were planned when the search began.
  const BudgetParts& parts() const { return parts_; }
  // Seconds by stage: "set-up", "search", "accept", "total"; of "accept" what its own took (those
  // of short_name(Stage)).
  const std::map<std::string, double>& seconds() const { return seconds_; }

  // A tool that failed; the original was written all the same, unless that failed too
  // (is_written()).
  const std::optional<Error>& failure() const { return failure_; }
  bool is_written() const { return is_written_; }
  const Accepted& accepted() const { return accepted_; }
  // What happened, as far as it did. What only its driver knows (paths, certificates) is left open.
  RunRecord record() const;

 private:
  void prepare();
  void begin_search();
  void search(Grain grain);
  std::optional<StopReason> why_over(StepStatus status) const;
  void end_search(StopReason reason);
  void begin_accepting();
  void accept();
  void finish();
  void hear(const Event& event);
  void end_stage();
  double spent_s() const;
  double since_s(double start) const { return ports_.now() - start; }

  const Model& model_;
  RunConfig config_;
  RunPorts ports_;
  Phase phase_ = Phase::Prepare;
  double started_s_;
  double phase_started_s_;
  std::optional<Stage> stage_;  // of the acceptance
  double stage_started_s_ = 0;
  std::unique_ptr<Search> search_;
  BudgetParts parts_;
  std::unique_ptr<Profiler> files_profiler_;  // of the comparison at work
  std::unique_ptr<Acceptance> acceptance_;
  Accepted accepted_;
  std::optional<Error> failure_;
  bool is_written_ = false;
  std::map<std::string, double> seconds_;
  std::vector<double> original_ms_;  // of the whole original alone; empty: nobody waited for it
  Recorder recorder_;
  std::size_t failed_ = 0;  // candidates that could not be measured
  std::string why_failed_;
};

}  // namespace pet
