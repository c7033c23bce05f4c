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
  const std::vector<CommandRow> table = {
      {"optimize", add_optimize}, {"show", add_show},       {"bench", add_bench},
      {"fold", add_fold},         {"mutants", add_mutants}, {"replay", add_replay},
      {"explain", add_explain},   {"profile", add_profile}, {"calibrate", add_calibrate},
      {"models", add_models},     {"rules", add_rules},     {"egraph", add_egraph},
      {"costs", add_costs},       {"ops", add_ops}};
  return run_command(app, table, argc, argv);
}

}  // namespace
}  // namespace pet::app

int main(int argc, char** argv) {
  return pet::app::guarded("pet", [&] { return pet::app::run(argc, argv); });
}
