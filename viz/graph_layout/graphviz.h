// Graphviz: a graph in its language, and its layout of one. It is not safe in threads and cannot be
// interrupted, so it is a child process that is killed when nobody waits any more.
#pragma once

#include <stop_token>
#include <string>
#include <string_view>

#include "core/util/result.h"
#include "viz/graph_layout/folded.h"

namespace pet::viz {

// With titles, details and shapes along edges. Names are text: nothing of them is markup.
std::string to_dot(const FoldedGraph& graph);

inline constexpr std::size_t kMostForGraphviz = 1000;  // nodes: beyond it takes minutes

// An Error says what to install where it is not there, or that the graph is too large.
Result<Layout> graphviz_layout(const FoldedGraph& graph, const std::stop_token& stop);

// What `dot -Tplain` says of a graph whose nodes are called n0, n1, ... An Error where it does not
// place every node and every edge.
Result<Layout> parse_plain(std::string_view text, const FoldedGraph& graph);

}  // namespace pet::viz
