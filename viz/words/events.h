// What happens in a search, as people read it.
#pragma once

#include <string>

#include "core/search/events.h"

namespace pet::viz {

// "S2 M14": a mutant of a subprogram.
std::string name_of(std::size_t subprogram, MutantId mutant);
// "Conv, Relu at middle (2 places)".
std::string in_words(const SubprogramFound& found);
// One sentence, without the name of whom it is about where `of_mutant()` says that.
std::string in_words(const Event& event);
// A node of the generator's tree, or a program of one: what was done, and what came of it.
std::string in_words(const TraceNode& node);

// Whom an event is about, where that is one mutant.
struct AboutMutant {
  std::size_t subprogram = 0;
  MutantId mutant;
};
std::optional<AboutMutant> of_mutant(const Event& event);

}  // namespace pet::viz
