// Small problems of extraction, and their best choice found by trying all.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>

#include "core/egraph/extract/problem.h"
#include "core/util/rng.h"

namespace pet::test {

// Of up to 12 classes, some of which reach each other; costs are whole numbers, so that sums of
// them are exact. Some choice is without a cycle.
inline egraph::Problem random_problem(Rng& rng) {
  egraph::Problem out;
  const auto classes = static_cast<egraph::Number>(rng.between(1, 12));
  out.classes.resize(classes);
  for (egraph::Number number = 0; number < classes; ++number) {
    const auto nodes = rng.between(1, 3);
    for (std::int64_t i = 0; i < nodes; ++i) {
      egraph::Problem::Node node;
      node.cost = static_cast<double>(rng.below(3) == 0 ? 0 : rng.between(0, 9));
      // The first node of a class reads classes before it alone; the others any.
      const egraph::Number readable = i == 0 ? number : classes;
      const auto children = readable == 0 ? 0 : rng.between(0, 3);
      for (std::int64_t c = 0; c < children; ++c)
        node.children.push_back(static_cast<egraph::Number>(rng.below(readable)));
      out.classes[number].push_back(static_cast<egraph::Number>(out.nodes.size()));
      out.nodes.push_back(std::move(node));
    }
  }
  const auto roots = rng.between(1, 2);
  for (std::int64_t i = 0; i < roots; ++i)
    out.roots.push_back(static_cast<egraph::Number>(rng.below(classes)));
  return out;
}

// Class after class that is needed takes each of its nodes; what costs as much as the best already
// is given up.
class Exhaustive {
 public:
  explicit Exhaustive(const egraph::Problem& problem)
      : problem_(problem), choice_(problem.classes.size(), egraph::kNone) {}

  // Nothing: no choice is without a cycle.
  std::optional<double> optimum() {
    look(problem_.roots, 0);
    if (best_ == std::numeric_limits<double>::infinity()) return std::nullopt;
    return best_;
  }

 private:
  void look(std::vector<egraph::Number> open, double cost) {
    if (cost >= best_) return;
    while (!open.empty() && choice_[open.back()] != egraph::kNone) open.pop_back();
    if (open.empty()) {
      const auto whole = egraph::cost_of_choice(problem_, choice_);
      if (whole) best_ = std::min(best_, *whole);
      return;
    }
    const egraph::Number number = open.back();
    open.pop_back();
    for (const egraph::Number node : problem_.classes[number]) {
      choice_[number] = node;
      std::vector<egraph::Number> more = open;
      more.insert(more.end(), problem_.nodes[node].children.begin(),
                  problem_.nodes[node].children.end());
      look(std::move(more), cost + problem_.nodes[node].cost);
    }
    choice_[number] = egraph::kNone;
  }

  const egraph::Problem& problem_;
  egraph::Choice choice_;
  double best_ = std::numeric_limits<double>::infinity();
};

}  // namespace pet::test
