// Single elements of a linear program modulo one prime, by recursion from what is asked for: many
// times faster than the evaluator that knows element functions too, because layout operators cost
// an index computation and nothing is remembered but sums.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "core/eval/point_eval.h"

namespace pet {

class LinearPoints {
 public:
  // nullopt where an operator that an output needs has no meaning or an element function in it.
  // REQUIRES: `graph` outlives this; all shapes are known
  static std::optional<LinearPoints> of(const Graph& graph, const PrimeField& field,
                                        const Leaves& leaves);

  // nullopt where more than `most_steps` products were summed in all.
  std::optional<std::uint32_t> value(NodeId node, Dim flat);
  void limit(std::uint64_t most_steps) { most_steps_ = most_steps; }

 private:
  struct Term {
    const pet::Term* term = nullptr;
    std::uint32_t scale = 1;
    std::vector<std::vector<std::uint32_t>> tables;
  };
  struct Code {
    LeafElements leaf;  // of an input or a constant; else the rest
    Shape shape;
    Meaning meaning;
    std::vector<NodeId> operands;
    std::vector<Term> terms;
    bool sums = false;      // at least one term is a sum
    std::vector<Dim> axes;  // the point in work: a node never waits for itself
  };

  explicit LinearPoints(const PrimeField& field) : field_(field) {}
  bool read(const Graph& graph, NodeId id, Code& code) const;
  std::uint32_t element(std::size_t node, Dim flat);
  std::uint32_t sum(Code& code, const Term& term);
  std::uint32_t product(const Code& code, const Term& term);

  PrimeField field_;
  std::vector<Code> codes_;
  std::unordered_map<std::uint64_t, std::uint32_t> memo_;
  std::uint64_t steps_ = 0;
  std::uint64_t most_steps_ = std::uint64_t{1} << 40;
};

}  // namespace pet
