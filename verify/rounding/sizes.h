// How large the terms of a program's sums are, whatever cancels: every constant, coefficient and
// input made absolute.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <stop_token>
#include <vector>

#include "core/eval/evaluate.h"
#include "core/ir/graph.h"
#include "verify/rounding/element_sizes.h"

namespace pet {

// The largest and the smallest size that anything computed on the way has; 0 and infinity do not
// count (a zero stays a zero, and of an unbounded result only what is used matters).
struct Extremes {
  double largest = 1;
  double smallest = 1;

  void include(double size);
  void include(const Sizes& sizes);
  void include(const Extremes& other);
  // Far enough from the ends of float32 that ordinary inputs do not reach them either.
  bool leaves_floats(const Extremes& original) const;
  // So far that results of functions, which count 1 here, may reach them.
  bool strays_from(const Extremes& original) const;
};

// The operands that a node's sum itself reads; the arguments of functions are read by the
// functions.
std::set<std::size_t> summed_operands(const Graph& graph, NodeId id);

// The operands to which a node applies functions; all of an operator without a meaning of ours.
std::set<std::size_t> argument_operands(const Graph& graph, NodeId id);

// Sizes of the wanted nodes of one program, in order. Results of operators without a
// meaning of ours, count 1.
class SizeRun {
 public:
  // What the run does not find out by itself.
  struct Given {
    // Nodes whose sizes come from elsewhere, and these; all others follow from their operands'.
    std::vector<char> known;
    std::function<const Sizes&(NodeId)> sizes;
    // Sizes of what each application of a node yields; `operands` are those of the node, without
    // elements where the run does not need them.
    std::function<Result<std::vector<Sizes>>(NodeId, const std::vector<const Sizes*>& operands)>
        results;
    bool results_need_arguments = false;
    bool in_floats = false;  // as floats round: what is past their range has no bound
    double input = 1;        // how much an input counts
    // Numbers that count 1 where a constant is nothing else, of either sign.
    std::set<float> left_out = {};
  };

  // REQUIRES: `code` outlives this
  SizeRun(const GraphCode& code, Given given, std::size_t threads, const std::stop_token& stop);

  // The nodes whose sizes are looked up or computed if those of `wanted` are.
  std::vector<char> touched(const std::vector<char>& wanted) const;

  Status run(const std::vector<char>& wanted,
             const std::function<Status(NodeId, const Sizes&)>& visit);

  // Of the operators that were evaluated for that, those on the way to a node.
  Extremes extremes_on_the_way_to(NodeId node) const;
  // Whether floats hold a visited node and all that was evaluated for it as they are.
  bool fits_floats(NodeId node) const { return beyond_[node.index()] == 0; }

 private:
  bool is_computed(NodeId id) const;
  std::set<std::size_t> reads(NodeId id) const;
  double held(double size, double before) const;
  Result<Sizes> sum_of(NodeId id, const MeaningCode& code,
                       const std::vector<const Sizes*>& operands);
  void hold(NodeId id, double before, std::span<double> sizes);
  std::optional<std::size_t> only_moved(NodeId id, const MeaningCode& code,
                                        const std::vector<Sizes>& values) const;
  // `uses`: how often each value is read from now on. What is read for the last time may be taken.
  Result<Sizes> evaluate(NodeId id, const std::set<std::size_t>& read, std::vector<Sizes>& values,
                         const std::vector<std::size_t>& uses);

  const GraphCode& code_;
  const Graph& graph_;
  Given given_;
  RealEvaluator<double> evaluator_;
  std::size_t threads_;
  const std::stop_token& stop_;
  std::vector<Extremes> extremes_;  // by node
  std::vector<char> beyond_;        // by node: it, or what it was evaluated from, leaves the floats
};

// What all elements of a constant are; nothing where they are not the same float.
std::optional<float> the_number(const Tensor& tensor);

// Every result 1: sizes are counted from the last functions on.
std::vector<Sizes> results_of_one(const Graph& graph, NodeId id);

// What the functions make of arguments of these sizes, with either sign; 1 where that is undefined.
// Rounding errors pass through bounded functions, too: an argument counts itself until nothing of
// the result is left.
Result<std::vector<Sizes>> results_of_arguments(const GraphCode& code, NodeId id,
                                                const std::vector<const Sizes*>& operands,
                                                std::size_t threads);

}  // namespace pet
