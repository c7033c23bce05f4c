#include "core/egraph/extract/reduce.h"

#include <algorithm>

namespace pet::egraph {
namespace {

class Reducer {
 public:
  explicit Reducer(const Problem& problem) : problem_(problem) {
    out_.classes = problem.classes;
    for (const Problem::Node& node : problem.nodes) {
      auto& children = out_.children.emplace_back(node.children);
      std::ranges::sort(children);
      children.erase(std::ranges::unique(children).begin(), children.end());
    }
    out_.is_mandatory.resize(problem.classes.size());
    out_.free.resize(problem.classes.size(), kNone);
  }

  Reduced run() {
    drop_what_cannot_be_computed();
    take_what_is_free();
    drop_what_is_not_reached();
    find_components();
    for (bool changed = true; changed;) {
      changed = find_mandatory();
      leave_out_what_is_paid();
      changed = drop_dominated() || changed;
      drop_what_is_not_reached();
    }
    return std::move(out_);
  }

 private:
  // A class that no node can compute, and nodes that read one or their own class.
  void drop_what_cannot_be_computed() {
    for (Number number = 0; number < out_.classes.size(); ++number)
      std::erase_if(out_.classes[number], [&](Number node) {
        return std::ranges::binary_search(out_.children[node], number);
      });
    std::vector<char> is_done(out_.classes.size());
    for (bool changed = true; std::exchange(changed, false);) {
      for (Number number = 0; number < out_.classes.size(); ++number) {
        if (is_done[number] != 0 || !can_be_computed(number, is_done)) continue;
        is_done[number] = 1;
        changed = true;
      }
    }
    for (auto& nodes : out_.classes)
      std::erase_if(nodes, [&](Number node) {
        return !std::ranges::all_of(out_.children[node],
                                    [&](Number child) { return is_done[child] != 0; });
      });
  }
  bool can_be_computed(Number number, const std::vector<char>& is_done) const {
    return std::ranges::any_of(out_.classes[number], [&](Number node) {
      return std::ranges::all_of(out_.children[node],
                                 [&](Number child) { return is_done[child] != 0; });
    });
  }

  void take_what_is_free() {
    for (bool changed = true; std::exchange(changed, false);) {
      for (Number number = 0; number < out_.classes.size(); ++number) {
        if (out_.free[number] != kNone) continue;
        const auto node = std::ranges::find_if(out_.classes[number], [&](Number one) {
          return problem_.nodes[one].cost == 0 &&
                 std::ranges::all_of(out_.children[one],
                                     [&](Number child) { return out_.free[child] != kNone; });
        });
        if (node == out_.classes[number].end()) continue;
        out_.free[number] = *node;
        changed = true;
      }
    }
    for (auto& children : out_.children)
      std::erase_if(children, [&](Number child) { return out_.free[child] != kNone; });
    for (Number number = 0; number < out_.classes.size(); ++number)
      if (out_.free[number] != kNone) out_.classes[number].clear();
  }

  void drop_what_is_not_reached() {
    std::vector<char> is_reached(out_.classes.size());
    std::vector<Number> open;
    const auto reach = [&](Number number) {
      if (std::exchange(is_reached[number], 1) == 0) open.push_back(number);
    };
    for (const Number root : problem_.roots) reach(root);
    for (Number number = 0; number < out_.classes.size(); ++number)
      if (out_.is_mandatory[number] != 0) reach(number);
    while (!open.empty()) {
      const Number number = open.back();
      open.pop_back();
      for (const Number node : out_.classes[number])
        for (const Number child : out_.children[node]) reach(child);
    }
    for (Number number = 0; number < out_.classes.size(); ++number)
      if (is_reached[number] == 0) out_.classes[number].clear();
  }

  // Tarjan's components, without recursion.
  void find_components() {
    const std::size_t count = out_.classes.size();
    out_.component.assign(count, kNone);
    std::vector<Number> index(count, kNone), low(count), stack;
    struct Frame {
      Number number;
      std::size_t node = 0, child = 0;
    };
    Number next = 0;
    for (Number start = 0; start < count; ++start) {
      if (index[start] != kNone) continue;
      std::vector<Frame> frames = {{start}};
      index[start] = low[start] = next++;
      stack.push_back(start);
      while (!frames.empty()) {
        Frame& at = frames.back();
        const auto& nodes = out_.classes[at.number];
        if (at.node < nodes.size() && at.child < out_.children[nodes[at.node]].size()) {
          const Number child = out_.children[nodes[at.node]][at.child++];
          if (index[child] == kNone) {
            index[child] = low[child] = next++;
            stack.push_back(child);
            frames.push_back({child});
          } else if (out_.component[child] == kNone) {
            low[at.number] = std::min(low[at.number], index[child]);
          }
          continue;
        }
        if (at.node + 1 < nodes.size()) {
          ++at.node;
          at.child = 0;
          continue;
        }
        const Number done = at.number;
        frames.pop_back();
        if (!frames.empty())
          low[frames.back().number] = std::min(low[frames.back().number], low[done]);
        if (low[done] == index[done]) close(done, stack);
      }
    }
  }
  void close(Number root, std::vector<Number>& stack) {
    const auto number = static_cast<Number>(out_.component_size.size());
    out_.component_size.push_back(0);
    for (;;) {
      const Number member = stack.back();
      stack.pop_back();
      out_.component[member] = number;
      ++out_.component_size.back();
      if (member == root) return;
    }
  }

  bool find_mandatory() {
    std::vector<Number> open;
    bool changed = false;
    const auto require = [&](Number number) {
      if (out_.free[number] != kNone || std::exchange(out_.is_mandatory[number], 1) != 0) return;
      changed = true;
      open.push_back(number);
    };
    for (const Number root : problem_.roots) require(root);
    for (Number number = 0; number < out_.classes.size(); ++number)
      if (out_.is_mandatory[number] != 0) open.push_back(number);
    while (!open.empty()) {
      const Number number = open.back();
      open.pop_back();
      for (const Number child : in_all(out_.classes[number])) require(child);
    }
    return changed;
  }
  // Children that all these nodes have.
  std::vector<Number> in_all(const std::vector<Number>& nodes) const {
    if (nodes.empty()) return {};
    std::vector<Number> out = out_.children[nodes.front()];
    for (const Number node : nodes)
      std::erase_if(out, [&](Number child) {
        return !std::ranges::binary_search(out_.children[node], child);
      });
    return out;
  }

  // What is taken anyway costs a node nothing more; whether it needs itself is still to be asked
  // where they reach each other.
  void leave_out_what_is_paid() {
    for (Number number = 0; number < out_.classes.size(); ++number) {
      for (const Number node : out_.classes[number])
        std::erase_if(out_.children[node], [&](Number child) {
          return out_.is_mandatory[child] != 0 &&
                 out_.component[child] != out_.component[number];
        });
    }
  }

  // A node is needless where another of its class costs no more and needs nothing else.
  bool drop_dominated() {
    bool changed = false;
    for (auto& nodes : out_.classes) {
      std::vector<Number> kept;
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        const bool is_needless = [&] {
          for (std::size_t j = 0; j < nodes.size(); ++j) {
            if (i == j || !dominates(nodes[j], nodes[i])) continue;
            // Of two that are alike the first stays.
            if (j < i || !dominates(nodes[i], nodes[j])) return true;
          }
          return false;
        }();
        if (!is_needless) kept.push_back(nodes[i]);
      }
      changed = changed || kept.size() != nodes.size();
      nodes = std::move(kept);
    }
    return changed;
  }
  bool dominates(Number a, Number b) const {
    return problem_.nodes[a].cost <= problem_.nodes[b].cost &&
           std::ranges::includes(out_.children[b], out_.children[a]);
  }

  const Problem& problem_;
  Reduced out_;
};

}  // namespace

Reduced reduce(const Problem& problem) { return Reducer(problem).run(); }

}  // namespace pet::egraph
