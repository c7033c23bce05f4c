#include <algorithm>
#include <deque>
#include <optional>

#include "core/egraph/extract/greedy.h"

namespace pet::egraph {
namespace {

using Bits = std::vector<std::uint64_t>;

bool has(const Bits& bits, Number number) { return (bits[number / 64] >> (number % 64) & 1) != 0; }
void put(Bits& bits, Number number) { bits[number / 64] |= std::uint64_t{1} << (number % 64); }

// One pass in one order, to where nothing gets cheaper any more.
class Greedy {
 public:
  explicit Greedy(const Problem& problem)
      : problem_(problem),
        needs_(problem.classes.size()),
        total_(problem.classes.size(), std::numeric_limits<double>::infinity()),
        choice_(problem.classes.size(), kNone),
        readers_(problem.classes.size()) {
    for (Number number = 0; number < problem.classes.size(); ++number)
      for (const Number node : problem.classes[number])
        for (const Number child : problem.nodes[node].children) readers_[child].push_back(number);
    for (auto& readers : readers_) {
      std::ranges::sort(readers);
      readers.erase(std::ranges::unique(readers).begin(), readers.end());
    }
  }

  Choice run(bool is_backwards) {
    std::deque<Number> open;
    std::vector<char> is_open(problem_.classes.size(), 1);
    for (Number number = 0; number < problem_.classes.size(); ++number) open.push_back(number);
    if (is_backwards) std::ranges::reverse(open);
    // Costs of what is shared change under those that counted them: an end has to be made.
    std::size_t left = 64 * problem_.classes.size() + 4096;
    while (!open.empty() && left-- > 0) {
      const Number number = is_backwards ? open.back() : open.front();
      is_backwards ? open.pop_back() : open.pop_front();
      is_open[number] = 0;
      if (!improve(number)) continue;
      for (const Number reader : readers_[number])
        if (std::exchange(is_open[reader], 1) == 0) open.push_back(reader);
    }
    return choice_;
  }

 private:
  bool improve(Number number) {
    bool improved = false;
    for (const Number node : problem_.classes[number]) {
      auto needs = needs_of(number, node);
      if (!needs) continue;
      const double total = total_of(*needs, number, node);
      if (total >= total_[number]) continue;
      total_[number] = total;
      choice_[number] = node;
      needs_[number] = *std::move(needs);
      improved = true;
    }
    return improved;
  }

  // Nothing: a child cannot be computed yet, or needs this class itself.
  std::optional<Bits> needs_of(Number number, Number node) const {
    Bits out((problem_.classes.size() + 63) / 64);
    for (const Number child : problem_.nodes[node].children) {
      if (choice_[child] == kNone) return std::nullopt;
      for (std::size_t i = 0; i < out.size(); ++i) out[i] |= needs_[child][i];
    }
    if (has(out, number)) return std::nullopt;
    put(out, number);
    return out;
  }

  double total_of(const Bits& needs, Number number, Number node) const {
    double out = 0;
    for (std::size_t i = 0; i < needs.size(); ++i) {
      for (std::uint64_t bits = needs[i]; bits != 0; bits &= bits - 1) {
        const auto one =
            static_cast<Number>(64 * i + static_cast<std::size_t>(__builtin_ctzll(bits)));
        out += problem_.nodes[one == number ? node : choice_[one]].cost;
      }
    }
    return out;
  }

  const Problem& problem_;
  std::vector<Bits> needs_;
  std::vector<double> total_;
  Choice choice_;
  std::vector<std::vector<Number>> readers_;
};

// Class by class another node, wherever the whole becomes cheaper by it.
void improve(const Problem& problem, Choice& choice, double& cost) {
  constexpr std::size_t kMostLooks = 20'000'000;  // classes walked over
  std::size_t looks = 0;
  for (bool improved = true; std::exchange(improved, false);) {
    for (const Number number : needed(problem, choice)) {
      for (const Number node : problem.classes[number]) {
        if (node == choice[number]) continue;
        if ((looks += problem.classes.size()) > kMostLooks) return;
        const Number before = std::exchange(choice[number], node);
        const auto now = cost_of_choice(problem, choice);
        if (now && *now < cost * (1 - 1e-12)) {
          cost = *now;
          improved = true;
        } else {
          choice[number] = before;
        }
      }
    }
  }
}

}  // namespace

Choice extract_dag(const Problem& problem) {
  Choice best = extract_tree(problem);
  double cost = *cost_of_choice(problem, best);
  // Sets of classes: beyond this they would not fit into memory.
  constexpr std::size_t kMostClasses = 40'000;
  if (problem.classes.size() <= kMostClasses) {
    for (const bool is_backwards : {false, true}) {
      const Choice choice = Greedy(problem).run(is_backwards);
      // What a set counts may have been chosen otherwise since: such a choice may need itself.
      const auto own = cost_of_choice(problem, choice);
      if (!own || *own >= cost) continue;
      best = choice;
      cost = *own;
    }
  }
  improve(problem, best, cost);
  return best;
}

}  // namespace pet::egraph
