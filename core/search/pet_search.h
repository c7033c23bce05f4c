// PET's search (Algorithm 2), one round: subprograms, their mutants, corrections, and for each
// place the candidate that is measured fastest among its neighbours.
//
//   split -> mutants -> fingerprint -> analytic cost -> bitmap check -> correct -> check again ->
//   measure -> choose
#pragma once

#include <chrono>
#include <optional>
#include <set>

#include "core/cost/analytic.h"
#include "core/program/mutate/generator.h"
#include "core/program/split.h"
#include "core/search/search.h"
#include "core/util/rng.h"

namespace pet {

struct SearchConfig {
  std::uint64_t seed = 1;
  std::size_t threads = 1;
  std::size_t max_steps = SIZE_MAX;  // mutants looked at
  double worth_measuring =
      1.05;  // analytic cost, as a multiple of the original's, up to which a candidate is measured
  std::size_t reach = 2;       // neighbours that a measured window takes in
  std::size_t positions = 24;  // of a fingerprint
  SplitOptions split;
};

class PetSearch final : public Search {
 public:
  PetSearch(const Model& model, std::string target, SearchConfig config,
            EquivalenceChecker& checker, Profiler& profiler, EventSink sink, std::stop_token stop);

  StepStatus step(Grain grain) override;
  std::vector<Choice> best() const override;

  // Says why no more steps will be taken. Called once, by whoever drives the search.
  void finish(StopReason reason);
  std::size_t subprograms() const { return subprograms_.size(); }
  std::size_t subprograms_done() const { return next_subprogram_; }

 private:
  struct Candidate {
    Graph program;
    std::string how;
    bool corrected = false;
    double cost = 0;  // analytic
  };

  void open_subprogram();
  void look_at(Mutant mutant);
  void add_candidate(Graph program, std::string how, bool corrected);
  void measure_next();
  double cost_of(const Graph& program) const;
  void discard(const std::string& how, Discarded why, std::string detail = {});

  const Model& model_;
  SearchConfig config_;
  EquivalenceChecker& checker_;
  Profiler& profiler_;
  EventSink sink_;
  std::stop_token stop_;
  Rng rng_;

  std::vector<Subprogram> subprograms_;
  std::size_t next_subprogram_ = 0;
  std::optional<MutantGenerator> mutants_;  // of the subprogram in work
  std::vector<Candidate> candidates_;       // of it, cheapest last once all are known
  double original_cost_ = 0;
  bool sorted_ = false;
  std::vector<Choice> choices_;  // at most one a subprogram
  SearchFinished totals_;
  std::size_t steps_ = 0;
};

}  // namespace pet
