// The form in which programs are rewritten, and back. Files have the bias inside of a convolution;
// rules know none: here it stands apart, added behind, and goes back in where nothing else reads
// the convolution. There and back a program is what it was, node for node.
#pragma once

#include "core/ir/graph.h"
#include "core/util/result.h"

namespace pet::rules {

// Of every convolution with a bias: its value keeps its name, the convolution without has none.
Result<Graph> with_biases_apart(const Graph& program);

// Undoes it, in what was rewritten too. What a file itself has apart (there every value has a name)
// stays apart.
Result<Graph> with_biases_inside(const Graph& program);

}  // namespace pet::rules
