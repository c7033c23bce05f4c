// Ctrl-C (and SIGTERM, and a terminal that is closed), counted while this lives. A signal handler
// may do next to nothing; what is to happen happens in a thread that it wakes, and that looks at
// the count fifty times a second besides.
#pragma once

#include <functional>
#include <thread>

namespace pet::app {

class Interrupts {
 public:
  enum class Second { IsCounted, EndsTheProgram };

  // At most one lives at a time. `tick` is called with the count so far, never at once from two
  // threads.
  Interrupts(Second second, std::function<void(int count)> tick);
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

 private:
  std::jthread watcher_;
};

}  // namespace pet::app
