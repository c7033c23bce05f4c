// A child process that is spoken to in lines: its stdin and stdout are ours, the end of its stderr
// is kept for messages.
//   Whatever the child does (dies, hangs, floods us, answers half a line) is an Error of kind Tool
//   that says so, within the time given; a stop that is asked for is one of kind Stopped. After an
//   Error the child is dead and reaped. The child has its own process group: Ctrl-C in the terminal
//   does not reach it, and killing it takes its children.
#pragma once

#include <chrono>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/util/result.h"

namespace pet {

class ChildProcess {
 public:
  static constexpr std::size_t kMaxLine = std::size_t{16} << 20;

  // argv[0] is looked up in PATH.
  static Result<ChildProcess> start(const std::vector<std::string>& argv);

  ChildProcess(ChildProcess&&) noexcept;
  ChildProcess& operator=(ChildProcess&&) noexcept;
  // Closes its input, and kills it where it does not end with that; reaps it.
  ~ChildProcess();

  bool is_alive() const;
  int pid() const;

  // Sends the line and a newline. REQUIRES: the line holds no newline.
  Status send(std::string_view line, std::chrono::milliseconds timeout,
              const std::stop_token& stop = {});
  // The next line, without its newline.
  Result<std::string> receive(std::chrono::milliseconds timeout, const std::stop_token& stop = {});

  void kill();

 private:
  struct State;
  explicit ChildProcess(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace pet
