#include "tests/fuzz/hostile/supervised.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string_view>
#include <thread>

namespace pet::fuzz {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kFoundSomething = 77;

// A sanitizer takes address space and memory for itself, and has its own way to tell of too much.
#ifdef __SANITIZE_ADDRESS__
constexpr bool kMemoryIsLimited = false;
#else
constexpr bool kMemoryIsLimited = true;
#endif
constexpr rlim_t kMostAddresses = rlim_t{3} << 30;
constexpr long kMostKibibytes = 1L << 20;

struct Progress {
  std::atomic<std::uint64_t> index = 0;  // of the input that is looked at
  std::array<char, 1024> what = {};
};

void limit_resources() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
  const rlimit memory{kMostAddresses, kMostAddresses};
  if (kMemoryIsLimited) ::setrlimit(RLIMIT_AS, &memory);
}

// Of this process, at its highest: a child starts again after each finding.
std::string too_much_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  if (!kMemoryIsLimited || usage.ru_maxrss <= kMostKibibytes) return {};
  return fmt::format("it took {} MiB of memory", usage.ru_maxrss / 1024);
}

[[noreturn]] void work(std::uint64_t first, std::uint64_t last, const Look& look,
                       Progress& progress) {
  limit_resources();
  for (std::uint64_t index = first; index < last; ++index) {
    progress.index = index;
    std::string what = looked_at(look, index);
    if (what.empty()) what = too_much_memory();
    if (what.empty()) continue;
    const std::size_t length = std::min(what.size(), progress.what.size() - 1);
    std::memcpy(progress.what.data(), what.data(), length);
    progress.what[length] = '\0';
    std::_Exit(kFoundSomething);
  }
  std::fflush(nullptr);
  std::exit(0);  // with what a sanitizer has to say at the end
}

// The processor's time, so that a busy machine is no finding.
double busy_seconds(pid_t child) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(child, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::string ending(int status, const Progress& progress) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return fmt::format("it ended with signal {} ({})", signal, ::strsignal(signal));
  }
  const int code = WEXITSTATUS(status);
  if (code == 0) return {};
  if (code == kFoundSomething) return progress.what.data();
  return fmt::format("it ended with exit code {}", code);
}

// Until it ends; how, where that is not as it should.
std::string watch(pid_t child, const Progress& progress, const Patience& patience) {
  constexpr double kWaiting = 12;  // as many times longer where it only waits for something
  std::uint64_t seen = progress.index;
  double busy_before = 0;
  auto since = Clock::now();
  for (;;) {
    int status = 0;
    if (::waitpid(child, &status, WNOHANG) == child) return ending(status, progress);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const double busy = busy_seconds(child);
    if (progress.index != seen) {
      seen = progress.index;
      busy_before = busy;
      since = Clock::now();
      continue;
    }
    const double waited = std::chrono::duration<double>(Clock::now() - since).count();
    if (busy - busy_before <= patience.seconds && waited <= kWaiting * patience.seconds) continue;
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
    return fmt::format("it took longer than {} s", patience.seconds);
  }
}

}  // namespace

std::string looked_at(const Look& look, std::uint64_t index) {
  try {
    return look(index);
  } catch (const std::exception& exception) {
    return fmt::format("an exception: {}", exception.what());
  } catch (...) {
    return "an exception of an unknown type";
  }
}

void supervise(std::uint64_t first, std::uint64_t count, const Look& look, const Patience& patience,
               const std::function<void(const Finding&)>& tell) {
  const std::uint64_t last = first + count;
  const Shared<Progress> progress;
  std::size_t findings = 0;
  while (first < last && findings < patience.findings) {
    progress->index = first;
    std::fflush(nullptr);
    const pid_t child = ::fork();
    PET_CHECK(child >= 0, "a process for the campaign");
    if (child == 0) work(first, last, look, *progress);
    const std::string what = watch(child, *progress, patience);
    if (what.empty()) return;
    ++findings;
    tell({progress->index, what});
    first = progress->index + 1;
  }
}

}  // namespace pet::fuzz
