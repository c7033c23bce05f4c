// Nodes of a model in words: what the inspector and a table say of them, and by what they are
// found.
#pragma once

#include <QString>
#include <vector>

#include "viz/graph_layout/finder.h"
#include "viz/graph_layout/folded.h"
#include "viz/models/text_table.h"
#include "viz/views/opened.h"

namespace pet::viz {

// Each node, what it reads, and why it is opaque.
QString words_of(const DrawnNode& drawn, const Model& model);

// What is drawn as a table: a node a row, in their order.
QStringList titles_of_nodes();
std::vector<TextTable::Row> rows_of(const FoldedGraph& graph, const Model& model);

// Those that the graph shows, in its order.
std::vector<Findable> findable(const Model& model);

}  // namespace pet::viz
