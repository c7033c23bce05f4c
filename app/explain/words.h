// The generator's words put in PET's terms, and other facts put in words.
#pragma once

#include "core/run/record.h"

namespace pet::explain {

// What a move is, in the terms of the PET paper; empty where its words say it all.
std::string meaning_of_move(const Move& move);

// "axis 3 at 55"; of factored axes "axis 2 at 0 modulo 2".
// REQUIRES: the boxes lie inside of the basis
std::string region_in_words(const Region& region);

// "relu_1 with its axes in the order 2, 0, 1"
std::string layout_in_words(const LayoutRecord& layout);

// "Conv<pads=[1,1,1,1]>", without what it would be anyway.
std::string operator_in_words(const ProgramRecord::Step& step);
std::vector<std::string> telling_attributes(const ProgramRecord::Step& step);  // "pads=[1,1,1,1]"

// A mutant by its moves, as it may be shown.
std::string mutant_in_words(const Lineage& mutant);
std::string operators_in_words(const std::vector<std::string>& operators);  // of a subprogram

// Names as they may be shown, the middle left out of long ones.
std::string shown(const std::string& name, std::size_t longest = 60);

std::string milliseconds(double ms);
std::string bytes_in_words(std::uintmax_t bytes);
std::string ratio_in_words(const Speedup& ratio);  // "1.25x (at least 1.20x)"

}  // namespace pet::explain
