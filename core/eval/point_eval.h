// Single elements of a program on demand, modulo one prime. Walks the meanings by their definition
// and nothing else (no compiled plans), so it is also the second opinion on the evaluators that
// work on whole tensors.
//
// An element function is a keyed hash of its arguments: equal functions of equal arguments give
// equal residues under one secret. That is good enough to tell programs apart in a search; no proof
// rests on it.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "core/eval/kernels/prime.h"
#include "core/ir/graph.h"
#include "core/util/result.h"

namespace pet {

// The elements of an input or a constant, by flat position: one, or many in one call.
class LeafElements {
 public:
  LeafElements() = default;
  template <std::invocable<Dim> F>
  LeafElements(F element)  // NOLINT: a function of a position is one
      : read_([element = std::move(element)](std::span<const Dim> flats,
                                             std::span<std::uint32_t> out) {
          std::transform(flats.begin(), flats.end(), out.begin(), element);
        }) {}

  explicit operator bool() const { return static_cast<bool>(read_); }
  std::uint32_t operator()(Dim flat) const {
    std::uint32_t out = 0;
    read_({&flat, 1}, {&out, 1});
    return out;
  }
  // REQUIRES: out.size() == flats.size()
  void read(std::span<const Dim> flats, std::span<std::uint32_t> out) const { read_(flats, out); }

 private:
  std::function<void(std::span<const Dim>, std::span<std::uint32_t>)> read_;
};

using Leaves = std::function<LeafElements(const Node& leaf)>;

// Inputs are random, told apart by name and type. A constant that the original has is random too,
// told apart by its type and bits, unless it is one finite float; a finite float constant that only
// a mutant has is its exact value.
Leaves random_leaves(const PrimeField& field, const Digest& secret, const Graph& original);

class PointEvaluator {
 public:
  // REQUIRES: `graph` outlives this. `most_steps` bounds the work: terms and window elements
  // visited.
  PointEvaluator(const Graph& graph, PrimeField field, Leaves leaves, const Digest& secret,
                 std::uint64_t most_steps);
  ~PointEvaluator();

  // REQUIRES: the node's shape is known and flat lies in it. An Error where the work is too much,
  // where an opaque operator would have to be evaluated, or where the prime divides a coefficient's
  // denominator.
  Result<std::uint32_t> value(NodeId node, Dim flat);

  std::uint64_t steps() const;

 private:
  class Machine;
  std::unique_ptr<Machine> machine_;
};

}  // namespace pet
