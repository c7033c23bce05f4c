#include "core/backend/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/util/check.h"

namespace pet {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kStopPoll{50};  // a stop request is seen this soon
constexpr milliseconds kExitGrace{
    500};  // a child whose input or output is closed ends this soon, or is killed
constexpr std::size_t kStderrKept = 4096;

class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Fd() { reset(); }
  void reset() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  int get() const { return fd_; }

 private:
  int fd_ = -1;
};

Error tool_error(std::string message) { return {std::move(message), ErrorKind::Tool}; }

Error system_error(std::string_view what) {
  return tool_error(fmt::format("{}: {}", what, std::strerror(errno)));
}

// Moves a descriptor out of the range 0–2, where the child's own would overwrite it while they are
// being set up.
bool lift(Fd& fd) {
  if (fd.get() > 2) return true;
  Fd lifted(::fcntl(fd.get(), F_DUPFD_CLOEXEC, 3));
  std::swap(fd, lifted);
  return fd.get() > 2;
}

bool set_nonblocking(const Fd& fd) {
  return ::fcntl(fd.get(), F_SETFL, ::fcntl(fd.get(), F_GETFL) | O_NONBLOCK) == 0;
}

struct Ends {
  Fd ours, childs;
};

// A socket pair rather than a pipe: writing to one whose reader is gone can be told to raise no
// SIGPIPE.
Result<Ends> connect_ends() {
  std::array<int, 2> fds{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds.data()) != 0)
    return system_error("socketpair");
  Ends ends{Fd(fds[0]), Fd(fds[1])};
  if (!lift(ends.ours) || !lift(ends.childs) || !set_nonblocking(ends.ours))
    return system_error("fcntl");
  return ends;
}

std::string describe_exit(int status) {
  if (WIFEXITED(status)) return fmt::format("ended with exit code {}", WEXITSTATUS(status));
  if (WIFSIGNALED(status))
    return fmt::format("was ended by signal {} ({})", WTERMSIG(status),
                       ::strsignal(WTERMSIG(status)));
  return "ended";
}

// The last lines on one line, control characters made harmless.
std::string on_one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      if (!out.empty() && !out.ends_with(" | ")) out += " | ";
    } else if (byte >= 0x20 && byte != 0x7f) {
      out += c;
    }
  }
  if (out.ends_with(" | ")) out.resize(out.size() - 3);
  constexpr std::size_t kShown = 400;
  if (out.size() > kShown) out = "..." + out.substr(out.size() - kShown);
  return out;
}

// Attributes and file actions of posix_spawn, freed together.
struct SpawnPlan {
  SpawnPlan() {
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawnattr_init(&attributes);
  }
  ~SpawnPlan() {
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
};

}  // namespace

struct ChildProcess::State {
  std::string name;          // for messages
  pid_t pid = -1;            // -1 once reaped
  Fd in, out, err;           // our ends
  std::string pending;       // read from stdout, not yet handed out
  std::size_t searched = 0;  // no newline in pending before this
  std::string stderr_tail;
  std::string exit;  // how it ended, once reaped

  // One that reads until its input ends is given time to leave nothing behind.
  ~State() {
    in = Fd();
    reap();
  }

  void kill() {
    if (pid < 0) return;
    ::kill(-pid, SIGKILL);
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    pid = -1;
    exit = describe_exit(status);
  }

  // Waits a moment for a child that is ending by itself, so that the message tells how; kills it
  // otherwise.
  void reap() {
    const auto until = Clock::now() + kExitGrace;
    while (pid >= 0 && Clock::now() < until) {
      int status = 0;
      const pid_t ended = ::waitpid(pid, &status, WNOHANG);
      if (ended == pid) {
        ::kill(-pid, SIGKILL);  // whatever it has left behind in its group
        pid = -1;
        exit = describe_exit(status);
        return;
      }
      ::poll(nullptr, 0, 5);
    }
    kill();
    exit = "closed its output and did not end";
  }

  void drain_stderr() {
    std::array<char, 4096> buffer{};
    ssize_t got = 0;
    while ((got = ::recv(err.get(), buffer.data(), buffer.size(), 0)) > 0) {
      stderr_tail.append(buffer.data(), static_cast<std::size_t>(got));
      if (stderr_tail.size() > kStderrKept) stderr_tail.erase(0, stderr_tail.size() - kStderrKept);
    }
    if (got == 0) err.reset();
  }

  Error failed(const std::string& what) {
    kill();
    if (err.get() >= 0) drain_stderr();
    const std::string said = on_one_line(stderr_tail);
    return tool_error(said.empty() ? fmt::format("{} {}", name, what)
                                   : fmt::format("{} {}; it said: {}", name, what, said));
  }

  Error ended() {
    reap();
    return failed(exit);
  }

  // Waits until `fd` is ready for `events`; keeps stderr flowing meanwhile, so that the child
  // cannot block on it.
  Status wait(const Fd& fd, short events, Clock::time_point deadline, milliseconds timeout,
              const std::stop_token& stop) {
    for (;;) {
      if (stop.stop_requested()) {
        kill();
        return Error{"stopped while waiting for " + name, ErrorKind::Stopped};
      }
      const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
      if (left.count() <= 0)
        return failed(fmt::format("gave no sign for {} ms and was stopped", timeout.count()));
      std::array<pollfd, 2> polled{{{fd.get(), events, 0}, {err.get(), POLLIN, 0}}};
      const int ready =
          ::poll(polled.data(), polled.size(), static_cast<int>(std::min(left, kStopPoll).count()));
      if (ready < 0 && errno != EINTR) return system_error("poll");
      if (ready <= 0) continue;
      if (polled[1].revents != 0) drain_stderr();
      if (polled[0].revents != 0) return Done{};
    }
  }
};

ChildProcess::ChildProcess(std::unique_ptr<State> state) : state_(std::move(state)) {}
ChildProcess::ChildProcess(ChildProcess&&) noexcept = default;
ChildProcess& ChildProcess::operator=(ChildProcess&&) noexcept = default;
ChildProcess::~ChildProcess() = default;

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& argv) {
  PET_CHECK(!argv.empty(), "a process needs a program");
  std::array<Result<Ends>, 3> ends{connect_ends(), connect_ends(), connect_ends()};
  SpawnPlan plan;
  for (int target = 0; target < 3; ++target) {
    auto& made = ends[static_cast<std::size_t>(target)];
    if (!made) return std::move(made).error();
    ::posix_spawn_file_actions_adddup2(&plan.actions, made->childs.get(), target);
  }
  sigset_t none;
  sigset_t defaults;
  ::sigemptyset(&none);
  ::sigemptyset(&defaults);
  for (const int signal : {SIGINT, SIGTERM, SIGPIPE, SIGHUP}) ::sigaddset(&defaults, signal);
  ::posix_spawnattr_setpgroup(&plan.attributes, 0);
  ::posix_spawnattr_setsigmask(&plan.attributes, &none);
  ::posix_spawnattr_setsigdefault(&plan.attributes, &defaults);
  ::posix_spawnattr_setflags(
      &plan.attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

  std::vector<std::string> words = argv;
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  auto state = std::make_unique<State>();
  state->name = argv[0];
  const int failure = ::posix_spawnp(&state->pid, pointers[0], &plan.actions, &plan.attributes,
                                     pointers.data(), environ);
  if (failure != 0) {
    state->pid = -1;
    return tool_error(fmt::format("cannot start {}: {}", argv[0], std::strerror(failure)));
  }
  state->in = std::move(ends[0]->ours);
  state->out = std::move(ends[1]->ours);
  state->err = std::move(ends[2]->ours);
  return ChildProcess(std::move(state));
}

bool ChildProcess::is_alive() const { return state_->pid >= 0; }
int ChildProcess::pid() const { return state_->pid; }
void ChildProcess::kill() { state_->kill(); }

Status ChildProcess::send(std::string_view line, milliseconds timeout,
                          const std::stop_token& stop) {
  PET_CHECK(line.find('\n') == std::string_view::npos, "a line holds no newline");
  if (!is_alive()) return tool_error(fmt::format("{} {}", state_->name, state_->exit));
  const auto deadline = Clock::now() + timeout;
  const std::string text = std::string(line) + '\n';
  std::size_t sent = 0;
  while (sent < text.size()) {
    if (auto ready = state_->wait(state_->in, POLLOUT, deadline, timeout, stop); !ready)
      return ready;
    const ssize_t wrote =
        ::send(state_->in.get(), text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (wrote >= 0) {
      sent += static_cast<std::size_t>(wrote);
    } else if (errno != EAGAIN && errno != EINTR) {
      return state_->ended();
    }
  }
  return Done{};
}

Result<std::string> ChildProcess::receive(milliseconds timeout, const std::stop_token& stop) {
  State& s = *state_;
  const auto deadline = Clock::now() + timeout;
  std::array<char, 65536> buffer{};
  for (;;) {
    const std::size_t newline = s.pending.find('\n', s.searched);
    if (newline != std::string::npos && newline <= kMaxLine) {
      std::string line = s.pending.substr(0, newline);
      s.pending.erase(0, newline + 1);
      s.searched = 0;
      return line;
    }
    s.searched = s.pending.size();
    if (s.pending.size() > kMaxLine) return s.failed("sent a line of more than 16 MiB");
    if (!is_alive()) return tool_error(fmt::format("{} {}", s.name, s.exit));
    if (auto ready = s.wait(s.out, POLLIN, deadline, timeout, stop); !ready)
      return std::move(ready).error();
    const ssize_t got = ::recv(s.out.get(), buffer.data(), buffer.size(), 0);
    if (got > 0) {
      s.pending.append(buffer.data(), static_cast<std::size_t>(got));
    } else if (got == 0 && !s.pending.empty()) {
      s.reap();
      return s.failed("stopped in the middle of a line and " + s.exit);
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
      return s.ended();
    }
  }
}

}  // namespace pet
