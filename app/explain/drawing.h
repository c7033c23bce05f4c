// Programs as pictures, drawn by Graphviz.
#pragma once

#include <string>
#include <vector>

#include "core/run/record.h"
#include "core/util/result.h"

namespace pet::explain {

// In Graphviz's language. `id` begins the names of all elements, so that several pictures can stand
// in one page.
std::string dot_of(const ProgramRecord& program, const std::vector<bool>& is_new,
                   const std::string& id);

// The <svg> element of that picture. An Error where Graphviz is missing or does not answer.
Result<std::string> svg_of(const std::string& dot);

}  // namespace pet::explain
