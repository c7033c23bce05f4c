#include <fmt/format.h>

#include "app/pet/commands.h"
#include "app/pet/support.h"

int main(int argc, char** argv) {
  using namespace pet::app;
  CLI::App app(
      "PET: makes tensor programs faster with partially equivalent mutants, corrects them, and "
      "proves the result");
  app.name("pet");
  app.set_version_flag("--version", fmt::format("pet {}", PET_VERSION));
  app.require_subcommand(1);
  const std::vector<std::pair<std::string, Command (*)(CLI::App&)>> table = {
      {"optimize", add_optimize}, {"show", add_show},     {"bench", add_bench},
      {"mutants", add_mutants},   {"models", add_models}, {"ops", add_ops}};
  std::vector<Command> commands;
  for (const auto& [name, add] : table) commands.push_back(add(app));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    const int code = app.exit(e);
    return code == 0 ? kDone : kUsage;
  }
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (app.got_subcommand(table[i].first)) return commands[i]();
  }
  return kUsage;
}
