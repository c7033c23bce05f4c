#include <QDockWidget>
#include <catch2/catch.hpp>
#include <fstream>

#include "tests/support/scratch_folder.h"
#include "tests/viz/views/wait_until_idle.h"
#include "viz/views/actions.h"
#include "viz/views/main_window.h"

namespace pet::viz {
namespace {

WindowPorts ports() {
  WindowPorts out;
  out.open_case = [](const std::filesystem::path& path,
                     const std::stop_token&) -> Result<OpenedPair> {
    if (!std::filesystem::exists(path)) return Error{"cannot read " + path.string()};
    OpenedPair pair;
    pair.name = path.filename().string();
    return pair;
  };
  return out;
}

TEST_CASE("A session that is restored has the same file open, the same page, theme and panes") {
  const testing::ScratchFolder folder;
  std::ofstream(folder / "x.txt") << "a case";
  const auto file = folder / "x.petsession";
  std::string before;
  {
    MainWindow window(ports());
    window.open_file(folder / "x.txt");
    window.show_page("boxes");
    wait_until_idle(window);
    window.actions().at("view.dark")->trigger();
    window.findChild<QDockWidget*>("log")->hide();
    window.save_session(file);
    before = to_text(window.session());
  }
  MainWindow window(ports());
  window.open_file(file);
  wait_until_idle(window);
  CHECK(window.trouble().empty());
  CHECK(to_text(window.session()) == before);
  CHECK(window.session().page == "boxes");
  CHECK(window.session().theme == SessionTheme::Dark);
  CHECK_FALSE(window.session().docks.at("log"));
  CHECK(window.windowTitle().startsWith("x.txt"));
}

TEST_CASE("A session whose file is another one now, or gone, says so and opens nothing") {
  const testing::ScratchFolder folder;
  std::ofstream(folder / "x.txt") << "a case";
  const auto file = folder / "x.petsession";
  {
    MainWindow window(ports());
    window.open_file(folder / "x.txt");
    wait_until_idle(window);
    window.save_session(file);
  }
  std::ofstream(folder / "x.txt") << "another case";
  MainWindow window(ports());
  window.open_file(file);
  wait_until_idle(window);
  CHECK(window.trouble() == (folder / "x.txt").string() +
                                " is another file than the session was of: its content has "
                                "changed; put the old one back, or open it by itself");
  CHECK(window.session().source.kind == SourceKind::Nothing);
  CHECK(window.session().page == "start");
  std::filesystem::remove(folder / "x.txt");
  window.open_file(file);
  wait_until_idle(window);
  CHECK(window.trouble().find("cannot read " + (folder / "x.txt").string()) == 0);
}

TEST_CASE("A session that makes no sense leaves what is open") {
  const testing::ScratchFolder folder;
  std::ofstream(folder / "x.txt") << "a case";
  std::ofstream(folder / "broken.petsession") << "{";
  MainWindow window(ports());
  window.open_file(folder / "x.txt");
  wait_until_idle(window);
  window.open_file(folder / "broken.petsession");
  wait_until_idle(window);
  CHECK(window.trouble().find("broken.petsession: at byte 2") != std::string::npos);
  CHECK(window.windowTitle().startsWith("x.txt"));
  CHECK(window.session().source.name == (folder / "x.txt").string());
}

}  // namespace
}  // namespace pet::viz
