// The generator's words put in PET's terms, and other facts put in words.
#pragma once

#include "app/explain/explanation.h"

namespace pet::explain {

// What a move is, in the terms of the PET paper; empty where the move says it all. `before`: the
// program that it was made to.
std::string meaning_of_move(const std::string& move, const Program& before);

// "[0,1)x[0,64)x[0,56)x[55,56)" of a tensor float[1,64,56,56]: "axis 3 at 55"; of factored axes
// "axis 2 at 0 modulo 2". As it stands where it is no such boxes.
std::string region_in_words(const std::string& boxes, const std::string& type);

// "relu_1 with its axes in the order 2, 0, 1"
std::string layout_in_words(const Layout& layout);

// The sizes in "float[1,64,56,56]"; none where they are not known.
std::vector<long long> sizes_of(const std::string& type);

// "Conv<strides=[1,1], pads=[1,1,1,1]>" without what it would be anyway: "Conv<pads=[1,1,1,1]>".
std::string without_defaults(const std::string& op);

// A mutant by its moves, as it may be shown.
std::string mutant_in_words(const std::string& how);

// Names as they may be shown, the middle left out of long ones.
std::string shown(const std::string& name, std::size_t longest = 60);

std::string milliseconds(double ms);
std::string bytes_in_words(double bytes);
std::string ratio_in_words(const Speedup& ratio);  // "1.25x (at least 1.20x)"
std::string plural(std::size_t number, const std::string& noun);

}  // namespace pet::explain
