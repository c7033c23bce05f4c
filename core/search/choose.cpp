#include "core/search/choose.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <variant>

#include "core/analysis/rearranged.h"
#include "core/util/overloaded.h"

namespace pet {
namespace {

using Orders = std::set<AxisOrder>;

// What has been decided so far.
struct Link {
  std::variant<Selection::Made, Selection::Transposed> what;
  std::shared_ptr<const Link> before;
};

struct State {
  std::map<NodeId, Orders> alive;  // the orders in which values are there
  std::map<std::size_t, std::size_t>
      open;  // places that are chosen and not yet passed: alternative
  double cost = 0;
  std::shared_ptr<const Link> decided;
};

using Key = std::pair<std::map<NodeId, Orders>, std::map<std::size_t, std::size_t>>;

class Chooser {
 public:
  Chooser(const Graph& program, const std::vector<PlaceAlternatives>& places,
          const TransposeCost& transpose_ms)
      : program_(program), places_(places), transpose_ms_(transpose_ms) {
    for (std::size_t p = 0; p < places.size(); ++p) {
      const auto& nodes = places[p].place->nodes;
      starting_[nodes.front()].push_back(p);
      for (const NodeId id : nodes) last_of_place_[id] = std::max(last_of_place_[id], nodes.back());
    }
    find_last_uses();
    find_movable();
  }

  Selection run() {
    states_.push_back({});
    for (const NodeId id : program_.ids()) {
      if (program_.node(id).constant() != nullptr) continue;
      std::vector<State> next;
      for (const State& state : states_) step(state, id, next);
      states_ = merged(std::move(next), id);
    }
    const State& best =
        *std::min_element(states_.begin(), states_.end(),
                          [](const State& a, const State& b) { return a.cost < b.cost; });
    Selection out{{}, {}, -best.cost};
    for (auto link = best.decided; link != nullptr; link = link->before) {
      std::visit(overloaded{[&](const Selection::Made& made) { out.made.push_back(made); },
                            [&](const Selection::Transposed& t) { out.transposed.push_back(t); }},
                 link->what);
    }
    std::reverse(out.made.begin(), out.made.end());
    std::reverse(out.transposed.begin(), out.transposed.end());
    return out;
  }

 private:
  AxisOrder as_it_is(NodeId id) const {
    const auto& shape = program_.node(id).type.shape;
    return identity_order(shape ? shape->size() : 0);
  }
  bool is_constant(NodeId id) const { return program_.node(id).constant() != nullptr; }

  // The node after which nobody reads a value, wherever its readers are computed.
  void find_last_uses() {
    last_use_.resize(program_.nodes().size());
    for (const NodeId id : program_.ids()) {
      last_use_[id.index()] = std::max(last_use_[id.index()], id);
      const auto it = last_of_place_.find(id);
      const NodeId when = it == last_of_place_.end() ? id : it->second;
      for (const NodeId operand : program_.node(id).operands)
        last_use_[operand.index()] = std::max(last_use_[operand.index()], when);
    }
    for (const NodeId id : program_.ids())
      if (!is_constant(id)) end_ = id;
    for (const NodeId id : program_.outputs()) last_use_[id.index()] = end_;
  }

  // Operators that run in the order of their operands, as far as that is known beforehand: one that
  // takes a reversal of its axes takes any order.
  void find_movable() {
    movable_.assign(program_.nodes().size(), 0);
    for (const NodeId id : program_.ids()) {
      const Node& node = program_.node(id);
      if (!program_.has_meaning(id)) continue;
      const std::size_t rank = node.type.shape->size();
      const bool same_rank =
          std::all_of(node.operands.begin(), node.operands.end(), [&](NodeId operand) {
            return is_constant(operand) || program_.node(operand).type.shape->size() == rank;
          });
      AxisOrder reversed = identity_order(rank);
      std::reverse(reversed.begin(), reversed.end());
      movable_[id.index()] = same_rank && rearranged(program_, id, reversed) ? 1 : 0;
    }
  }

  // The value has to be there in that order: from the form that costs least to bring into it.
  void need(State& state, NodeId id, const AxisOrder& order) const {
    const auto it = state.alive.find(id);
    if (it == state.alive.end() || it->second.contains(order)) return;
    const Shape& shape = *program_.node(id).type.shape;
    std::optional<Selection::Transposed> cheapest;
    double least = 0;
    for (const AxisOrder& form : it->second) {
      const AxisOrder change = composed(inverse(form), order);
      const Shape from = reordered(shape, form);
      const double ms = moves_nothing(from, change) ? 0 : transpose_ms_(from, change);
      if (cheapest && ms >= least) continue;
      cheapest = {id, from, change};
      least = ms;
    }
    it->second.insert(order);
    if (least == 0) return;
    state.cost += least;
    state.decided = std::make_shared<const Link>(Link{*cheapest, std::move(state.decided)});
  }

  void step(const State& state, NodeId id, std::vector<State>& next) const {
    for (const auto& [p, alternative] : state.open) {
      const auto& nodes = places_[p].place->nodes;
      if (!std::binary_search(nodes.begin(), nodes.end(), id)) continue;
      State passed = state;
      if (nodes.back() == id) pass(passed, p, alternative);
      next.push_back(std::move(passed));
      return;
    }
    keep(state, id, next);
    const auto it = starting_.find(id);
    if (it == starting_.end()) return;
    for (const std::size_t p : it->second) {
      if (is_taken(state, p)) continue;
      for (std::size_t a = 0; a < places_[p].alternatives.size(); ++a)
        next.push_back(opened(state, p, a));
    }
  }

  // The operator that stands there, in its own order or in one that its operands are in.
  void keep(const State& state, NodeId id, std::vector<State>& next) const {
    const Node& node = program_.node(id);
    Orders orders = {as_it_is(id)};
    if (movable_[id.index()] != 0) {
      for (const NodeId operand : node.operands) {
        const auto it = state.alive.find(operand);
        if (it != state.alive.end()) orders.insert(it->second.begin(), it->second.end());
      }
    }
    for (const AxisOrder& order : orders) {
      State kept = state;
      for (const NodeId operand : node.operands)
        need(kept, operand, is_identity(order) ? as_it_is(operand) : order);
      kept.alive[id] = {order};
      next.push_back(std::move(kept));
    }
  }

  bool is_taken(const State& state, std::size_t p) const {
    const auto& mine = places_[p].place->nodes;
    return std::any_of(state.open.begin(), state.open.end(), [&](const auto& open) {
      const auto& nodes = places_[open.first].place->nodes;
      return std::any_of(mine.begin(), mine.end(), [&](NodeId id) {
        return std::binary_search(nodes.begin(), nodes.end(), id);
      });
    });
  }

  State opened(const State& state, std::size_t p, std::size_t a) const {
    State out = state;
    const Subprogram& place = *places_[p].place;
    const Alternative& alternative = places_[p].alternatives[a];
    out.cost -= alternative.saved_ms;
    out.decided = std::make_shared<const Link>(Link{Selection::Made{p, a}, state.decided});
    for (std::size_t j = 0; j < place.outputs.size(); ++j)
      out.alive[place.outputs[j]] = {alternative.outputs[j]};
    if (place.nodes.size() == 1) {
      pass(out, p, a);
    } else {
      out.open[p] = a;
    }
    return out;
  }

  void pass(State& state, std::size_t p, std::size_t a) const {
    const Subprogram& place = *places_[p].place;
    for (std::size_t i = 0; i < place.inputs.size(); ++i)
      need(state, place.inputs[i], places_[p].alternatives[a].inputs[i]);
    state.open.erase(p);
  }

  // The cheapest of those between which nothing later can tell a difference.
  std::vector<State> merged(std::vector<State> states, NodeId now) const {
    std::map<Key, State> best;
    for (State& state : states) {
      if (now == end_)
        for (const NodeId id : program_.outputs()) need(state, id, as_it_is(id));
      std::erase_if(state.alive,
                    [&](const auto& value) { return last_use_[value.first.index()] <= now; });
      Key key{state.alive, state.open};
      const auto it = best.find(key);
      if (it == best.end()) {
        best.emplace(std::move(key), std::move(state));
      } else if (state.cost < it->second.cost) {
        it->second = std::move(state);
      }
    }
    std::vector<State> out;
    for (auto& [key, state] : best) out.push_back(std::move(state));
    if (out.size() > kMostStates) {
      std::stable_sort(out.begin(), out.end(),
                       [](const State& a, const State& b) { return a.cost < b.cost; });
      out.resize(kMostStates);
    }
    return out;
  }

  const Graph& program_;
  const std::vector<PlaceAlternatives>& places_;
  const TransposeCost& transpose_ms_;
  std::map<NodeId, std::vector<std::size_t>> starting_;
  std::map<NodeId, NodeId> last_of_place_;
  std::vector<NodeId> last_use_;
  NodeId end_;  // the last node that is no constant
  std::vector<char> movable_;
  std::vector<State> states_;
};

}  // namespace

Selection choose(const Graph& program, const std::vector<PlaceAlternatives>& places,
                 const TransposeCost& transpose_ms) {
  return Chooser(program, places, transpose_ms).run();
}

}  // namespace pet
