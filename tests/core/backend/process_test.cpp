#include "core/backend/process.h"

#include <signal.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <fstream>
#include <thread>

#include "core/backend/scratch_folder.h"

namespace pet {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kLong{20'000};

ChildProcess shell(const std::string& script) {
  auto child = ChildProcess::start({"sh", "-c", script});
  REQUIRE(child);
  return std::move(*child);
}

// Neither running nor waiting to be reaped.
bool is_gone(int pid) { return ::kill(pid, 0) != 0 && errno == ESRCH; }

// An orphan that ended may stay a zombie until whoever inherited it looks.
bool is_running(int pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string number, name, state;
  stat >> number >> name >> state;
  return !state.empty() && state != "Z" && state != "X";
}

// How many descriptors a child has that starts now, and which process group.
std::pair<int, int> descriptors_and_group(ChildProcess& child) {
  const int descriptors = std::stoi(*child.receive(kLong));
  return {descriptors, std::stoi(*child.receive(kLong))};
}

TEST_CASE("Lines go to a child and come back, whatever pieces they arrive in") {
  ChildProcess child =
      shell("while read -r line; do printf \"<%s\" \"$line\"; sleep 0.02; echo '>'; done");
  for (const std::string line : {"one", "", "three words here"}) {
    REQUIRE(child.send(line, kLong));
    const auto answer = child.receive(kLong);
    REQUIRE(answer);
    CHECK(*answer == "<" + line + ">");
  }
}

TEST_CASE("Several lines that arrive at once are handed out one by one") {
  ChildProcess child = shell("printf 'a\\nb\\n\\nc\\n'; sleep 60");
  for (const std::string line : {"a", "b", "", "c"}) CHECK(*child.receive(kLong) == line);
}

TEST_CASE("The last lines of a child that ended are still read before its end is reported") {
  ChildProcess child = shell("echo last; exit 4");
  CHECK(*child.receive(kLong) == "last");
  const auto end = child.receive(kLong);
  REQUIRE_FALSE(end);
  CHECK(end.error().kind == ErrorKind::Tool);
  CHECK_THAT(end.error().message, Catch::Contains("ended with exit code 4"));
  CHECK_THAT(child.receive(kLong).error().message, Catch::Contains("ended with exit code 4"));
}

TEST_CASE("A program that does not exist is an error that names it") {
  const auto child = ChildProcess::start({"/nonexistent/worker"});
  REQUIRE_FALSE(child);
  CHECK_THAT(child.error().message,
             Catch::Contains("/nonexistent/worker") && Catch::Contains("No such file"));
}

TEST_CASE("A child that hangs is ended when its time is over, with its own children") {
  ChildProcess child = shell("sleep 60 & echo $!; wait");
  const int grandchild = std::stoi(*child.receive(kLong));
  const int pid = child.pid();
  const auto started = std::chrono::steady_clock::now();
  const auto line = child.receive(milliseconds(200));
  REQUIRE_FALSE(line);
  CHECK_THAT(line.error().message, Catch::Contains("gave no sign for 200 ms"));
  CHECK(std::chrono::steady_clock::now() - started < milliseconds(1500));
  CHECK_FALSE(child.is_alive());
  CHECK(is_gone(pid));
  for (int i = 0; i < 100 && is_running(grandchild); ++i) {
    std::this_thread::sleep_for(milliseconds(10));
  }
  CHECK_FALSE(is_running(grandchild));
}

TEST_CASE("A stop request ends the wait within 50 ms or so") {
  ChildProcess child = shell("sleep 60");
  std::stop_source source;
  std::jthread stopper([&] {
    std::this_thread::sleep_for(milliseconds(100));
    source.request_stop();
  });
  const auto started = std::chrono::steady_clock::now();
  const auto line = child.receive(kLong, source.get_token());
  REQUIRE_FALSE(line);
  CHECK(line.error().kind == ErrorKind::Stopped);
  CHECK(std::chrono::steady_clock::now() - started < milliseconds(1000));
}

TEST_CASE("Writing to a child that is gone is an error, not the end of this program") {
  ChildProcess child = shell("exec 0<&-; exit 7");
  std::this_thread::sleep_for(milliseconds(100));
  Status sent = Done{};
  for (int i = 0; i < 10 && sent; ++i) sent = child.send(std::string(1 << 20, 'x'), kLong);
  REQUIRE_FALSE(sent);
  CHECK_THAT(sent.error().message, Catch::Contains("exit code 7"));
}

TEST_CASE("A child that does not read cannot make us wait for ever") {
  ChildProcess child = shell("exec sleep 60");
  Status sent = Done{};
  for (int i = 0; i < 10 && sent; ++i)
    sent = child.send(std::string(1 << 20, 'x'), milliseconds(200));
  REQUIRE_FALSE(sent);
  CHECK_THAT(sent.error().message, Catch::Contains("gave no sign"));
}

TEST_CASE("What a child printed to stderr is told, on one line, without control characters") {
  ChildProcess child = shell("printf 'first\\n\\033[31mred\\n' >&2; exit 1");
  const auto line = child.receive(kLong);
  REQUIRE_FALSE(line);
  CHECK_THAT(line.error().message, Catch::EndsWith("it said: first | [31mred"));
}

TEST_CASE("A flood on stderr does not block the child") {
  ChildProcess child = shell("head -c 3000000 /dev/zero | tr '\\0' e >&2; echo done");
  CHECK(*child.receive(kLong) == "done");
}

TEST_CASE("The child has a process group of its own and none of another child's descriptors") {
  const std::string script = "ls /proc/self/fd | wc -l; cut -d' ' -f5 /proc/$$/stat; sleep 60";
  ChildProcess first = shell(script);
  const auto [before, first_group] = descriptors_and_group(first);
  CHECK(first_group == first.pid());
  ChildProcess second = shell(script);
  const auto [after, second_group] = descriptors_and_group(second);
  CHECK(second_group == second.pid());
  CHECK(after == before);
}

TEST_CASE("A child that is dropped leaves nothing behind") {
  int pid = 0;
  {
    ChildProcess child = shell("trap '' TERM; sleep 60");
    pid = child.pid();
  }
  CHECK(is_gone(pid));
}

TEST_CASE("A child that is dropped while it waits for more ends by itself, and may tidy up") {
  const auto folder = ScratchFolder::make("process-test");
  REQUIRE(folder);
  const auto file = folder->path() / "tidy";
  {
    ChildProcess child =
        shell("echo ready; while read -r line; do :; done; echo done > " + file.string());
    REQUIRE(*child.receive(kLong) == "ready");
  }
  CHECK(std::filesystem::exists(file));
}

}  // namespace
}  // namespace pet
