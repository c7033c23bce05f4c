// Single elements of a linear program modulo one prime, from what is asked for back to the leaves.
// Many times faster than the evaluator that knows element functions too: a sum is evaluated as a
// whole, operators that only move data cost one look at the loops whose index they change, and
// nothing is remembered but sums.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/eval/live_nest.h"
#include "core/eval/point_eval.h"
#include "core/eval/position_memo.h"

namespace pet {

class LinearPoints {
 public:
  // The elements of an operator that is evaluated elsewhere.
  using Elsewhere = std::function<LeafElements(NodeId)>;

  // `elsewhere` is asked for operators with element functions that follow from constants alone.
  // nullopt where another operator that an output needs has no meaning or an element function in
  // it, or sums over more loops than a nest has.
  // REQUIRES: `graph` outlives this; all shapes are known
  static std::optional<LinearPoints> of(const Graph& graph, const PrimeField& field,
                                        const Leaves& leaves, const Elsewhere& elsewhere = {});

  // nullopt where more than `most_steps` products were summed in all. A product of which a guard
  // fails or a factor is read outside or is zero counts, but what its further factors would be
  // summed of does not.
  std::optional<std::uint32_t> value(NodeId node, Dim flat);
  // Many at once; `flat` has at least one.
  std::optional<std::vector<std::uint32_t>> values(NodeId node, std::span<const Dim> flat);
  void limit(std::uint64_t most_steps) { most_steps_ = most_steps; }

 private:
  struct Term {
    const pet::Term* term = nullptr;
    std::uint32_t scale = 1;
    std::vector<std::vector<std::uint32_t>> tables;
    std::vector<const Guard*> guards;       // those that do not hold everywhere
    std::vector<std::vector<char>> inside;  // of each factor along each axis: wherever it reads
  };
  struct Code {
    LeafElements leaf;  // of an input or a constant; else the rest
    Shape shape;
    const Meaning* meaning = nullptr;
    std::vector<NodeId> operands;
    std::vector<Term> terms;
    bool sums = false;           // at least one term is a sum
    bool counts = false;         // it sums, or something that it reads does
    std::uint64_t products = 0;  // that an element is summed of
    PositionMemo memo;           // of a node that sums; a node never waits for itself
  };

  explicit LinearPoints(const PrimeField& field) : field_(field) {}
  bool read(const Graph& graph, NodeId id, Code& code) const;
  bool read(const Code& code, const pet::Term& term, Term& out) const;
  bool is_over() const { return steps_ > most_steps_; }

  // The elements of a node at these indices along its axes.
  Residues elements(std::size_t node, const LoopExtents& extents, std::vector<Indices> index);
  void sums(Code& code, std::span<const Dim> positions, std::span<std::uint32_t> out);
  void add_sums(const Code& code, const Term& term, std::span<const Dim> positions,
                std::span<std::uint32_t> totals);
  void add_rows(const LiveNest& nest, const Term& term, std::span<std::uint32_t> totals) const;

  // Both leave the nest with the values of all tables and factors. false: they are zero everywhere.
  bool read_factors(const Code& code, const Term& term, LiveNest& nest);
  bool read_factor(const Code& code, const Term& term, std::size_t number, LiveNest& nest);
  bool keep_nonzero(const Term& term, LiveNest& nest) const;
  Residues product(const LoopExtents& extents, const Residues& a, const Residues& b) const;

  PrimeField field_;
  std::vector<Code> codes_;
  std::uint64_t steps_ = 0;
  std::uint64_t most_steps_ = std::uint64_t{1} << 40;
};

}  // namespace pet
