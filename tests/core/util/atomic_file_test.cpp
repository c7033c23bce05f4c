#include "core/util/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/scratch_folder.h"

using namespace pet;
namespace fs = std::filesystem;

namespace {

Status write(const fs::path& path, const std::string& text) {
  return write_atomically(path,
                          [&](int fd) { return write_all(fd, std::as_bytes(std::span(text))); });
}

std::string content(const fs::path& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_CASE("A file is written through a link, which stays one") {
  const pet::testing::ScratchFolder folder;
  REQUIRE(write(folder / "target", "old").ok());
  fs::create_symlink("target", folder / "link");
  REQUIRE(write(folder / "link", "new").ok());
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(content(folder / "target") == "new");
  fs::remove(folder / "target");
  REQUIRE(write(folder / "link", "made").ok());
  CHECK(content(folder / "target") == "made");
}

TEST_CASE("A name of an open descriptor is no name of a file") {
  const pet::testing::ScratchFolder folder;
  REQUIRE(write(folder / "open", "as it was").ok());
  const int fd = ::open((folder / "open").c_str(), O_RDONLY | O_CLOEXEC);
  REQUIRE(fd >= 0);
  const std::string own = "/proc/self/fd/" + std::to_string(fd);
  fs::create_symlink(own, folder / "link");
  fs::create_symlink("link", folder / "link of it");
  for (const fs::path& name : {fs::path(own), fs::path("/dev/fd/" + std::to_string(fd)),
                               folder / "link", folder / "link of it"}) {
    INFO(name);
    CHECK(is_open_descriptor(name));
    const auto written = write(name, "something else");
    REQUIRE_FALSE(written.ok());
    CHECK(written.error().message.find("no regular file") != std::string::npos);
  }
  ::close(fd);
  CHECK(content(folder / "open") == "as it was");
  CHECK(fs::is_symlink(folder / "link"));
  CHECK_FALSE(is_open_descriptor(folder / "open"));
  CHECK_FALSE(is_open_descriptor("relative"));
}
