#include "core/program/linear_sets.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "core/program/activations.h"
#include "core/program/composites.h"

namespace pet {
namespace {

// Which elements belong together (union by the smaller number, with paths halved).
class Together {
 public:
  explicit Together(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t of(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t a, std::size_t b) {
    const auto [low, high] = std::minmax({of(a), of(b)});
    parent_[high] = low;
  }

 private:
  std::vector<std::size_t> parent_;
};

}  // namespace

std::vector<NodeId> linear_operators(const Graph& program) {
  std::vector<char> whole(program.nodes().size(), 0);
  for (const Composite& composite : find_composites(program)) {
    for (const NodeId id : composite.nodes) whole[id.index()] = 1;
  }
  const std::vector<char> live = program.depends_on_inputs();
  const std::vector<char> needed = program.needed_by_outputs();
  std::vector<NodeId> out;
  for (const NodeId id : program.ids()) {
    if (live[id.index()] != 0 && needed[id.index()] != 0 && whole[id.index()] == 0 &&
        is_linear_in_activations(program, id))
      out.push_back(id);
  }
  return out;
}

// Operators that are connected and behind equally many non-linear ones: whatever leaves a set
// through something non-linear is behind more of them, and does not come back.
std::vector<std::optional<std::size_t>> linear_sets(const Graph& program) {
  const std::size_t size = program.nodes().size();
  std::vector<char> linear(size, 0);
  for (const NodeId id : linear_operators(program)) linear[id.index()] = 1;
  std::vector<std::size_t> behind(size, 0);
  Together together(size);
  for (const NodeId id : program.ids()) {
    const auto& operands = program.node(id).operands;
    const bool counts = !operands.empty() && linear[id.index()] == 0;
    for (const NodeId operand : operands)
      behind[id.index()] = std::max(behind[id.index()], behind[operand.index()] + (counts ? 1 : 0));
    if (linear[id.index()] == 0) continue;
    for (const NodeId operand : operands)
      if (linear[operand.index()] != 0 && behind[operand.index()] == behind[id.index()])
        together.join(operand.index(), id.index());
  }
  std::vector<std::optional<std::size_t>> out(size);
  std::map<std::size_t, std::size_t> numbers;
  for (std::size_t i = 0; i < size; ++i)
    if (linear[i] != 0) out[i] = numbers.try_emplace(together.of(i), numbers.size()).first->second;
  return out;
}

}  // namespace pet
