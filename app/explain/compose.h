// The parts that an explanation is composed of.
#pragma once

#include "app/explain/document.h"
#include "core/run/waterfall.h"

namespace pet::explain {

void add_place(const RunRecord& all, const Alike& group, std::size_t number, Document& out);
// What was looked at in a subprogram, and why it is not in the file. `taken`: the mutant that is.
void add_tried(const SubprogramRecord& subprogram, const Lineage& taken, Document& out);
// The same of those in which nothing was chosen, and of all of them the numbers.
void add_others(const RunRecord& all, Document& out);
void add_subprograms(const RunRecord& all, Document& out);
void add_terms(Document& out);  // what the words mean, and where the PET paper has them

// "fast convolution along axis 3 in place and 2 more", of a place's mutations.
std::string mutation_in_short(const PlaceRecord& place);
std::string place_in_words(const SubprogramRecord& subprogram);  // "/conv and 2 more"

}  // namespace pet::explain
