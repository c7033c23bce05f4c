// Programs computed from their definitions, and how far what a device makes of them is off.
#pragma once

#include <optional>
#include <vector>

#include "core/ir/graph.h"
#include "core/util/rng.h"

namespace pet::gpu {

using Numbers = std::vector<std::vector<float>>;

enum class Drawn { Signed, Positive };
// A value for every input.
Numbers drawn_inputs(const Graph& graph, Drawn drawn, Rng& rng);

// How far outputs are off of what the operators' definitions make of the inputs in double
// precision, by the largest value of their channel (the second axis); infinite where something is
// no number that should be one. Where the definitions yield no finite number nothing is asked.
struct Distance {
  double off = 0;
  // The two below are asked for only beyond the tolerance.
  //
  // The same of the definitions computed in floats, each sum in the order in which the reference
  // adds. A sum may come out exact by luck: it is added up in the other directions of rounding,
  // too, each of which loses up to twice as much as the nearest float and counts half.
  double in_floats = 0;
  // Sums are not all that floats lose: the mean of three equal numbers is another one, and
  // x/2·(1 + erf(x/√2)) is as exact as x, not as its result. The largest of draws in which every
  // value on the way is off by half an ulp of a float: its own, that of the largest of its channel,
  // or that of the largest that functions are applied to.
  double in_drawn_roundings = 0;

  // As good as floats that are added up as the reference adds.
  bool is_right() const { return off <= kTolerance || off <= kTimesFloats * in_floats; }
  // What rounding inside of functions explains. Where a program magnifies that much (a jump, a
  // pole) it explains anything: count how often it has to.
  bool is_explained() const { return is_right() || off <= kTimesFloats * in_drawn_roundings; }

  static constexpr double kTolerance = 1e-5;
  static constexpr double kTimesFloats = 4;
};
// nullopt where the program holds something that the definitions do not define for floats.
std::optional<Distance> distance(const Graph& graph, const Numbers& inputs, const Numbers& outputs);

}  // namespace pet::gpu
