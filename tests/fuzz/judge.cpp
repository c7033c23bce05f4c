#include "tests/fuzz/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/util/rng.h"
#include "tests/support/interpret.h"
#include "verify/verdict/replay.h"

namespace pet::fuzz {
namespace {

// Whether the verdict calls this position of the output equal.
bool calls_equal(const OutputVerdict& out, Dim flat) {
  if (out.outcome == Outcome::Equivalent) return true;
  if (out.equal == 0) return false;
  Shape at;
  for (const Dim stride : row_major_strides(out.wrong.basis.flat())) {
    at.push_back(flat / stride);
    flat %= stride;
  }
  return std::none_of(out.wrong.boxes.begin(), out.wrong.boxes.end(),
                      [&](const Box& box) { return box.contains(at); });
}

Dim flat_of(const Shape& shape, const Shape& position) {
  Dim flat = 0;
  for (std::size_t i = 0; i < shape.size(); ++i) flat = flat * shape[i] + position[i];
  return flat;
}

bool is_consistent(const OutputVerdict& out) {
  return out.equal + out.different + out.undecided == out.elements &&
         (out.equal == 0 || out.outcome == Outcome::Equivalent ||
          out.wrong.volume() == out.elements - out.equal);
}

// As far as the roundings of a sum of some terms move a number: the definition's coefficients are
// doubles.
void move_by_roundings(test::Values& values, Rng& roundings) {
  for (Real& x : values.data) x += x * static_cast<Real>(roundings.between(-16, 16)) * 0x1p-54L;
}

// With `roundings` every result is moved by some.
test::Values interpreted(const Graph& graph, NodeId output, std::uint64_t seed,
                         Rng* roundings = nullptr) {
  std::vector<char> needed(graph.nodes().size(), 0);
  needed[output.index()] = 1;
  for (std::size_t i = needed.size(); i-- > 0;) {
    if (needed[i] == 0) continue;
    for (const NodeId operand : graph.node(NodeId(i)).operands) needed[operand.index()] = 1;
  }
  std::vector<test::Values> values(needed.size());
  for (const NodeId id : graph.ids()) {
    if (needed[id.index()] == 0) continue;
    const Node& node = graph.node(id);
    test::Values value{*node.type.shape, {}};
    if (node.input() != nullptr) {
      for (const float x : witness_input(node.input()->name, node.type, seed))
        value.data.push_back(x);
    } else if (node.constant() != nullptr) {
      const std::vector<double> numbers = numbers_of(*node.constant());
      value.data.assign(numbers.begin(), numbers.end());
    } else if (graph.has_meaning(id)) {
      std::vector<test::Values> operands;
      for (const NodeId operand : node.operands) operands.push_back(values[operand.index()]);
      value = test::interpret(graph.meaning(id), std::move(operands));
      if (roundings != nullptr) move_by_roundings(value, *roundings);
    }
    values[id.index()] = std::move(value);
  }
  return values[output.index()];
}

// Whether a number of the output is one or not as roundings have it: the arccosine of 1.
bool is_at_edge_of_domain(const Graph& graph, NodeId output, std::uint64_t seed, std::size_t at) {
  constexpr int kTries = 32;
  Rng roundings(seed);
  std::set<bool> is_number;
  for (int i = 0; i < kTries && is_number.size() < 2; ++i)
    is_number.insert(!std::isnan(interpreted(graph, output, seed, &roundings).data[at]));
  return is_number.size() == 2;
}

}  // namespace

Judgement judge(const Graph& original, const Verdict& claimed, const Verdict& exact) {
  Judgement out;
  if (claimed.outcome == Outcome::ShapeMismatch || exact.outcome == Outcome::ShapeMismatch) {
    out.conflict = "the programs cannot be compared: " + claimed.reason + exact.reason;
    return out;
  }
  for (std::size_t i = 0; i < exact.outputs.size(); ++i) {
    const OutputVerdict& truth = exact.outputs[i];
    if (!is_consistent(truth))
      out.conflict = fmt::format("output {}: the exact engine's counts do not add up", i);
    out.compared += truth.elements;
    if (i >= claimed.outputs.size()) {
      out.lost += truth.equal;
      continue;
    }
    const OutputVerdict& claim = claimed.outputs[i];
    if (!is_consistent(claim)) out.conflict = fmt::format("output {}: the counts do not add up", i);
    for (Dim k = 0; k < truth.elements; ++k) {
      const bool equal = calls_equal(truth, k);
      const bool called = calls_equal(claim, k);
      out.lost += equal && !called ? 1 : 0;
      if (called && !equal)
        out.conflict = fmt::format("output {}: position {} is called equal", i, k);
    }
    if (!claim.witness || truth.elements == 0) continue;
    const Shape& shape = *original.node(original.outputs()[i]).type.shape;
    if (calls_equal(truth, flat_of(shape, claim.witness->position))) {
      out.conflict = fmt::format("output {}: a witness at a position that is equal", i);
    }
  }
  if (claimed.reason.starts_with("ill-conditioned") || claimed.reason.starts_with("rounding"))
    std::swap(out.lost, out.withheld);
  return out;
}

std::string false_witness(const Graph& original, const Graph& mutant, const Verdict& verdict) {
  for (std::size_t i = 0; i < verdict.outputs.size(); ++i) {
    const auto& witness = verdict.outputs[i].witness;
    if (!witness) continue;
    const test::Values a = interpreted(original, original.outputs()[i], witness->seed);
    const test::Values b = interpreted(mutant, mutant.outputs()[i], witness->seed);
    const auto at = static_cast<std::size_t>(flat_of(a.shape, witness->position));
    const auto tells = [&](const Graph& graph, Real by_definition, double told) {
      if (std::abs(by_definition - told) <= 1e-6L * (std::abs(by_definition) + 1e-6L)) return true;
      return std::isnan(by_definition) != std::isnan(told) &&
             is_at_edge_of_domain(graph, graph.outputs()[i], witness->seed, at);
    };
    if (a.data[at] == b.data[at] || !tells(original, a.data[at], witness->original) ||
        !tells(mutant, b.data[at], witness->mutant)) {
      return fmt::format("output {}: the witness says {} and {}, by definition it is {} and {}", i,
                         witness->original, witness->mutant, static_cast<double>(a.data[at]),
                         static_cast<double>(b.data[at]));
    }
  }
  return {};
}

}  // namespace pet::fuzz
