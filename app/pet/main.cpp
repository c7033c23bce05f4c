#include <fmt/format.h>

#include "app/pet/commands.h"

namespace pet::app {
namespace {

int run(int argc, char** argv) {
  CLI::App app(
      "PET: makes tensor programs faster with partially equivalent mutants, corrects them, and "
      "proves the result");
  app.name("pet");
  app.set_version_flag("--version", fmt::format("pet {}", PET_VERSION));
  app.require_subcommand(1);
  const std::vector<std::pair<std::string, Command (*)(CLI::App&)>> table = {
      {"optimize", add_optimize}, {"show", add_show},       {"bench", add_bench},
      {"fold", add_fold},         {"mutants", add_mutants}, {"replay", add_replay},
      {"explain", add_explain},   {"models", add_models},   {"ops", add_ops}};
  std::vector<Command> commands;
  for (const auto& [name, add] : table) commands.push_back(add(app));
  if (const auto code = parse_or_tell(app, argc, argv)) return *code;
  for (std::size_t i = 0; i < table.size(); ++i) {
    if (app.got_subcommand(table[i].first)) return commands[i]();
  }
  return kUsage;
}

}  // namespace
}  // namespace pet::app

int main(int argc, char** argv) {
  return pet::app::guarded("pet", [&] { return pet::app::run(argc, argv); });
}
