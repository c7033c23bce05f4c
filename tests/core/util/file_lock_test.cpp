#include "core/util/file_lock.h"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "tests/support/scratch_folder.h"

namespace pet {
namespace {

// An open file, as a program of its own would have it.
class Opened {
 public:
  explicit Opened(const std::filesystem::path& path)
      : fd_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    REQUIRE(fd_ >= 0);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  ~Opened() { ::close(fd_); }
  bool lock(Sharing sharing) const { return try_lock(fd_, sharing); }

 private:
  int fd_;
};

TEST_CASE("A file is locked by one alone, or by several who share it, until they close it") {
  const testing::ScratchFolder folder;
  const auto file = folder / "f";
  const Opened second(file), third(file);
  {
    const Opened first(file);
    CHECK(first.lock(Sharing::Alone));
    CHECK_FALSE(second.lock(Sharing::Alone));
    CHECK_FALSE(second.lock(Sharing::WithOthers));
  }
  CHECK(second.lock(Sharing::WithOthers));
  CHECK(third.lock(Sharing::WithOthers));
  CHECK_FALSE(third.lock(Sharing::Alone));
}

TEST_CASE("A device is locked for nobody") {
  const Opened first("/dev/null"), second("/dev/null");
  CHECK(first.lock(Sharing::Alone));
  CHECK(second.lock(Sharing::Alone));
}

}  // namespace
}  // namespace pet
