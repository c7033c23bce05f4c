// A search that is driven step by step: stop calling step() and it pauses; what it has found so far
// is always there.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/cost/operator_costs.h"
#include "core/egraph/ilp_solver.h"
#include "core/onnx/model.h"
#include "core/program/subprogram.h"
#include "core/search/events.h"
#include "core/search/search_config.h"

namespace pet {

// How far one step goes: one node of the generator's tree, one mutant looked at, one candidate
// measured, one subprogram. Nothing between two steps takes long but for a measurement.
enum class Grain { Node, Mutant, Candidate, Subprogram };
enum class StepStatus { Running, Finished };

// A mutant in its place.
struct Choice {
  std::size_t subprogram = 0;  // as the search numbers them
  std::string place;           // the first value that it computes
  Lineage mutant;
  double saved_ms = 0;  // median, in its excerpt
  Ratio ratio;
  Graph program;  // from `inputs` of the model's graph to `outputs`
  std::vector<NodeId> inputs, outputs;
};

// Choices that are made together in one file.
struct Plan {
  std::vector<Choice> choices;
  double saved_ms = 0;  // as the search estimates it, transposes between the choices paid for
};

// How far a search has come, for people.
struct SearchProgress {
  std::size_t subprograms = 0, done = 0;
  std::size_t pieces = 0;  // of work that were done; what a stop cut short does not count
  double saved_ms = 0;     // by the best of what was found, each in its place
};

// The port that a run drives. A search learns of the world through what it is made with alone
// (SearchPorts), so that one that is made again from the same configuration and the same answers
// does the same.
class Search {
 public:
  virtual ~Search() = default;
  virtual StepStatus step(Grain grain) = 0;
  // The plans worth trying, the most promising first. Empty: nothing faster was found.
  virtual std::vector<Plan> best() const = 0;
  // Says why no more steps will be taken. Called once, by whoever drives the search.
  virtual void finish(StopReason reason) = 0;
  // Nothing is left to do: more time would change nothing.
  virtual bool is_finished() const = 0;
  virtual SearchProgress progress() const = 0;
};

// What a search asks and tells. REQUIRES: all outlive the search
struct SearchPorts {
  EquivalenceChecker& checker;
  Profiler& profiler;
  EventSink sink;
  std::stop_token stop;
  egraph::IlpSolver* solver = nullptr;  // of integer programs; null: there is none
  // What operators take in the target, for a search that was made to ask; null: estimates.
  OperatorCosts* costs = nullptr;
};

// `target`: what it is measured in, as people call it. REQUIRES: the model outlives the search
using SearchFactory = std::function<std::unique_ptr<Search>(
    const Model& model, std::string target, const AnySearchConfig& config, SearchPorts ports)>;

}  // namespace pet
