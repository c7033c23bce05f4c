#include <algorithm>
#include <set>

#include "core/egraph/extract/greedy.h"

namespace pet::egraph {
namespace {

// What a class has been paid for: classes, each with what it added. Each once, in no order that
// matters.
using History = std::vector<std::pair<Number, double>>;

class Ocf {
 public:
  Ocf(const Problem& problem, Overlap overlap)
      : problem_(problem),
        overlap_(overlap),
        costs_(problem.classes.size(), std::numeric_limits<double>::infinity()),
        histories_(problem.classes.size()),
        choice_(problem.classes.size(), kNone),
        changed_at_(problem.classes.size(), 0),
        paid_at_(problem.classes.size(), 0) {}

  Estimated run() {
    // egg's extractor: all classes again until none becomes cheaper.
    constexpr std::size_t kMostRounds = 1000;
    bool changed = true;
    for (round_ = 1; std::exchange(changed, false) && round_ < kMostRounds; ++round_)
      for (Number number = 0; number < problem_.classes.size(); ++number)
        changed = look_at(number) || changed;
    const std::set<Number> roots(problem_.roots.begin(), problem_.roots.end());
    const double cost =
        roots.size() == 1 ? costs_[*roots.begin()] : added_up({roots.begin(), roots.end()}, 0).cost;
    return {choice_, cost};
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
      if (!is_worth_a_look(children)) continue;
      Paid paid = added_up(children, problem_.nodes[node].cost);
      if (paid.cost >= costs_[number] || has_paid(number)) continue;
      costs_[number] = paid.cost;
      histories_[number] = std::move(paid.history);
      choice_[number] = node;
      changed_at_[number] = round_;
      improved = true;
    }
    return improved;
  }

  // All can be computed, and one is another than it was when this was looked at the last time.
  bool is_worth_a_look(const std::vector<Number>& children) const {
    const auto is_done = [this](Number child) { return choice_[child] != kNone; };
    const auto is_new = [this](Number child) { return changed_at_[child] + 1 >= round_; };
    return std::ranges::all_of(children, is_done) &&
           (round_ == 1 || std::ranges::any_of(children, is_new));
  }

  bool has_paid(Number number) const { return paid_at_[number] == looks_; }
  void pay(Number number, double cost, Paid& out) {
    paid_at_[number] = looks_;
    out.history.emplace_back(number, cost);
  }

  // Algorithm 2, lines 8 to 34.
  Paid added_up(const std::vector<Number>& children, double own) {
    ++looks_;
    Paid out{own, {}};
    for (const Number child : children) {
      if (has_paid(child)) continue;
      double shared = 0;
      for (const auto& [one, cost] : histories_[child]) {
        if (!has_paid(one)) {
          pay(one, cost, out);
        } else if (overlap_ == Overlap::LargestPart) {
          shared = std::max(shared, cost);
        } else {
          shared += cost;
        }
      }
      const double cost = std::max(costs_[child] - shared, 0.0);
      pay(child, overlap_ == Overlap::LargestPart ? cost : own_cost(child), out);
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
  std::size_t round_ = 0;
  std::vector<std::size_t> changed_at_;  // by class: the round of its last change
  std::size_t looks_ = 0;
  std::vector<std::size_t> paid_at_;  // by class: the last look that paid for it
};

}  // namespace

Estimated extract_ocf(const Problem& problem, Overlap overlap) {
  return Ocf(problem, overlap).run();
}

}  // namespace pet::egraph
