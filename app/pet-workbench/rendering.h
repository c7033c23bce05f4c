// Pictures of the window without one.
#pragma once

#include <string>

#include "viz/views/main_window.h"

namespace pet::app {

inline constexpr const char* kWholeWindow = "window";  // instead of a page: all that is seen

struct Picture {
  std::string page;  // one of MainWindow::page_names(), or kWholeWindow
  std::string file;  // .svg, .png, .csv or .json
  double scale = 1;  // of a .png
};

// What is wrong with what is asked for; empty: nothing.
std::string complaint_about(const viz::MainWindow& window, const Picture& picture);

// Writes what is in front. The exit code; what went wrong is said on stderr.
// REQUIRES: the page is in front, and nothing runs
int render(viz::MainWindow& window, const Picture& picture);

}  // namespace pet::app
