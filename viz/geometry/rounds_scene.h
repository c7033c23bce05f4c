// Rounds of a search, drawn: a column a subprogram, a band a round, a card a mutant that was kept,
// and lines from each to what was made of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "viz/geometry/scene.h"

namespace pet::viz {

struct DrawnCard {
  std::string id;            // "mutant:N"
  std::string title, words;  // "M14 · 0.83 ms", "waits"
  std::string tooltip = {};
  std::optional<std::string> parent = {};  // the id of what it was made of
  enum class Kind { Waiting, Looked, Wrong, Faster, Gone } kind = Kind::Waiting;
  bool is_chosen = false;
};
struct DrawnRound {
  std::string title;             // "round 1: 8 of 210 mutants"
  std::vector<DrawnCard> cards;  // from top to bottom
};
struct DrawnColumn {
  std::string title, detail;
  std::vector<DrawnRound> rounds;
};

// A card that is chosen has a thick border, and so has the line from what it was made of.
// `selected`: the id of a card. Of a round's cards so many are drawn as `most` says, the chosen one
// and the selected one among them; a line says how many there are.
Scene rounds_scene(const std::vector<DrawnColumn>& columns, const std::string& selected,
                   std::size_t most = 12);

}  // namespace pet::viz
