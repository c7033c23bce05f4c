// What is read of files, and that large ones are not held twice.
#include "core/onnx/file_bytes.h"

#include <catch2/catch.hpp>
#include <string>

#include "tests/support/onnx_builder.h"

namespace pet {
namespace {

using onnx_io::FileBytes;
using testing::ScratchFolder;
using testing::write_bytes;

TEST_CASE(
    "Large files of the same bytes are in memory once, and as they were when they were read") {
  const ScratchFolder folder;
  const std::string text(std::size_t{3} << 20, 'a');
  std::string other = text;
  other.back() = 'b';
  write_bytes(folder / "a", text);
  write_bytes(folder / "b", text);
  write_bytes(folder / "c", other);
  const auto a = FileBytes::read(folder / "a");
  const auto b = FileBytes::read(folder / "b");
  const auto c = FileBytes::read(folder / "c");
  REQUIRE((a.ok() && b.ok() && c.ok()));
  CHECK(a->bytes().data() == b->bytes().data());
  CHECK(c->text() == other);
  write_bytes(folder / "a", other);
  CHECK(a->text() == text);
  const auto again = FileBytes::read(folder / "a");
  REQUIRE(again.ok());
  CHECK(again->bytes().data() == c->bytes().data());
}

TEST_CASE("What nobody holds any longer is read afresh") {
  const ScratchFolder folder;
  const std::string text(std::size_t{2} << 20, 'a');
  write_bytes(folder / "a", text);
  for (int i = 0; i < 2; ++i) {
    const auto a = FileBytes::read(folder / "a");
    REQUIRE(a.ok());
    CHECK(a->text() == text);
  }
}

}  // namespace
}  // namespace pet
