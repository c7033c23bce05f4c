// Constants computed from constants, each rounded once: what a weight program yields as float32
// (theory: section 6a, (b)).
#pragma once

#include <stop_token>

#include "core/ir/graph.h"
#include "core/util/result.h"

namespace pet {

// The float nearest to the exact value of every element of `node`, ties to even. An Error where an
// element overflows, is too small for a float to hold it to within 2^-24 of its size, is undefined,
// or cannot be decided; and where the node depends on anything but finite float constants and
// functions that can be enclosed. REQUIRES: the node's shape is known
Result<Tensor> correctly_rounded(const Graph& graph, NodeId node, std::size_t threads,
                                 const std::stop_token& stop);

// Whether the exact value of one element is a float. An Error where it cannot be computed.
Result<bool> is_exactly_a_float(const Graph& graph, NodeId node, Dim flat);

}  // namespace pet
