#include "core/rewrite/pattern.h"

#include <algorithm>
#include <optional>
#include <set>

#include "core/analysis/commutative.h"
#include "core/rewrite/draw.h"

namespace pet::rules {
namespace {

constexpr std::size_t kMostSteps = 2'000'000;  // of looking, for one rule in one program
constexpr std::size_t kMostPlaces = 20'000;

class Search {
 public:
  Search(const ProgramIndex& index, const Pattern& pattern)
      : index_(index), pattern_(pattern), stands_for_(pattern.source.nodes().size()) {}

  std::vector<Place> run() {
    next_sink(0);
    return {found_.begin(), found_.end()};
  }

 private:
  // A node of the pattern, and the value that may stand for it.
  struct Pair {
    NodeId of_pattern;
    NodeId value;
  };

  bool is_over() const { return steps_ > kMostSteps || found_.size() >= kMostPlaces; }

  void next_sink(std::size_t number) {
    if (number == pattern_.sinks.size()) return keep();
    const NodeId sink = pattern_.sinks[number];
    for (const NodeId candidate : candidates(sink)) {
      if (is_over()) return;
      std::vector<Pair> open = {{sink, candidate}};
      look(open, number + 1);
    }
  }

  // Readers of an operand that is known, else whatever has that operator.
  std::vector<NodeId> candidates(NodeId sink) const {
    for (const NodeId operand : pattern_.source.node(sink).operands) {
      const auto& value = stands_for_[operand.index()];
      if (value) return index_.readers[value->index()];
    }
    const auto it = index_.by_operator.find(pattern_.source.node(sink).op()->def);
    return it == index_.by_operator.end() ? std::vector<NodeId>{} : it->second;
  }

  // All that is open has to fit, and then the sinks from `sink` on.
  void look(std::vector<Pair> open, std::size_t sink) {
    if (++steps_, is_over()) return;
    if (open.empty()) return next_sink(sink);
    const Pair at = open.back();
    open.pop_back();
    auto& known = stands_for_[at.of_pattern.index()];
    if (known) {
      if (*known == at.value) look(std::move(open), sink);
      return;
    }
    if (!may_stand(at)) return;
    known = at.value;
    with_operands(at, open, sink);
    stands_for_[at.of_pattern.index()].reset();
  }

  void with_operands(const Pair& at, const std::vector<Pair>& open, std::size_t sink) {
    const Node& node = pattern_.source.node(at.of_pattern);
    if (node.op() == nullptr) return look(open, sink);
    const bool is_new = taken_.insert(at.value).second;
    if (!is_new) return;
    std::vector<NodeId> values = index_.program.node(at.value).operands;
    for (int order = 0; order < 2; ++order) {
      std::vector<Pair> longer = open;
      for (std::size_t i = values.size(); i-- > 0;) longer.push_back({node.operands[i], values[i]});
      look(std::move(longer), sink);
      if (pattern_.commutes[at.of_pattern.index()] == 0) break;
      std::ranges::reverse(values);
    }
    taken_.erase(at.value);
  }

  bool may_stand(const Pair& at) const {
    const Node& node = pattern_.source.node(at.of_pattern);
    const Node& value = index_.program.node(at.value);
    if (node.op() != nullptr)
      return value.op() != nullptr && value.op()->def == node.op()->def &&
             value.operands.size() == node.operands.size();
    const bool fits = value.type.dtype == DType::Float && value.type.shape &&
                      value.type.shape->size() == node.type.shape->size();
    return fits && (node.input() != nullptr || value.constant() != nullptr);
  }

  void keep() {
    Place place;
    for (const NodeId input : pattern_.source.inputs()) {
      // An input that the source does not read has no place.
      if (!stands_for_[input.index()]) return;
      place.inputs.push_back(*stands_for_[input.index()]);
    }
    for (const NodeId output : pattern_.source.outputs()) {
      if (!stands_for_[output.index()]) return;
      place.outputs.push_back(*stands_for_[output.index()]);
    }
    found_.insert(std::move(place));
  }

  const ProgramIndex& index_;
  const Pattern& pattern_;
  std::vector<std::optional<NodeId>> stands_for_;  // by node of the pattern
  std::set<NodeId> taken_;                         // operators of the program
  std::set<Place> found_;
  std::size_t steps_ = 0;
};

}  // namespace

Result<Pattern> pattern_of(const Rule& rule) {
  constexpr std::uint64_t kAny = 1;
  Rng rng(kAny);
  auto drawn = draw(rule, rng);
  if (!drawn) return std::move(drawn).error();
  if (!drawn->instance)
    return Error{"no sizes were found at which both programs make sense", ErrorKind::Tool};
  Pattern out{std::move(drawn->instance->source), {}, {}, std::move(drawn->instance->quantities)};
  const auto readers = out.source.consumers();
  const auto needed = out.source.needed_by_outputs();
  for (const NodeId id : out.source.ids()) {
    const bool is_operator = out.source.node(id).op() != nullptr;
    out.commutes.push_back(static_cast<char>(is_operator && is_commutative(out.source, id)));
    if (is_operator && needed[id.index()] != 0 && readers[id.index()].empty())
      out.sinks.push_back(id);
  }
  return out;
}

ProgramIndex::ProgramIndex(const Graph& of) : program(of), readers(of.consumers()) {
  const auto needed = of.needed_by_outputs();
  for (const NodeId id : of.ids()) {
    if (needed[id.index()] != 0 && of.has_meaning(id))
      by_operator[of.node(id).op()->def].push_back(id);
  }
}

std::vector<Place> places_in(const ProgramIndex& index, const Pattern& pattern) {
  return Search(index, pattern).run();
}

}  // namespace pet::rules
