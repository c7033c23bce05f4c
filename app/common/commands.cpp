#include "app/common/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/util/printable.h"

namespace pet::app {

std::optional<int> parse_or_tell(CLI::App& app, int argc, const char* const* argv) {
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::ParseError& problem) {
    if (problem.get_exit_code() == 0) return app.exit(problem);  // --help, --version
    say(fmt::format("{}: {}; see --help\n", app.get_name(), printable(problem.what())));
    return kUsage;
  }
}

bool is_command(std::span<const CommandRow> table, const std::string& word) {
  return std::ranges::find(table, word, &CommandRow::name) != table.end();
}

int run_command(CLI::App& app, std::span<const CommandRow> table, int argc,
                const char* const* argv) {
  app.require_subcommand(1);
  if (argc > 1 && argv[1][0] != '-' && !is_command(table, argv[1])) {
    return fail(app.get_name(),
                Error{fmt::format("unknown command '{}'; see --help", printable(argv[1])),
                      ErrorKind::Usage});
  }
  std::vector<Command> commands;
  for (const CommandRow& row : table) commands.push_back(row.add(app));
  if (const auto code = parse_or_tell(app, argc, argv)) return *code;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (app.got_subcommand(table[i].name)) return commands[i]();
  }
  return kUsage;
}

CLI::Validator positive_number() {
  return CLI::Validator(
      [](const std::string& text) {
        double value = 0;
        const char* end = text.data() + text.size();
        const auto [rest, problem] = std::from_chars(text.data(), end, value);
        const bool good =
            problem == std::errc() && rest == end && value > 0 && std::isfinite(value);
        return good ? "" : fmt::format("{} is no positive number", text);
      },
      "POSITIVE");
}

}  // namespace pet::app
