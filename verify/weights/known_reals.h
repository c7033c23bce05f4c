// Constants that are the nearest float of a real which people mean: sqrt(2), 1/sqrt(2), 1/3. Two
// files that write one formula with different ones of them (x / sqrt(2), x · (1/sqrt(2))) mean the
// same up to that rounding, and what one file writes as an operator another one spells out.
//
// Both programs are compared with one rational number in the place of each such real, of which
// every constant is still the nearest float: either program is the common one with constants moved
// by half a unit in the last place at most. Nothing is assumed of the reals themselves.
#pragma once

#include <cstddef>
#include <optional>

#include "core/ir/graph.h"
#include "core/util/rational.h"
#include "core/util/result.h"

namespace pet {

// A rational of which x is the nearest float: one that stands for a real of the table, times a
// power of two. Nothing where x is the nearest of none. Zero and powers of two are themselves.
std::optional<Rational> known_real(float x);

struct KnownReals {
  Graph original;
  Graph mutant;
  std::size_t spelled_out = 0;  // operators of both
  std::size_t constants = 0;    // of both that another number stands for
};

// Both programs with known reals in the places of constants of one element, and with operators
// spelled out of which the other program has another number. Nothing where there are none of
// either.
Result<std::optional<KnownReals>> with_known_reals(const Graph& original, const Graph& mutant);

}  // namespace pet
