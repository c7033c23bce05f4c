#include "verify/exact/one_hot.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/eval/element_walk.h"

namespace pet {
namespace {

// The tensors that are chosen: inputs by name, constants that are symbols by what they hold.
class Tensors {
 public:
  Tensors(const Graph& original, bool bind_weights) : bind_weights_(bind_weights) {
    for (const Node& node : original.nodes()) {
      if (node.constant() != nullptr) symbols_.insert(node.constant()->digest());
    }
  }

  // False where the node is a leaf that no number can stand for.
  bool include(const Node& node) {
    if (node.op() != nullptr) return true;
    if (!node.type.shape || node.type.dtype != DType::Float) return false;
    if (!is_chosen(node)) return node.constant()->all_finite();
    if (numbers_.try_emplace(key_of(node), sizes_.size()).second)
      sizes_.push_back(count(*node.type.shape));
    return true;
  }

  // Nothing for a constant that is its own value. REQUIRES: it was included
  std::optional<std::size_t> number(const Node& node) const {
    if (!is_chosen(node)) return std::nullopt;
    return numbers_.at(key_of(node));
  }
  const std::vector<Dim>& sizes() const { return sizes_; }

 private:
  bool is_chosen(const Node& node) const {
    const Tensor* tensor = node.constant();
    return tensor == nullptr ||
           (!bind_weights_ && count(tensor->shape()) > 1 && symbols_.contains(tensor->digest()));
  }
  static std::string key_of(const Node& node) {
    return node.constant() != nullptr ? "constant " + node.constant()->digest().hex()
                                      : "input " + node.input()->name;
  }

  bool bind_weights_;
  std::set<Digest> symbols_;
  std::map<std::string, std::size_t> numbers_;
  std::vector<Dim> sizes_;  // elements
};

// Whether the outputs are sums of products in which no tensor is a factor twice.
bool is_multilinear(const Graph& graph, Tensors& tensors) {
  const auto needed = graph.needed_by_outputs();
  std::vector<std::set<std::size_t>> factors(graph.nodes().size());  // of any term
  for (const NodeId id : graph.ids()) {
    if (needed[id.index()] == 0) continue;
    const Node& node = graph.node(id);
    if (!tensors.include(node)) return false;
    std::set<std::size_t>& own = factors[id.index()];
    if (node.op() == nullptr) {
      if (const auto number = tensors.number(node)) own.insert(*number);
      continue;
    }
    if (!graph.has_meaning(id) || !graph.meaning(id).applications.empty()) return false;
    for (const Term& term : graph.meaning(id).sum.terms) {
      std::set<std::size_t> of_term;
      for (const Access& access : term.factors) {
        const NodeId operand = node.operands[static_cast<std::size_t>(access.operand)];
        for (const std::size_t tensor : factors[operand.index()]) {
          if (!of_term.insert(tensor).second) return false;
        }
      }
      own.insert(of_term.begin(), of_term.end());
    }
  }
  return true;
}

// Where the 1 of each tensor is; behind its last element: nowhere.
using Choice = std::vector<Dim>;

struct ChosenNumbers {
  using Value = Rational;

  const Tensors* tensors;
  const Choice* choice;

  static Value of(const Rational& x) { return x; }
  Value leaf(const Node& node, Dim flat) const {
    if (const auto number = tensors->number(node)) return (*choice)[*number] == flat ? 1 : 0;
    return exact(static_cast<double>(node.constant()->floats()[static_cast<std::size_t>(flat)]));
  }
  static void add(Value& to, const Value& x) { to += x; }
  static void multiply(Value& to, const Value& x) { to *= x; }
  static Result<Value> apply(const Application&, std::span<const Value>) {
    return Error{"a function of what is chosen"};
  }
};

bool next(Choice& choice, const std::vector<Dim>& sizes) {
  for (std::size_t t = choice.size(); t-- > 0;) {
    if (++choice[t] <= sizes[t]) return true;
    choice[t] = 0;
  }
  return false;
}

}  // namespace

std::optional<std::vector<std::vector<char>>> agree_at_one_hot(const Graph& original,
                                                               const Graph& mutant,
                                                               bool bind_weights,
                                                               std::uint64_t most_steps,
                                                               const std::stop_token& stop) {
  Tensors tensors(original, bind_weights);
  if (!is_multilinear(original, tensors) || !is_multilinear(mutant, tensors)) return std::nullopt;
  std::vector<std::vector<char>> agree;
  Dim elements = 0;
  for (const NodeId output : original.outputs()) {
    agree.emplace_back(static_cast<std::size_t>(count(*original.node(output).type.shape)), 1);
    elements += count(*original.node(output).type.shape);
  }
  if (elements == 0) return agree;
  std::uint64_t steps_left = most_steps / static_cast<std::uint64_t>(2 * elements);
  for (const Dim size : tensors.sizes()) steps_left /= static_cast<std::uint64_t>(size) + 1;
  if (steps_left == 0) return std::nullopt;
  Choice choice(tensors.sizes().size(), 0);
  ElementWalk<ChosenNumbers> theirs(original, {&tensors, &choice}, steps_left);
  ElementWalk<ChosenNumbers> mine(mutant, {&tensors, &choice}, steps_left);
  do {
    if (stop.stop_requested()) return std::nullopt;
    for (std::size_t i = 0; i < agree.size(); ++i) {
      for (std::size_t k = 0; k < agree[i].size(); ++k) {
        const auto there = theirs.value(original.outputs()[i], static_cast<Dim>(k));
        const auto here = mine.value(mutant.outputs()[i], static_cast<Dim>(k));
        if (!there || !here) return std::nullopt;
        if (*there != *here) agree[i][k] = 0;
      }
    }
  } while (next(choice, tensors.sizes()));
  return agree;
}

}  // namespace pet
