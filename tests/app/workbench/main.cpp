// Tests of the whole window, offscreen, in one application that watches itself.
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include "tests/app/workbench/killed_window.h"
#include "tests/app/workbench/watched_application.h"

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const pet::app::WatchedApplication application(argc, argv);
  QApplication::setStyle("Fusion");
  if (argc == 3 && std::string(argv[1]) == pet::app::kKilledWindow)
    return pet::app::run_until_killed(argv[2]);
  return Catch::Session().run(argc, argv);
}
