#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/egraph/extract/problem.h"

namespace pet::egraph {
namespace {

enum class State : char { New, Open, Done };

Error of_class(Number number, const std::string& what) {
  return {fmt::format("class {} {}", number, what), ErrorKind::Malformed};
}

// Classes in the order in which they are done: children first.
class Walk {
 public:
  Walk(const Problem& problem, const Choice& choice)
      : problem_(problem), choice_(choice), states_(problem.classes.size(), State::New) {}

  Status from(Number root) {
    if (auto begun = begin(root); !begun) return begun;
    while (!open_.empty()) {
      auto& [number, next] = open_.back();
      const auto& children = problem_.nodes[choice_[number]].children;
      if (next == children.size()) {
        states_[number] = State::Done;
        done_.push_back(number);
        open_.pop_back();
      } else if (auto begun = begin(children[next++]); !begun) {
        return begun;
      }
    }
    return Done{};
  }
  const std::vector<Number>& done() const { return done_; }

 private:
  Status begin(Number number) {
    if (states_[number] == State::Done) return Done{};
    if (states_[number] == State::Open) return of_class(number, "needs itself");
    if (choice_[number] == kNone) return of_class(number, "has no node chosen");
    if (std::ranges::find(problem_.classes[number], choice_[number]) ==
        problem_.classes[number].end())
      return of_class(number, "has a node chosen that is none of its");
    states_[number] = State::Open;
    open_.emplace_back(number, 0);
    return Done{};
  }

  const Problem& problem_;
  const Choice& choice_;
  std::vector<State> states_;
  std::vector<std::pair<Number, std::size_t>> open_;
  std::vector<Number> done_;
};

Status check_numbers(const Problem& problem) {
  const auto is_class = [&](Number number) { return number < problem.classes.size(); };
  for (Number number = 0; number < problem.classes.size(); ++number) {
    for (const Number node : problem.classes[number]) {
      if (node >= problem.nodes.size()) return of_class(number, "has a node that is not there");
      if (!std::ranges::all_of(problem.nodes[node].children, is_class))
        return of_class(number, "has a node with a child that is not there");
      if (!(problem.nodes[node].cost >= 0) || !std::isfinite(problem.nodes[node].cost))
        return of_class(number, "has a node whose cost is no number from 0 on");
    }
  }
  if (problem.roots.empty())
    return Error{"the e-graph has no root: nothing is to be extracted", ErrorKind::Malformed};
  if (!std::ranges::all_of(problem.roots, is_class))
    return Error{"a root is no class", ErrorKind::Malformed};
  return Done{};
}

}  // namespace

Result<double> cost_of_choice(const Problem& problem, const Choice& choice) {
  if (choice.size() != problem.classes.size())
    return Error{"a choice is of another e-graph", ErrorKind::Malformed};
  Walk walk(problem, choice);
  for (const Number root : problem.roots)
    if (auto walked = walk.from(root); !walked) return std::move(walked).error();
  double out = 0;
  for (const Number number : walk.done()) out += problem.nodes[choice[number]].cost;
  return out;
}

std::vector<Number> needed(const Problem& problem, const Choice& choice) {
  Walk walk(problem, choice);
  for (const Number root : problem.roots)
    PET_CHECK(walk.from(root).ok(), "a choice that was looked at");
  return walk.done();
}

Status check(const Problem& problem) {
  if (auto numbers = check_numbers(problem); !numbers) return numbers;
  // What can be computed at all: from nodes without children on.
  std::vector<std::vector<std::pair<Number, Number>>> readers(problem.classes.size());
  std::vector<std::size_t> waits(problem.nodes.size());
  std::vector<char> is_done(problem.classes.size());
  std::vector<Number> open;
  const auto finish = [&](Number number) {
    if (std::exchange(is_done[number], 1) == 0) open.push_back(number);
  };
  for (Number number = 0; number < problem.classes.size(); ++number) {
    for (const Number node : problem.classes[number]) {
      waits[node] = problem.nodes[node].children.size();
      if (waits[node] == 0) finish(number);
      for (const Number child : problem.nodes[node].children)
        readers[child].emplace_back(node, number);
    }
  }
  while (!open.empty()) {
    const Number number = open.back();
    open.pop_back();
    for (const auto& [node, home] : readers[number])
      if (--waits[node] == 0) finish(home);
  }
  for (const Number root : problem.roots)
    if (is_done[root] == 0)
      return of_class(root, "is a root and every choice for it would need itself");
  return Done{};
}

}  // namespace pet::egraph
