// What several checks say of a pair, as it stands in a table and as it is told in full.
#pragma once

#include <string>
#include <string_view>

#include "core/program/cross_check.h"

namespace pet::viz {

enum class Said { NotAsked, Equal, Wrong, Unknown };

// What one engine says of an output: at the pair's own sizes, else on its small twin.
struct VerdictCell {
  Said said = Said::NotAsked;
  std::string text = {};    // "✘ 224 of 3,136 (twin)"
  std::string spoken = {};  // "wrong: 224 of 3,136 (twin)"
};
VerdictCell verdict_cell(const CrossCheck& check, CrossEngine engine, std::size_t output);

std::string in_words(Agreement agreement);  // "agree"; empty while it is open
std::string in_words(PlantedError became);  // "flagged"

// "[16, 2, 56, 56]", and what was looked at instead: "[16, 2, 56, 56], twin [8, 2, 14, 14]".
std::string sizes_in_words(const Graph& original, const CrossCheck& check, std::size_t output);
// Of all that was asked, by engine: "3 · 120 · 480 ms".
std::string times_in_words(const CrossCheck& check);
// Line by line, with every reason.
std::string details_in_words(const CrossCheck& check, const Agreed& agreed, std::size_t output);

}  // namespace pet::viz
