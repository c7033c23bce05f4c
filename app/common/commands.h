// A program of several commands: a table, one row each. A command adds its flags to the command
// line; what it returns runs when it was given, and yields the exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <map>
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

// An option whose values are enumerators 0 to count - 1, by the words that to_string has for them.
template <class Enum>
CLI::Option* add_enum_option(CLI::App& command, const std::string& name, Enum& value,
                             std::size_t count, const std::string& description) {
  std::map<std::string, Enum> words;
  for (std::size_t i = 0; i < count; ++i)
    words.emplace(to_string(static_cast<Enum>(i)), static_cast<Enum>(i));
  return command
      .add_option_function<std::string>(
          name, [&value, words](const std::string& word) { value = words.at(word); }, description)
      ->default_str(std::string(to_string(value)))
      ->check(CLI::IsMember(words));
}

}  // namespace pet::app
