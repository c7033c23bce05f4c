// Fast convolution along one axis: fewer products, by a bilinear algorithm, in each of the forms
// that axis_forms.h can build.
#pragma once

#include <vector>

#include "core/program/mutate/axis_forms.h"
#include "core/program/mutate/generator.h"

namespace pet::mutation {

struct FastLimits {
  double most_growth = 5;           // of the weights
  Dim most_points = 10;             // of one tile: the more, the less accurate
  Dim longest_axis = 64;            // that a constant matrix spans; longer ones are cut into
  Dim most_blocks = 32;             // so many at most
  double most_amplification = 200;  // of rounding errors
};

struct FastForm {
  std::vector<Move> moves;  // the outer one first
  double multiplications = 0;
  double growth = 1;         // elements of the weights against those of the original
  double amplification = 1;  // of rounding errors
  Inner build;               // an Error where the vocabulary lacks an operator for it
};

// The forms a convolution can take, the fewest multiplications first. Applies to whatever
// sliding_product() reads, wherever it stands in a program under construction.
std::vector<FastForm> fast_forms(const SlidingProduct& product, const FastLimits& limits);

// Mutants of a subprogram of one such operator with a constant weight.
std::vector<Mutant> fast_convolutions_within(const Graph& subprogram, const FastLimits& limits);
std::vector<Mutant> fast_convolutions(const Graph& subprogram);  // within the usual limits

}  // namespace pet::mutation
