// Whoever tries the window in tests: the real one, with all its engines, offscreen. What is asked
// for goes through the event loop, as keys and clicks do.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "viz/views/main_window.h"

namespace pet::app {

// The ports of the program, made once; nothing of them is written outside of `scratch()`.
viz::WindowPorts visited_ports();
// A folder that is there as long as the tests run.
const std::filesystem::path& scratch();
// A network, built once.
const std::filesystem::path& built(const std::string& network, bool is_tiny = true);

class Visitor {
 public:
  explicit Visitor(viz::WindowPorts ports = visited_ports());

  viz::MainWindow& window() { return window_; }
  // By an action's id, then until nothing runs.
  void does(const std::string& action);
  void starts(const std::string& action);  // and does not wait
  // From an event of its own.
  void later(std::function<void()> what);
  void opens(const std::filesystem::path& file);
  void opens_example(const std::string& id);
  // By the dialog, with the journal that it proposes; it runs on at once.
  void starts_search();
  // Some of the loop, for so long.
  static void lets_pass(int ms);
  void waits();
  // What the window tells of itself, by its key.
  std::string tells(const std::string& key) const;
  template <class Widget>
  Widget& the() {
    auto* found = window_.findChild<Widget*>();
    Q_ASSERT(found != nullptr);
    return *found;
  }
  // Those that stand open are dismissed.
  void closes_dialogs();

 private:
  viz::MainWindow window_;
};

}  // namespace pet::app
