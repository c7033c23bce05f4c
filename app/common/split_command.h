// A command in one text as a shell would take it apart, without a shell: nothing in it is run or
// replaced.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/util/result.h"

namespace pet::app {

// Words by spaces; '...' as it stands, "..." with \" and \\, \x outside of both. An Error where a
// quote stays open or there is no word.
Result<std::vector<std::string>> split_command(std::string_view text);

}  // namespace pet::app
