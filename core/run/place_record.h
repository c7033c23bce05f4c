// What a choice changes at its place, for people.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/run/recorder.h"
#include "core/search/search.h"

namespace pet {

// `recorder`: of the search that the choices are of.
std::vector<PlaceRecord> places_of(const Graph& model, const std::vector<Choice>& chosen,
                                   const Recorder& recorder);

// Of the operators on activations, by name.
std::map<std::string, std::size_t> operator_counts(const Graph& graph);

}  // namespace pet
