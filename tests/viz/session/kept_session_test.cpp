#include "viz/session/kept_session.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "tests/support/scratch_folder.h"

namespace pet::viz {
namespace {

Session at_page(const std::string& page) {
  Session out;
  out.source = {SourceKind::Model, "/models/a\n.onnx", {}, {}};
  out.page = page;
  return out;
}

// As a program leaves it that is killed: its file stays, and its lock is let go of.
void leave(const std::filesystem::path& folder, const std::string& name, const Session& session) {
  std::filesystem::create_directories(folder);
  std::ofstream(folder / (name + ".lock"));
  REQUIRE(write_session(session, folder / (name + ".petsession")).ok());
}

TEST_CASE("What a window keeps is nobody else's while it is open, and gone once it is closed") {
  const testing::ScratchFolder scratch;
  const auto folder = scratch / "a" / "b";
  {
    auto kept = KeptSession::begin(folder);
    REQUIRE(kept.ok());
    REQUIRE(kept->keep(at_page("boxes")).ok());
    CHECK(left_sessions(folder).empty());
    auto second = KeptSession::begin(folder);
    REQUIRE(second.ok());
    REQUIRE(second->keep(at_page("graph")).ok());
    CHECK(left_sessions(folder).empty());
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == kSessionSuffix)
        CHECK_FALSE(SessionLock::claim(entry.path()).ok());
  }
  CHECK(std::filesystem::is_empty(folder));
}

TEST_CASE("What a killed window kept is found, the newest first, and restored by one alone") {
  const testing::ScratchFolder folder;
  leave(folder.path(), "old", at_page("boxes"));
  leave(folder.path(), "new", at_page("graph"));
  std::filesystem::last_write_time(
      folder / "old.petsession",
      std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
  const auto left = left_sessions(folder.path());
  REQUIRE(left.size() == 2);
  REQUIRE(left[0].session.ok());
  CHECK(in_words(*left[0].session) == "a\\x0a.onnx, at the page graph");
  CHECK(left[1].session->page == "boxes");
  {
    auto claimed = SessionLock::claim(left[0].file);
    REQUIRE(claimed.ok());
    CHECK(left_sessions(folder.path()).size() == 1);
    const auto again = SessionLock::claim(left[0].file);
    REQUIRE_FALSE(again.ok());
    CHECK(again.error().message.find("in use in another window") != std::string::npos);
  }
  // It was not restored after all.
  CHECK(left_sessions(folder.path()).size() == 2);
  auto claimed = SessionLock::claim(left[0].file);
  REQUIRE(claimed.ok());
  claimed->remove();
  CHECK(left_sessions(folder.path()).size() == 1);
  const auto late = SessionLock::claim(left[0].file);
  REQUIRE_FALSE(late.ok());
  CHECK(late.error().message.find("another window has restored it") != std::string::npos);
}

TEST_CASE("What cannot be read is told, what is no session is left alone") {
  const testing::ScratchFolder folder;
  std::ofstream(folder / "x.petsession") << "{";
  std::ofstream(folder / "y.txt") << "mine";
  const auto left = left_sessions(folder.path());
  REQUIRE(left.size() == 1);
  CHECK_FALSE(left[0].session.ok());
  CHECK(left_sessions(folder / "nowhere").empty());
}

TEST_CASE("A folder that cannot be made is an error that says what to do") {
  const testing::ScratchFolder folder;
  std::ofstream(folder / "f") << "a file";
  const auto kept = KeptSession::begin(folder / "f" / "windows");
  REQUIRE_FALSE(kept.ok());
  CHECK(kept.error().message.find("save it by File > Save session") != std::string::npos);
}

}  // namespace
}  // namespace pet::viz
