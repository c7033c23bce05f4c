// PET's Algorithm 2 as it went: of every subprogram what each round kept, what waited, what was
// measured, and what the plan took. Made of a log up to a cursor.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "viz/session/search_log.h"

namespace pet::viz {

// A mutant that was kept once, or that came of one: among the cheapest by estimate, for a while.
struct RoundCard {
  std::size_t mutant = 0;  // a row of the log
  Lineage lineage;
  Fate fate = Fate::Kept;
  std::optional<double> estimate_ms;
  std::optional<double> ratio;  // how many times as fast it was measured to be
  bool is_chosen = false;       // the plan has it
};

struct Round {
  std::size_t number = 0;        // from 0
  std::vector<RoundCard> cards;  // those that stayed, cheapest first; then what made room for them
  std::size_t mutants = 0;       // all of the round, whatever became of them
};

struct RoundsOfSubprogram {
  std::size_t subprogram = 0;
  std::string title;  // "Conv, Relu at middle (2 places)"
  std::vector<Round> rounds;
};

// Subprograms of which a mutant is known, in the order in which they were found. What the last
// accepted file holds is the plan; before there is one, the best of each subprogram so far.
std::vector<RoundsOfSubprogram> rounds_at(const SearchLog& log, std::size_t cursor);

// "measured 1.08x", "waits", "made room for cheaper ones".
std::string in_words(const RoundCard& card);

}  // namespace pet::viz
