// Terms of a sum as people write them.
#pragma once

#include <string>

#include "core/program/inspector.h"

namespace pet::viz {

// "2 · X[1, c, 0, 6 + j] · W[1, c, 2, j]   for c = 0..1, j = 0..2".
std::string in_words(const InspectedTerm& term);

// What is in one program alone at a position, a term a line, at most `most` of each; the numbers of
// all are said.
std::string in_words(const InspectedTerms& terms, std::size_t most = 20);

}  // namespace pet::viz
