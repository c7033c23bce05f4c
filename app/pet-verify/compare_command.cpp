#include "app/pet-verify/commands.h"
#include "app/pet-verify/flags.h"
#include "app/pet-verify/run.h"

namespace pet::app {

Command add_compare(CLI::App& parent) {
  auto* app = parent.add_subcommand(
      "compare",
      "Are two programs equal, and where are they not? Also without its name: pet-verify A B.\n"
      "Two ONNX files; or cases (both programs in one text file, with the verdict they must get), "
      "folders of cases, and manifests that list pairs.");
  app->set_version_flag("--version", "pet-verify " PET_VERSION);
  auto flags = std::make_shared<CompareFlags>(*app);
  return [flags] {
    const auto options = flags->read();
    if (!options) return fail("pet-verify", options.error());
    return run(*options, [&options] {
      if (options->as_published) return theorem_as_published(options->limits);
      return options->engine.empty() ? default_engines(options->limits)
                                     : engines_called(options->engine, options->limits);
    });
  };
}

}  // namespace pet::app
