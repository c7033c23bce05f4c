#include "viz/session/recent_files.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "core/backend/scratch_folder.h"

namespace pet::viz {
namespace {

ScratchFolder folder() {
  auto made = ScratchFolder::make("recent-files");
  REQUIRE(made);
  return *std::move(made);
}

TEST_CASE("The newest file comes first, once, and the ninth is forgotten") {
  RecentFiles files;
  for (int i = 0; i < 10; ++i) files = with(files, "/" + std::to_string(i));
  CHECK(files.size() == kMostRecent);
  CHECK(files.front() == "/9");
  CHECK(files.back() == "/2");
  files = with(files, "/5");
  CHECK(files.front() == "/5");
  CHECK(files.size() == kMostRecent);
}

TEST_CASE("Recent files are read as they were written, and none where none were") {
  const ScratchFolder scratch = folder();
  const auto file = scratch.path() / "config" / "recent.json";
  CHECK(read_recent(file)->empty());
  const RecentFiles files{"/a b/\"quoted\".onnx", "/<b>.txt"};
  REQUIRE(write_recent(files, file));
  CHECK(*read_recent(file) == files);
}

TEST_CASE("A broken list is an error that says what is wrong") {
  const ScratchFolder scratch = folder();
  const auto file = scratch.path() / "recent.json";
  for (const char* text : {"", "{", "[]", "{\"version\":2,\"files\":[]}", "{\"version\":1}",
                           "{\"version\":1,\"files\":[1]}", "{\"version\":1,\"files\":{}}",
                           "\xff\xfe", "{\"version\":\"1\",\"files\":[]}"}) {
    std::ofstream(file) << text;
    const auto read = read_recent(file);
    REQUIRE_FALSE(read);
    CHECK(read.error().message.find("recent.json: ") != std::string::npos);
  }
  CHECK_FALSE(read_recent(scratch.path()));
}

}  // namespace
}  // namespace pet::viz
