#include "core/search/choose.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <variant>

#include "core/analysis/rearranged.h"
#include "core/util/overloaded.h"

namespace pet {
namespace {

// Orders of axes by number, so that a set of them is one word.
class OrderTable {
 public:
  using Set = std::uint64_t;
  static constexpr std::size_t kMost = 64;

  // Nothing where there are too many already.
  std::optional<std::size_t> number(const AxisOrder& order) {
    const auto known = numbers_.find(order);
    if (known != numbers_.end()) return known->second;
    if (orders_.size() == kMost) return std::nullopt;
    orders_.push_back(order);
    return numbers_.emplace(order, orders_.size() - 1).first->second;
  }
  const AxisOrder& order(std::size_t number) const { return orders_[number]; }
  static Set only(std::size_t number) { return Set{1} << number; }

 private:
  std::vector<AxisOrder> orders_;
  std::map<AxisOrder, std::size_t> numbers_;
};

template <class F>
void for_each_order(OrderTable::Set set, F&& f) {
  for (; set != 0; set &= set - 1) f(static_cast<std::size_t>(std::countr_zero(set)));
}

// What has been decided so far.
struct Link {
  std::variant<Selection::Made, Selection::Transposed> what;
  std::shared_ptr<const Link> before;
};

struct Alive {
  NodeId value;
  OrderTable::Set orders = 0;  // in which it is there
  bool operator==(const Alive&) const = default;
};

struct State {
  std::vector<Alive> alive;                               // by value
  std::vector<std::pair<std::size_t, std::size_t>> open;  // places chosen and not yet passed, with
                                                          // their alternatives
  double cost = 0;
  std::shared_ptr<const Link> decided;

  std::size_t place_of(NodeId value) const {
    const auto it = std::lower_bound(alive.begin(), alive.end(), value,
                                     [](const Alive& a, NodeId id) { return a.value < id; });
    return static_cast<std::size_t>(it - alive.begin());
  }
  bool has(NodeId value) const {
    const std::size_t at = place_of(value);
    return at < alive.size() && alive[at].value == value;
  }
  void set(NodeId value, OrderTable::Set orders) {
    const std::size_t at = place_of(value);
    if (has(value)) {
      alive[at].orders = orders;
    } else {
      alive.insert(alive.begin() + static_cast<std::ptrdiff_t>(at), {value, orders});
    }
  }
  bool has_values_of(const State& other) const {
    return std::equal(alive.begin(), alive.end(), other.alive.begin(), other.alive.end(),
                      [](const Alive& a, const Alive& b) { return a.value == b.value; });
  }
  bool is_like(const State& other) const { return alive == other.alive && open == other.open; }
};

std::size_t hash_of(const State& state) {
  std::uint64_t hash = 0;
  const auto mix = [&](std::uint64_t x) {
    hash = (hash ^ x) * 0x9e3779b97f4a7c15ULL;
    hash ^= hash >> 29;
  };
  for (const Alive& a : state.alive) {
    mix(a.value.index());
    mix(a.orders);
  }
  for (const auto& [place, alternative] : state.open) {
    mix(place);
    mix(alternative);
  }
  return hash;
}

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
      if (is_constant(id)) continue;
      std::vector<State> next;
      for (const State& state : states_) step(state, id, next);
      states_ = merged(std::move(next), id);
    }
    const State& best = cheapest(states_);
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
  static const State& cheapest(const std::vector<State>& states) {
    return *std::min_element(states.begin(), states.end(),
                             [](const State& a, const State& b) { return a.cost < b.cost; });
  }
  bool is_constant(NodeId id) const { return program_.node(id).constant() != nullptr; }

  // The number of an order of this value's axes, or of the one that is the same to it.
  std::optional<std::size_t> number(NodeId value, const AxisOrder& order) {
    const auto& shape = program_.node(value).type.shape;
    return table_.number(shape ? canonical_order(*shape, order) : AxisOrder{});
  }
  std::size_t as_it_is(NodeId value) {
    const auto& shape = program_.node(value).type.shape;
    return *table_.number(identity_order(shape ? shape->size() : 0));
  }

  // The node after which nobody reads a value, wherever its readers are computed.
  void find_last_uses() {
    last_use_.resize(program_.nodes().size());
    for (const NodeId id : program_.ids()) {
      as_it_is(id);  // there is a number for it, whatever else comes
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

  // From one order of a value into another.
  double change_ms(NodeId value, std::size_t from, std::size_t to) {
    const auto known = changes_.find({value, from, to});
    if (known != changes_.end()) return known->second;
    const Selection::Transposed made = transposed(value, from, to);
    const double ms =
        moves_nothing(made.shape, made.order) ? 0 : transpose_ms_(made.shape, made.order);
    changes_.emplace(std::tuple{value, from, to}, ms);
    return ms;
  }
  Selection::Transposed transposed(NodeId value, std::size_t from, std::size_t to) const {
    const AxisOrder& form = table_.order(from);
    return {value, reordered(*program_.node(value).type.shape, form),
            composed(inverse(form), table_.order(to))};
  }
  // From the form that costs least to bring into it.
  std::pair<std::size_t, double> cheapest_change(const Alive& alive, std::size_t to) {
    std::pair<std::size_t, double> best{0, HUGE_VAL};
    for_each_order(alive.orders, [&](std::size_t form) {
      const double ms = change_ms(alive.value, form, to);
      if (ms < best.second) best = {form, ms};
    });
    return best;
  }

  // The value has to be there in that order. False: there are too many orders.
  bool need(State& state, NodeId id, const AxisOrder& order) {
    if (!state.has(id)) return true;
    Alive& alive = state.alive[state.place_of(id)];
    const auto wanted = number(id, order);
    if (!wanted) return false;
    if ((alive.orders & OrderTable::only(*wanted)) != 0) return true;
    const auto [form, ms] = cheapest_change(alive, *wanted);
    alive.orders |= OrderTable::only(*wanted);
    if (ms == 0) return true;
    state.cost += ms;
    state.decided =
        std::make_shared<const Link>(Link{transposed(id, form, *wanted), std::move(state.decided)});
    return true;
  }

  void step(const State& state, NodeId id, std::vector<State>& next) {
    for (const auto& [p, alternative] : state.open) {
      const auto& nodes = places_[p].place->nodes;
      if (!std::binary_search(nodes.begin(), nodes.end(), id)) continue;
      State passed = state;
      if (nodes.back() != id || pass(passed, p, alternative)) next.push_back(std::move(passed));
      return;
    }
    keep(state, id, next);
    const auto it = starting_.find(id);
    if (it == starting_.end()) return;
    for (const std::size_t p : it->second) {
      if (is_taken(state, p)) continue;
      for (std::size_t a = 0; a < places_[p].alternatives.size(); ++a) open(state, p, a, next);
    }
  }

  // The operator that stands there, in its own order or in one that its operands are in.
  void keep(const State& state, NodeId id, std::vector<State>& next) {
    const Node& node = program_.node(id);
    OrderTable::Set orders = OrderTable::only(as_it_is(id));
    if (movable_[id.index()] != 0) {
      for (const NodeId operand : node.operands) {
        if (state.has(operand)) orders |= state.alive[state.place_of(operand)].orders;
      }
    }
    for_each_order(orders, [&](std::size_t which) {
      const AxisOrder order = table_.order(which);
      const auto here = number(id, order);
      if (!here) return;
      State kept = state;
      for (const NodeId operand : node.operands) {
        const AxisOrder as_they_are = table_.order(as_it_is(operand));
        if (!need(kept, operand, is_identity(order) ? as_they_are : order)) return;
      }
      kept.set(id, OrderTable::only(*here));
      next.push_back(std::move(kept));
    });
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

  void open(const State& state, std::size_t p, std::size_t a, std::vector<State>& next) {
    State out = state;
    const Subprogram& place = *places_[p].place;
    const Alternative& alternative = places_[p].alternatives[a];
    out.cost -= alternative.saved_ms;
    out.decided = std::make_shared<const Link>(Link{Selection::Made{p, a}, state.decided});
    for (std::size_t j = 0; j < place.outputs.size(); ++j) {
      const auto order = number(place.outputs[j], alternative.outputs[j]);
      if (!order) return;
      out.set(place.outputs[j], OrderTable::only(*order));
    }
    out.open.insert(std::upper_bound(out.open.begin(), out.open.end(), std::pair{p, a}), {p, a});
    if (place.nodes.size() > 1 || pass(out, p, a)) next.push_back(std::move(out));
  }

  bool pass(State& state, std::size_t p, std::size_t a) {
    const Subprogram& place = *places_[p].place;
    for (std::size_t i = 0; i < place.inputs.size(); ++i)
      if (!need(state, place.inputs[i], places_[p].alternatives[a].inputs[i])) return false;
    std::erase(state.open, std::pair{p, a});
    return true;
  }

  // The cheapest of those between which nothing later can tell a difference.
  std::vector<State> merged(std::vector<State> states, NodeId now) {
    std::unordered_multimap<std::size_t, std::size_t> known;
    std::vector<State> out;
    for (State& state : states) {
      if (now == end_)
        for (const NodeId id : program_.outputs()) need(state, id, table_.order(as_it_is(id)));
      std::erase_if(state.alive, [&](const Alive& a) { return last_use_[a.value.index()] <= now; });
      const std::size_t hash = hash_of(state);
      const auto [first, last] = known.equal_range(hash);
      const auto same =
          std::find_if(first, last, [&](const auto& e) { return out[e.second].is_like(state); });
      if (same == last) {
        known.emplace(hash, out.size());
        out.push_back(std::move(state));
      } else if (state.cost < out[same->second].cost) {
        out[same->second] = std::move(state);
      }
    }
    drop_dominated(out);
    if (out.size() > kMostStates) {
      std::stable_sort(out.begin(), out.end(),
                       [](const State& a, const State& b) { return a.cost < b.cost; });
      out.resize(kMostStates);
    }
    return out;
  }

  // What the cheapest state becomes for no more than another costs makes the other one pointless.
  void drop_dominated(std::vector<State>& states) {
    const State best = cheapest(states);
    std::erase_if(states, [&](const State& state) {
      if (state.is_like(best) || state.open != best.open || !state.has_values_of(best))
        return false;
      double ms = best.cost;
      for (std::size_t i = 0; i < state.alive.size() && ms <= state.cost; ++i) {
        const auto missing = state.alive[i].orders & ~best.alive[i].orders;
        for_each_order(missing, [&](std::size_t order) {
          ms += cheapest_change(best.alive[i], order).second;
        });
      }
      return ms <= state.cost;
    });
  }

  const Graph& program_;
  const std::vector<PlaceAlternatives>& places_;
  const TransposeCost& transpose_ms_;
  OrderTable table_;
  std::map<std::tuple<NodeId, std::size_t, std::size_t>, double> changes_;
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
