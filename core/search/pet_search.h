// PET's search (Algorithm 2): subprograms, their mutants, corrections, the cheapest of them
// measured among their neighbours, and the choices that go best together.
//
//   split -> mutants -> analytic cost -> fingerprint -> heap -> check -> correct -> check again ->
//   measure -> choose -> bitmap check
//
// A mutant is only checked where it could enter the heap; what is found here is proved once more,
// on the written file, before anything is claimed.
#pragma once

#include <memory>
#include <optional>
#include <set>

#include "core/cost/analytic.h"
#include "core/onnx/model.h"
#include "core/program/fingerprint.h"
#include "core/search/candidate_timer.h"
#include "core/search/measuring_queue.h"
#include "core/search/mutant_check.h"
#include "core/search/mutant_stream.h"
#include "core/search/planner.h"
#include "core/search/search.h"
#include "core/search/search_config.h"
#include "core/search/surroundings.h"

namespace pet {

class PetSearch final : public Search {
 public:
  PetSearch(const Model& model, std::string target, const SearchConfig& config, SearchPorts ports);

  using Trace = std::function<void(std::size_t subprogram, const TraceNode&)>;
  // Every node of the generators from now on, as it is walked.
  void set_trace(Trace trace) { trace_ = std::move(trace); }
  // Works on this subprogram and on no other. REQUIRES: there is one, and no step was taken
  void restrict_to(std::size_t number) { order_ = {number}; }

  StepStatus step(Grain grain) override;
  std::vector<Plan> best() const override;
  void finish(StopReason reason) override;
  bool is_finished() const override { return is_finished_; }
  SearchProgress progress() const override {
    return {classes_.size(), std::min(next_, order_.size()), totals_.pieces, saved_ms_};
  }

 private:
  using Waiting = MeasuringQueue::Waiting;

  // What is known of a class besides what was measured.
  struct ClassWork {
    std::optional<MutantStream> mutants;
    CandidateHeap heap;
    std::unique_ptr<Fingerprinter> fingerprints;  // while its mutants are looked at
    MutantsCounted counted;
    std::set<MutantId> shown;
    double saved_ms = 0;  // by the best that was measured
  };

  bool work();     // one piece of it, as a whole or not at all; false: nothing is left to do
  bool advance();  // the same, with its events in `pending_`
  void emit(Event event) { pending_.push_back(std::move(event)); }
  std::string show(const Graph& program);  // its digest
  void show(std::size_t number, const Lineage& mutant);
  std::vector<double> costs_of_originals() const;
  void count_mutants(std::size_t number, bool all);
  void open_class();  // for a round
  void close_class();
  void look_at(Proposal mutant);
  std::optional<Candidate> worth_a_look(std::size_t number, Graph program, const Lineage& lineage);
  // What a check says; one that was cut short says nothing.
  Checked counted(Checked checked);
  void check_whole(Waiting waiting);
  void correct(const Waiting& waiting, const Region& wrong);
  void measure(Waiting next);  // checked and corrected before, where that is needed
  void measure_now(Waiting waiting);
  bool check_chosen();                               // false: there is nothing to check
  bool take(std::optional<SurroundingTimed> timed);  // false: there was nothing to be timed
  double cost_of(const Graph& program) const;
  void discard(std::size_t number, const Lineage& mutant, Discarded why, std::string detail = {});
  void drop(std::size_t number, const Candidate& candidate, std::optional<MutantId> by);
  std::size_t current() const { return order_[next_ % order_.size()]; }
  const Subprogram& subprogram() const { return classes_[current()].representative(); }

  const Model& model_;
  SearchConfig config_;
  CandidateTimer timer_;
  EventSink sink_;
  std::stop_token stop_;
  MutantCheck check_;

  std::vector<SubprogramClass> classes_;
  Planner planner_;
  MeasuringQueue queue_;
  std::vector<std::size_t> order_;  // in which they are worked on: the most expensive first
  std::size_t next_ = 0;            // of order_, once for each round
  bool is_open_ = false;            // the class in work
  std::vector<ClassWork> work_;     // by class
  SearchFinished totals_;
  std::size_t steps_ = 0;
  bool is_finished_ = false;
  double saved_ms_ = 0;  // by the best of each class

  Trace trace_;
  std::vector<Event> pending_;  // of the piece in work
  bool is_cut_short_ = false;   // it was stopped in the middle
  std::set<std::string> shown_;
};

}  // namespace pet
