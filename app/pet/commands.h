// The subcommands. Each adds its flags to the command line; what it returns runs when the command
// was given.
#pragma once

#include "app/common/command_line.h"

namespace pet::app {

inline int fail(const Error& error) { return fail("pet", error); }

using Command = std::function<int()>;

Command add_optimize(CLI::App& parent);
Command add_show(CLI::App& parent);
Command add_bench(CLI::App& parent);
Command add_models(CLI::App& parent);
Command add_fold(CLI::App& parent);
Command add_mutants(CLI::App& parent);
Command add_replay(CLI::App& parent);
Command add_explain(CLI::App& parent);
Command add_ops(CLI::App& parent);

}  // namespace pet::app
