// What searches of e-graphs follow from, by the names that command lines and journals have for it.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace pet::egraph {

// Merges that would make a value need itself: what closes a cycle is banned after each round
// (Efficient), or every merge is looked at by itself and left out (Vanilla).
enum class CycleFilter { Efficient, Vanilla };
inline constexpr std::size_t kCycleFilters = 2;
constexpr std::string_view to_string(CycleFilter filter) {
  return filter == CycleFilter::Efficient ? "efficient" : "vanilla";
}

// extract/greedy.h and extract/ilp.h say what they do.
enum class Extractor { Tree, Dag, Ocf, OcfUnion, Ilp };
inline constexpr std::size_t kExtractors = 5;
constexpr std::string_view to_string(Extractor extractor) {
  constexpr std::array<std::string_view, kExtractors> kWords = {"tree", "dag", "ocf", "ocf-union",
                                                                "ilp"};
  return kWords[static_cast<std::size_t>(extractor)];
}

struct SaturationLimits {
  std::size_t nodes = 50'000;
  std::size_t iterations = 15;
  std::size_t k_multi = 1;       // rounds in which rules of several results are applied
  std::size_t matches = 10'000;  // of one rule in one round
  CycleFilter cycles = CycleFilter::Efficient;
};

// Of the tree search (Hartmann et al., PACT'24, section 4.1).
struct TreeLimits {
  std::size_t budget = 128;                 // walks down the tree before an action is chosen
  std::size_t depth = 10;                   // rules applied by chance at the end of each
  double coin = 0.5;                        // of ending a walk before a leaf
  double exploration = 2.8284271247461903;  // c of UCB1: 2 sqrt 2
  bool reuse = false;                       // the tree below the chosen action is kept
};

// UCB1 of a node of the tree: what it was worth on average, and how little is known of it.
double ucb1(double value, std::size_t visits, std::size_t visits_of_parent, double exploration);

}  // namespace pet::egraph
