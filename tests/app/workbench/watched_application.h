// An application that watches its own thread: how much of a processor each handler uses, from the
// event that comes out of the loop to its end, whatever it sends in turn included.
#pragma once

#include <QApplication>
#include <string>
#include <vector>

namespace pet::app {

class WatchedApplication final : public QApplication {
 public:
  using QApplication::QApplication;
  bool notify(QObject* receiver, QEvent* event) override;

  struct Handler {
    double ms = 0;  // of its own time: what other programs take does not count
    std::string what;
  };
  // The slowest first, since the last time.
  std::vector<Handler> take_slowest();

 private:
  int depth_ = 0;
  std::vector<Handler> slow_;
};

}  // namespace pet::app
