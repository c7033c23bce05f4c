// What programs become, as files that change only on purpose.
#pragma once

#include <string>

#include "core/ir/graph.h"

namespace pet::test {

// With tests/gpu/launches/NAME.txt; PET_RENEW=1 writes it anew.
void compare_with_golden(const std::string& name, const std::string& text);

std::string launches_of(const Graph& graph);
// "3 launches, 802960 bytes moved": of a run.
std::string totals_of(const Graph& graph);

}  // namespace pet::test
