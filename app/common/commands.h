// A program of several commands: a table, one row each. A command adds its flags to the command
// line; what it returns runs when it was given, and yields the exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "app/common/command_line.h"

namespace pet::app {

using Command = std::function<int()>;

struct CommandRow {
  std::string name;
  Command (*add)(CLI::App& parent);
};

// Parses, or says in one line what is wrong. The exit code where there is nothing left to do.
std::optional<int> parse_or_tell(CLI::App& app, int argc, const char* const* argv);

bool is_command(std::span<const CommandRow> table, const std::string& word);

// Parses and runs. Whatever goes wrong is told as `app`'s name says.
int run_command(CLI::App& app, std::span<const CommandRow> table, int argc,
                const char* const* argv);

// For CLI11: a finite number above zero.
CLI::Validator positive_number();

}  // namespace pet::app
