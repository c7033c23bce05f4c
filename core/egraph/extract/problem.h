// What an extractor chooses from: classes, of which each that is needed takes one of its nodes. The
// same for e-graphs of programs and for those that a file holds (serialize.h).
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/util/result.h"

namespace pet::egraph {

using Number = std::uint32_t;
inline constexpr Number kNone = std::numeric_limits<Number>::max();

struct Problem {
  struct Node {
    double cost = 0;               // finite, not negative
    std::vector<Number> children;  // classes
  };
  std::vector<Node> nodes;
  std::vector<std::vector<Number>> classes;  // their nodes
  std::vector<Number> roots;                 // classes
};

// By class: a number of its nodes, or kNone.
using Choice = std::vector<Number>;

// What the chosen nodes cost, each once: those that the roots need. An Error names the class where
// one that is needed has none, takes a node of another class, or needs itself. Shares nothing with
// any extractor, so that it can be asked about all of them.
Result<double> cost_of_choice(const Problem& problem, const Choice& choice);

// An Error where numbers point nowhere or costs are none, or where no choice is without a cycle
// (names the class).
Status check(const Problem& problem);

// The classes that the roots need if these nodes are chosen, each once.
// REQUIRES: cost_of_choice has accepted it
std::vector<Number> needed(const Problem& problem, const Choice& choice);

}  // namespace pet::egraph
