// For tests of the window: its loop runs until nothing is left to be done.
#pragma once

#include <QEventLoop>

#include "viz/views/main_window.h"

namespace pet::viz {

inline void wait_until_idle(MainWindow& window) {
  QEventLoop loop;
  // Whoever is told before may begin something.
  QObject::connect(&window, &MainWindow::idle, &loop, [&] {
    if (window.is_idle()) loop.quit();
  });
  window.tell_when_idle();
  loop.exec();
}

}  // namespace pet::viz
