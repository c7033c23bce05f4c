// The subcommands. Each adds its flags to the command line; what it returns runs when the command
// was given.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace pet::app {

using Command = std::function<int()>;

Command add_optimize(CLI::App& parent);
Command add_show(CLI::App& parent);
Command add_bench(CLI::App& parent);
Command add_models(CLI::App& parent);
Command add_mutants(CLI::App& parent);
Command add_ops(CLI::App& parent);

}  // namespace pet::app
