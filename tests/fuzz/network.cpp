#include "tests/fuzz/network.h"

#include <algorithm>
#include <string>
#include <vector>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "core/program/subprogram.h"
#include "core/util/rng.h"
#include "tests/fuzz/pair.h"

namespace pet::fuzz {
namespace {

constexpr Dim kMostElements = 4096;

// The same elements as often as there is room for, in another shape.
Result<NodeId> reshaped(GraphBuilder& b, NodeId x, const Shape& shape) {
  const Dim have = count(*b.type(x).shape);
  const Dim want = count(shape);
  auto y = b.add(ops::reshape(), {{"shape", Shape{have}}}, {x});
  if (!y) return y;
  if (have < want) {
    const std::vector<NodeId> copies(static_cast<std::size_t>((want + have - 1) / have), *y);
    y = b.add(*ops::find("Concat"), {{"axis", Dim{0}}}, copies);
    if (!y) return y;
  }
  if (count(*b.type(*y).shape) != want)
    y = b.add(*ops::find("Split"), {{"axis", Dim{0}}, {"begin", Dim{0}}, {"end", want}}, {*y});
  if (!y) return y;
  return b.add(ops::reshape(), {{"shape", shape}}, {*y});
}

bool is_usable(const Node& value) {
  const auto& shape = value.type.shape;
  return value.type.dtype == DType::Float && shape && count(*shape) > 0 &&
         count(*shape) <= kMostElements;
}

bool can_be_joined(const Pair& pair) {
  for (const Graph* graph : {&pair.original, &pair.mutant}) {
    if (graph->inputs().empty()) return false;
    for (const NodeId id : graph->inputs())
      if (!is_usable(graph->node(id))) return false;
    if (!is_usable(graph->node(graph->outputs()[0]))) return false;
  }
  return true;
}

// The function between two pairs.
const OpDef& function_of(Rng& rng) {
  constexpr const char* kNames[] = {"Relu", "Tanh", "Sigmoid", "Exp"};
  return *ops::find(kNames[rng.below(4)]);
}

class Joining {
 public:
  // What a pair computes of the value so far, and of inputs of its own.
  bool add(const Graph& program, std::size_t number) {
    std::vector<NodeId> inputs;
    for (std::size_t k = 0; k < program.inputs().size(); ++k) {
      const Node& input = program.node(program.inputs()[k]);
      if (k == 0 && value_) {
        const auto read = reshaped(builder_, *value_, *input.type.shape);
        if (!read) return false;
        inputs.push_back(*read);
      } else {
        inputs.push_back(
            builder_.add_input("p" + std::to_string(number) + "i" + std::to_string(k), input.type));
      }
    }
    const std::vector<std::string> names(program.outputs().size());
    const auto out = append(builder_, program, inputs, names);
    if (!out) return false;
    value_ = out->front();
    return true;
  }
  bool apply(const OpDef& function) {
    const auto out = builder_.add(function, {}, {*value_});
    if (!out) return false;
    value_ = *out;
    return true;
  }
  Graph finish() {
    builder_.add_output(*value_);
    return std::move(builder_).build();
  }

 private:
  GraphBuilder builder_;
  std::optional<NodeId> value_;
};

}  // namespace

std::optional<Network> random_network(std::uint64_t seed) {
  Rng rng(seed);
  const std::size_t pairs = 2 + rng.below(3);
  Joining original, mutant;
  Network out;
  for (std::size_t i = 0; i < pairs; ++i) {
    const Pair pair = random_pair(rng.next());
    const OpDef& function = function_of(rng);
    if (!can_be_joined(pair)) return std::nullopt;
    // Some stay as they are.
    const bool is_changed = rng.below(4) != 0;
    out.changed += is_changed ? 1U : 0U;
    if (!original.add(pair.original, i) ||
        !mutant.add(is_changed ? pair.mutant : pair.original, i) || !original.apply(function) ||
        !mutant.apply(function))
      return std::nullopt;
  }
  out.original = original.finish();
  out.mutant = mutant.finish();
  return out;
}

}  // namespace pet::fuzz
