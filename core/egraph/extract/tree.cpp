#include <queue>
#include <tuple>

#include "core/egraph/extract/greedy.h"

namespace pet::egraph {

// Knuth 1977: the cheapest class of those that can be computed from what is done is done next.
Choice extract_tree(const Problem& problem) {
  struct Reader {
    Number node, home;
  };
  std::vector<std::vector<Reader>> readers(problem.classes.size());
  std::vector<std::size_t> waits(problem.nodes.size());
  std::vector<double> costs(problem.nodes.size());
  using Entry = std::tuple<double, Number, Number>;  // cost, class, node
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  for (Number number = 0; number < problem.classes.size(); ++number) {
    for (const Number node : problem.classes[number]) {
      costs[node] = problem.nodes[node].cost;
      waits[node] = problem.nodes[node].children.size();
      if (waits[node] == 0) open.emplace(costs[node], number, node);
      for (const Number child : problem.nodes[node].children)
        readers[child].push_back({node, number});
    }
  }
  Choice out(problem.classes.size(), kNone);
  while (!open.empty()) {
    const auto [cost, number, node] = open.top();
    open.pop();
    if (out[number] != kNone) continue;
    out[number] = node;
    for (const Reader& reader : readers[number]) {
      costs[reader.node] += cost;
      if (--waits[reader.node] == 0) open.emplace(costs[reader.node], reader.home, reader.node);
    }
  }
  return out;
}

}  // namespace pet::egraph
