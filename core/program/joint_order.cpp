#include "core/program/joint_order.h"

#include <array>
#include <queue>
#include <set>

#include "core/util/check.h"

namespace pet {
namespace {

constexpr std::size_t kSides = 2;
enum class Tie { None, Firm, Loose };

// Kahn's algorithm; where nothing is ready any more, a pair is taken apart of which one half is.
class JointOrder {
 public:
  JointOrder(const Graph& here, const Graph& there) : sides_{side_of(here), side_of(there)} {}

  std::vector<JointEntry> run(const std::vector<NodePair>& firm,
                              const std::vector<NodePair>& loose) {
    for (const NodePair& pair : firm) tie(pair, Tie::Firm);
    for (const NodePair& pair : loose) tie(pair, Tie::Loose);
    for (std::size_t s = 0; s < kSides; ++s)
      for (std::size_t i = 0; i < sides_[s].waits.size(); ++i)
        if (sides_[s].waits[i] == 0) half_ready({s, i});
    while (!ready_.empty() || take_one_apart()) {
      const Half next = ready_.front();
      ready_.pop();
      place(next);
    }
    return std::move(out_);
  }

 private:
  struct Half {
    std::size_t side = 0;
    std::size_t node = 0;
    auto operator<=>(const Half&) const = default;
  };
  struct Side {
    std::vector<std::vector<NodeId>> readers;
    std::vector<std::size_t> waits;  // by node: operands that have no place yet
    std::vector<std::optional<std::size_t>> partner;
    std::vector<Tie> tie;
  };

  static Side side_of(const Graph& graph) {
    Side out{graph.consumers(), {}, {}, {}};
    for (const Node& node : graph.nodes()) out.waits.push_back(node.operands.size());
    out.partner.resize(out.waits.size());
    out.tie.resize(out.waits.size(), Tie::None);
    return out;
  }

  void tie(const NodePair& pair, Tie how) {
    const std::array<std::size_t, kSides> nodes = {pair.first.index(), pair.second.index()};
    for (std::size_t s = 0; s < kSides; ++s) {
      PET_CHECK(!sides_[s].partner[nodes[s]], "a node is in one pair");
      sides_[s].partner[nodes[s]] = nodes[1 - s];
      sides_[s].tie[nodes[s]] = how;
    }
  }

  std::optional<Half> partner_of(Half half) const {
    const auto& partner = sides_[half.side].partner[half.node];
    return partner ? std::optional(Half{1 - half.side, *partner}) : std::nullopt;
  }
  std::set<Half>& halves(Half half) {
    return sides_[half.side].tie[half.node] == Tie::Loose ? loose_halves_ : firm_halves_;
  }

  // All that it reads has its place.
  void half_ready(Half half) {
    const auto partner = partner_of(half);
    if (!partner) return ready_.push(half);
    if (sides_[partner->side].waits[partner->node] > 0) {
      halves(half).insert(half);
      return;
    }
    // Both may have been found at once.
    if (halves(*partner).erase(*partner) == 0) {
      halves(half).insert(half);
      return;
    }
    ready_.push(half);
  }

  bool take_one_apart() {
    std::set<Half>& from = loose_halves_.empty() ? firm_halves_ : loose_halves_;
    if (from.empty()) return false;
    const Half half = *from.begin();
    from.erase(from.begin());
    const Half other = *partner_of(half);
    for (const Half& one : {half, other}) {
      sides_[one.side].partner[one.node].reset();
      sides_[one.side].tie[one.node] = Tie::None;
    }
    ready_.push(half);
    return true;
  }

  void place(Half half) {
    const auto partner = partner_of(half);
    const auto id = [&](std::size_t side) -> std::optional<NodeId> {
      if (half.side == side) return NodeId(half.node);
      return partner ? std::optional(NodeId(partner->node)) : std::nullopt;
    };
    out_.push_back({id(0), id(1)});
    placed(half);
    if (partner) placed(*partner);
  }

  void placed(Half half) {
    Side& side = sides_[half.side];
    for (const NodeId reader : side.readers[half.node])
      if (--side.waits[reader.index()] == 0) half_ready({half.side, reader.index()});
  }

  std::array<Side, kSides> sides_;
  std::queue<Half> ready_;
  std::set<Half> firm_halves_, loose_halves_;  // ready, but for their partner
  std::vector<JointEntry> out_;
};

}  // namespace

std::vector<JointEntry> joint_order(const Graph& here, const Graph& there,
                                    const std::vector<NodePair>& firm,
                                    const std::vector<NodePair>& loose) {
  return JointOrder(here, there).run(firm, loose);
}

}  // namespace pet
