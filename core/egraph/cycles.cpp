#include "core/egraph/cycles.h"

#include <algorithm>
#include <deque>

namespace pet::egraph {
namespace {

constexpr std::size_t kUnknown = SIZE_MAX;

bool is_in_use(const EGraph& graph, ENodeId node) { return !graph.node(node).is_banned; }

// By class: how deep its shallowest program is.
std::vector<std::size_t> depths_of(const EGraph& graph, const std::vector<ClassId>& classes) {
  std::vector<std::size_t> out(graph.made(), kUnknown);
  std::deque<ENodeId> open;
  std::vector<char> is_open(graph.made());
  const auto put = [&](ENodeId node) {
    if (is_in_use(graph, node) && std::exchange(is_open[node.index()], 1) == 0)
      open.push_back(node);
  };
  for (const ClassId id : classes)
    for (const ENodeId node : graph.at(id).nodes)
      if (graph.node(node).operands.empty()) put(node);
  while (!open.empty()) {
    const ENodeId node = open.front();
    open.pop_front();
    is_open[node.index()] = 0;
    std::size_t depth = 0;
    for (const ClassId operand : graph.operands(node)) {
      const std::size_t of = out[operand.index()];
      depth = of == kUnknown ? kUnknown : std::max(depth, of + 1);
      if (depth == kUnknown) break;
    }
    const ClassId home = graph.class_of(node);
    if (depth == kUnknown || depth >= out[home.index()]) continue;
    out[home.index()] = depth;
    for (const ENodeId reader : graph.at(home).readers) put(reader);
  }
  return out;
}

class Breaker {
 public:
  explicit Breaker(EGraph& graph)
      : graph_(graph),
        classes_(graph.classes()),
        depths_(depths_of(graph, classes_)),
        states_(graph.made(), State::New) {}

  std::size_t run() {
    for (const ClassId start : classes_) walk(start);
    return banned_;
  }

 private:
  enum class State : char { New, Open, Done };
  struct Frame {
    ClassId id;
    std::size_t node = 0, operand = 0;
  };

  void walk(ClassId start) {
    if (states_[start.index()] != State::New) return;
    std::vector<Frame> way = {{start}};
    states_[start.index()] = State::Open;
    while (!way.empty()) {
      Frame& at = way.back();
      const auto& nodes = graph_.at(at.id).nodes;
      if (at.node == nodes.size()) {
        states_[at.id.index()] = State::Done;
        way.pop_back();
        continue;
      }
      const ENode& node = graph_.node(nodes[at.node]);
      if (node.is_banned || at.operand == node.operands.size()) {
        ++at.node;
        at.operand = 0;
        continue;
      }
      const ClassId next = graph_.find(node.operands[at.operand]);
      if (states_[next.index()] == State::Open) {
        break_at(way, next);
        continue;
      }
      ++at.operand;
      if (states_[next.index()] != State::New) continue;
      states_[next.index()] = State::Open;
      way.push_back({next});
    }
  }

  // The way goes round, from `again` on. One of its nodes is banned, and everything above it on the
  // way is looked at once more.
  void break_at(std::vector<Frame>& way, ClassId again) {
    std::size_t first = way.size() - 1;
    while (way[first].id != again) --first;
    std::size_t at = SIZE_MAX;
    for (std::size_t i = first; i < way.size(); ++i) {
      if (is_shallowest(way, i, i + 1 < way.size() ? way[i + 1].id : again)) continue;
      if (at == SIZE_MAX || node_at(way[i]) > node_at(way[at])) at = i;
    }
    PET_CHECK(at != SIZE_MAX, "not all nodes of a cycle are the shallowest of their classes");
    graph_.ban(node_at(way[at]));
    ++banned_;
    for (std::size_t i = at + 1; i < way.size(); ++i) states_[way[i].id.index()] = State::New;
    way.resize(at + 1);
  }

  ENodeId node_at(const Frame& frame) const { return graph_.at(frame.id).nodes[frame.node]; }
  // What a class is computed by at its least depth goes down at every step.
  bool is_shallowest(const std::vector<Frame>& way, std::size_t i, ClassId next) const {
    std::size_t deepest = 0;
    for (const ClassId operand : graph_.operands(node_at(way[i])))
      deepest = std::max(deepest, depths_[operand.index()] + 1);
    return deepest == depths_[way[i].id.index()] && depths_[next.index()] < deepest;
  }

  EGraph& graph_;
  const std::vector<ClassId> classes_;
  const std::vector<std::size_t> depths_;
  std::vector<State> states_;
  std::size_t banned_ = 0;
};

}  // namespace

bool reaches(const EGraph& graph, ClassId from, ClassId to) {
  std::vector<char> is_seen(graph.made());
  std::vector<ClassId> open = {graph.find(from)};
  const ClassId wanted = graph.find(to);
  is_seen[open.front().index()] = 1;
  while (!open.empty()) {
    const ClassId id = open.back();
    open.pop_back();
    if (id == wanted) return true;
    for (const ENodeId node : graph.at(id).nodes) {
      if (!is_in_use(graph, node)) continue;
      for (const ClassId operand : graph.operands(node))
        if (std::exchange(is_seen[operand.index()], 1) == 0) open.push_back(operand);
    }
  }
  return false;
}

std::size_t break_cycles(EGraph& graph) { return Breaker(graph).run(); }

}  // namespace pet::egraph
