// Reading operand 0 in pieces: borders that repeat it, lists of positions, weights of neighbours.
#pragma once

#include <string_view>
#include <vector>

#include "core/ir/meaning.h"
#include "core/util/result.h"

namespace pet::ops {

// One way in which positions of the result read along an axis of the operand: where the guards
// hold, at `at`, times `coef`.
struct Piece {
  std::vector<Guard> guards;
  IndexExpr at;
  Coef coef = {};
};

// Each sum of such pieces costs what a term costs, and there is one for every choice.
inline constexpr std::size_t kMostPieces = 256;

// Where `axis`, which has `extent` positions, lies in [low, high).
std::vector<Guard> within(std::size_t axis, Dim low, Dim high, Dim extent);

// The sum of all pieces along every axis of the operand: a term for each choice of one an axis.
// Unsupported where there are more than kMostPieces.
Result<std::vector<Term>> sum_of_pieces(std::string_view who,
                                        std::span<const std::vector<Piece>> axes);

// Pieces that read `positions` (row-major over axes `first`, first+1, … with these extents). Runs
// of equally spaced positions become one piece; unequal ones one each. Unsupported where there are
// more than kMostPieces. REQUIRES: as many positions as the extents say
Result<std::vector<Piece>> pieces_of(std::string_view who, const std::vector<Dim>& positions,
                                     const Shape& extents, std::size_t first);

}  // namespace pet::ops
