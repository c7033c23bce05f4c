// What a program is apart from its names and its weights: operators, their attributes, types, and
// what reads what. How fast it runs depends on little else, so this text outlives renamings and
// other weights.
#pragma once

#include <string>
#include <string_view>

#include "core/ir/graph.h"

namespace pet {

// One line: of every node that an output needs, in the program's order, its number, what it is and
// the numbers of its operands; then the outputs. Of constants that are no floats (indices, sizes)
// the values count, of floats the shape.
std::string structure_text(const Graph& graph);

// Such a text in a few words, for people: "20 Conv, 8 Relu, 1 MatMul and 2 others of
// float[1,3,32,32]". Of another text whatever of it looks like that.
std::string structure_in_short(std::string_view structure);

}  // namespace pet
