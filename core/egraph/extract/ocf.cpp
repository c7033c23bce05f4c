#include <algorithm>
#include <map>
#include <set>

#include "core/egraph/extract/greedy.h"

namespace pet::egraph {
namespace {

// What a class has been paid for: classes, each with what it added.
using History = std::map<Number, double>;

class Ocf {
 public:
  Ocf(const Problem& problem, Overlap overlap)
      : problem_(problem),
        overlap_(overlap),
        costs_(problem.classes.size(), std::numeric_limits<double>::infinity()),
        histories_(problem.classes.size()),
        choice_(problem.classes.size(), kNone) {}

  Estimated run() {
    // egg's extractor: all classes again until none becomes cheaper.
    constexpr int kMostRounds = 1000;
    bool changed = true;
    for (int round = 0; std::exchange(changed, false) && round < kMostRounds; ++round)
      for (Number number = 0; number < problem_.classes.size(); ++number)
        changed = look_at(number) || changed;
    Estimated out{choice_, 0};
    std::set<Number> roots(problem_.roots.begin(), problem_.roots.end());
    if (roots.size() == 1) {
      out.cost = costs_[*roots.begin()];
    } else {
      out.cost = added_up({roots.begin(), roots.end()}, 0).cost;
    }
    return out;
  }

 private:
  struct Paid {
    double cost = 0;
    History history;
  };

  bool look_at(Number number) {
    bool improved = false;
    for (const Number node : problem_.classes[number]) {
      const auto& children = problem_.nodes[node].children;
      const bool is_ready =
          std::ranges::all_of(children, [this](Number child) { return choice_[child] != kNone; });
      if (!is_ready) continue;
      Paid paid = added_up(children, problem_.nodes[node].cost);
      if (paid.cost >= costs_[number] || paid.history.contains(number)) continue;
      costs_[number] = paid.cost;
      histories_[number] = std::move(paid.history);
      choice_[number] = node;
      improved = true;
    }
    return improved;
  }

  // Algorithm 2, lines 8 to 34.
  Paid added_up(const std::vector<Number>& children, double own) const {
    Paid out{own, {}};
    for (const Number child : children) {
      if (out.history.contains(child)) continue;
      double shared = 0;
      for (const auto& [one, cost] : histories_[child]) {
        if (!out.history.contains(one)) {
          out.history.emplace(one, cost);
        } else if (overlap_ == Overlap::LargestPart) {
          shared = std::max(shared, cost);
        } else {
          shared += cost;
        }
      }
      const double cost = std::max(costs_[child] - shared, 0.0);
      out.history.emplace(child, overlap_ == Overlap::LargestPart ? cost : own_cost(child));
      out.cost += cost;
    }
    return out;
  }

  // Parts of a union are what classes cost by themselves.
  double own_cost(Number number) const { return problem_.nodes[choice_[number]].cost; }

  const Problem& problem_;
  const Overlap overlap_;
  std::vector<double> costs_;
  std::vector<History> histories_;
  Choice choice_;
};

}  // namespace

Estimated extract_ocf(const Problem& problem, Overlap overlap) {
  return Ocf(problem, overlap).run();
}

}  // namespace pet::egraph
