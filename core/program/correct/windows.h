// Where pieces of an operand lie in windows that another operator slides over: the arithmetic of
// one axis.
#pragma once

#include <optional>
#include <vector>

#include "core/analysis/product.h"
#include "core/program/correct/piece.h"

namespace pet {

// An axis along which both operators slide with the same taps. The window of `main` is as long as
// its operand, `room`; what it reads beyond that is zero.
struct SlidePair {
  Slide original = {};
  Slide main = {};
  Dim data = 1;     // positions of the original's operand
  Dim room = 1;     // positions of the main operator's operand
  Dim results = 1;  // of the main operator
};

// Consecutive results of the main operator that are wanted positions of the original: what they
// read in the original's operand, every `step`-th position from `low` on, zeros outside.
struct Stretch {
  Dim count = 1;  // results
  Dim low = 0;
  Dim step = 1;
  Dim reads = 1;
  Dim before = 0;  // of the reads that lie outside
  Dim after = 0;
};

// The wanted positions as phases, taken in turns, each of stretches that fit into a window, one
// after another. An Error where the two operators slide differently or the window is too short.
Result<std::vector<std::vector<Stretch>>> stretches(const SlidePair& pair,
                                                    const Progression& wanted);

// Stretches of up to `count` results laid side by side in a window: the i-th from position
// start + i·cell on (a negative start leaves off zeros), its results from first + i·results on.
struct Cells {
  Dim start = 0;
  Dim cell = 1;
  Dim places = 1;
  Dim first = 0;
  Dim results = 1;
};

// `before`, `after`: zeros at the ends of each stretch. nullopt where not even one fits.
std::optional<Cells> cells(const SlidePair& pair, Dim count, Dim before, Dim after);
// Positions that so many results read.
Dim reads_of(const Slide& window, Dim count);

}  // namespace pet
