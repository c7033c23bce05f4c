// Two programs that are compared, and what differs between them, in words. No Qt here. Nothing here
// is called equal: nobody has proved anything by looking.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/program/counterparts.h"

namespace pet::viz {

struct ComparedProgram {
  std::string name;
  std::shared_ptr<const Graph> graph;
};

struct SideBySide {
  ComparedProgram here, there;
  Counterparts counterparts;
  std::string known;  // of how the one became the other; empty: nothing
};

// "3 places changed: 5 nodes became 9; 61 unchanged"
std::string headline_of(const SideBySide& comparison);

struct ChangeWords {
  std::string what;         // "replaced", "only in the original"
  std::string here, there;  // operators, by number
  std::string yields;       // the values that others read, with their shapes
  std::string known;
};
std::vector<ChangeWords> words_of(const SideBySide& comparison);  // by change

// All that is said about a change: nodes with their shapes, too.
std::string in_words(const SideBySide& comparison, std::size_t change);
// About nodes that are unchanged.
std::string in_words(const SideBySide& comparison, const std::vector<NodeId>& here,
                     const std::vector<NodeId>& there);

}  // namespace pet::viz
