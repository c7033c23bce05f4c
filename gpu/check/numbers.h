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

// The outputs, from the operators' definitions in double precision; nullopt where the program holds
// something that they do not define for floats.
std::optional<std::vector<std::vector<double>>> by_definition(const Graph& graph,
                                                              const Numbers& inputs);
// How much the outputs differ (as below) where every value on the way is off by half an ulp of a
// float: its own, that of the largest of its channel, or that of the largest that functions are
// applied to. No computation in floats can be asked to be better than that. Infinite where
// something is no number then.
double sensitivity(const Graph& graph, const Numbers& inputs, Rng& rng);

// The largest difference of two outputs by the largest value of its channel (the second axis);
// where the definition yields no finite number nothing is asked. nullopt: something is no number
// that should be one.
std::optional<double> difference(const Graph& graph, const Numbers& outputs,
                                 const std::vector<std::vector<double>>& expected);

}  // namespace pet::gpu
