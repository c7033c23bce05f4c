// The outline: what was opened, as a tree of words.
#pragma once

#include "viz/views/opened.h"

class QTreeWidget;

namespace pet::viz {

// Both programs, operator by operator.
void outline_of(const OpenedPair& pair, QTreeWidget& tree);
// Subprograms with the places where each is found, then what is opaque and why.
void outline_of(const OpenedModel& opened, QTreeWidget& tree);

}  // namespace pet::viz
