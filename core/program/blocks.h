// A program as blocks that stand one behind the other, equal ones found: layers that a network
// repeats are worked on once (Hartmann et al., PACT'24, name it as what tree search lacks).
#pragma once

#include "core/program/split.h"

namespace pet {

// Fewer operators than that are no block: what could be rewritten across its borders would be
// lost.
inline constexpr std::size_t kSmallestBlock = 8;

// Cut at values through which everything passes that a program computes of its inputs. Windows
// between two such values that are there several times, but for the numbers of their weights, are
// one class each; what is left between them is a class of its own. Operators without a meaning are
// in none. A program without a window that is there twice is one block.
//
// Blocks share no operator, and what of constants alone two of them need is in neither: an input.
std::vector<SubprogramClass> blocks_of(const Graph& program);

}  // namespace pet
