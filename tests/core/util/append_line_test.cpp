#include "core/util/append_line.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/scratch_folder.h"

using namespace pet;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> lines_of(const fs::path& path) {
  std::ifstream stream(path);
  std::vector<std::string> out;
  for (std::string line; std::getline(stream, line);) out.push_back(line);
  return out;
}

}  // namespace

TEST_CASE("Lines follow one another, and half a line is ended first") {
  const pet::testing::ScratchFolder folder;
  const fs::path file = folder / "log";
  CHECK(append_line(file, "one"));
  CHECK(append_line(file, "two"));
  std::ofstream(file, std::ios::app) << "hal";
  CHECK(append_line(file, "three"));
  CHECK(lines_of(file) == std::vector<std::string>{"one", "two", "hal", "three"});
}

TEST_CASE("Lines of several writers do not mix") {
  const pet::testing::ScratchFolder folder;
  const fs::path file = folder / "log";
  const std::string line(5000, 'x');
  {
    std::vector<std::jthread> writers;
    for (int t = 0; t < 4; ++t) {
      writers.emplace_back([&] {
        for (int i = 0; i < 50; ++i) append_line(file, line);
      });
    }
  }
  const auto lines = lines_of(file);
  std::size_t whole = 0;
  for (const std::string& one : lines) {
    if (one == line) ++whole;
  }
  CHECK(whole == 200);
}

TEST_CASE("What is no file is not written to") {
  const pet::testing::ScratchFolder folder;
  CHECK_FALSE(append_line(folder / "nowhere/log", "one"));
  CHECK_FALSE(append_line("/dev/null", "one"));
}
