// The outline: what was opened, as a tree of words.
#pragma once

#include "viz/views/opened.h"

class QString;
class QTreeWidget;

namespace pet::viz {

// Both programs, operator by operator.
void outline_of(const OpenedPair& pair, QTreeWidget& tree);
// Subprograms with the places where each is found, then what is opaque and why.
void outline_of(const OpenedModel& opened, QTreeWidget& tree);

// "32 nodes in the file; 31 linear operators in 21 sets; 0 opaque".
QString facts_of(const OpenedModel& opened);

}  // namespace pet::viz
