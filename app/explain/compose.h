// The parts that an explanation is composed of.
#pragma once

#include "app/explain/document.h"

namespace pet::explain {

// Places where the same became the same.
struct Alike {
  std::vector<const Place*> places;
  double saved_ms() const;
};
std::vector<Alike> alike(const std::vector<Place>& places);  // what saves most comes first

void add_place(const Explanation& all, const Alike& group, std::size_t number, Document& out);
// What was looked at in a subprogram, and why it is not in the file. `taken`: the mutant that is,
// empty where there is none, nullopt where nobody knows.
void add_tried(const Subprogram& subprogram, const std::optional<std::string>& taken,
               Document& out);

}  // namespace pet::explain
