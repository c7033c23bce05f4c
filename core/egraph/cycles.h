// Values that would need themselves. Rules merge classes, and classes may come to reach themselves:
// nothing wrong is said by that, but what takes a node on each class of such a cycle is no program.
#pragma once

#include "core/egraph/program.h"

namespace pet::egraph {

// Whether `from` needs `to`, through any of its nodes that are not banned.
bool reaches(const EGraph& graph, ClassId from, ClassId to);

// Bans nodes until no class needs itself; every class keeps what it can be computed by. Of a cycle
// the node goes that was made last (TENSAT, MLSys'21, section 5.2). How many went.
// REQUIRES: the e-graph is rebuilt
std::size_t break_cycles(EGraph& graph);

}  // namespace pet::egraph
