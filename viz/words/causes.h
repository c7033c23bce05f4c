// Why something is cut, as people read it.
#pragma once

#include <string>

#include "core/program/inspector.h"

namespace pet::viz {

// "t4 (Conv) reads t3 beyond its border". `program`: the one that the cause is of.
std::string in_words(const InspectedCause& cause, const Graph& program);

// "t4 = Conv(t3, W)".
std::string node_in_words(const Graph& program, NodeId node);

}  // namespace pet::viz
