// The rule of who may include whom, read off the #include lines, and the rule that the list of
// operators is complete. Link lines hold most of it already; they do not see headers that need no
// linking.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pet {

// One line per violation, "core/ir/graph.h:12: core may not include verify (verify/check.h)",
// sorted by file and line.
std::vector<std::string> layering_violations(const std::filesystem::path& root);

// Every operator defined in a core/ops/*.cpp has a line in core/ops/all_ops.def, and every line a
// definition. Nothing to say where there is no list.
std::vector<std::string> operator_list_violations(const std::filesystem::path& root);

}  // namespace pet
