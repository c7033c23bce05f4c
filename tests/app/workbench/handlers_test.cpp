// The thread of the window is never busy for long: a visit to every page, of each kind of thing
// that can be open, with every command that opens no dialog.
#include <catch2/catch.hpp>
#include <set>

#include "tests/app/workbench/visitor.h"
#include "tests/app/workbench/watched_application.h"
#include "viz/views/actions.h"

namespace pet::app {
namespace {

constexpr double kLongest = 100;  // ms of its own time

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double kSlowdown = 20;
#else
constexpr double kSlowdown = 1;
#endif

// What asks for a file or a name, measures for seconds, or is tried by itself.
bool is_left_out(const QString& action) {
  static const std::set<QString> all = {
      "file.open",          "file.run",           "file.build",       "file.quit",
      "session.save",       "session.save_as",    "session.left",     "help.commands",
      "search.new",         "search.run",         "search.stop",      "search.pause",
      "verdicts.reproduce", "export.this",        "export.best",      "profile.other",
      "profile.afresh",     "profile.measure",    "export.compare",   "jobs.cancel",
      "verdicts.plant",     "verdicts.check_all", "profile.operators"};
  return all.contains(action) || action.startsWith("page.") || action.startsWith("file.start");
}

// Each page in front, and its commands.
void visit_all_pages(Visitor& visitor) {
  const QList<QAction*> all = visitor.window().actions().all();
  for (const QString& page : visitor.window().page_names()) {
    visitor.does("page." + page.toStdString());
    for (const QAction* action : all) {
      const QString id = action->objectName();
      if (id.startsWith(page + ".") && !is_left_out(id)) visitor.does(id.toStdString());
    }
  }
  visitor.does("view.dark");
  visitor.does("view.light");
  visitor.does("view.reset");
}

WatchedApplication& watched() { return *static_cast<WatchedApplication*>(qApp); }

void check_handlers(const std::string& of) {
  for (const auto& handler : watched().take_slowest()) {
    INFO(of << ": " << handler.what << " took " << handler.ms << " ms");
    CHECK(handler.ms <= kLongest * kSlowdown);
  }
}

TEST_CASE("No handler takes more than 100 ms of the window's own time") {
  Visitor visitor;
  watched().take_slowest();
  for (const char* example : {"joined", "dilated", "pair"}) {
    visitor.opens_example(example);
    if (example == std::string("pair")) {
      visitor.does("search.partial");
      visitor.does("mutants.open");
    }
    visit_all_pages(visitor);
    check_handlers(example);
  }
  visitor.opens(built("resnet18"));
  visit_all_pages(visitor);
  check_handlers("ResNet-18");
}

TEST_CASE("No handler takes longer while a search runs and its log grows") {
  Visitor visitor;
  visitor.opens(built("resnet18"));
  watched().take_slowest();
  visitor.starts_search();
  for (const QString& page : visitor.window().page_names()) {
    visitor.starts("page." + page.toStdString());
    Visitor::lets_pass(300);
    visitor.starts("search.back");
    Visitor::lets_pass(100);
  }
  CHECK(visitor.window().session().cursor > 0);
  visitor.does("search.stop");
  check_handlers("a search of ResNet-18");
}

}  // namespace
}  // namespace pet::app
