// Files that are read once, piece by piece.
#include "core/util/file_reader.h"

#include <catch2/catch.hpp>
#include <fstream>
#include <string>
#include <vector>

#include "tests/support/scratch_folder.h"

namespace pet {
namespace {

namespace fs = std::filesystem;
using testing::ScratchFolder;

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

// Of several pieces and a rest, no two alike.
std::string long_text() {
  std::string out;
  for (std::size_t i = 0; out.size() < (std::size_t{3} << 18) + 5; ++i) out += std::to_string(i);
  return out;
}

TEST_CASE("A file is digested as its bytes in memory are") {
  const ScratchFolder folder;
  for (const std::string& text : {std::string(), std::string("x"), long_text()}) {
    write(folder / "f", text);
    Digester of_file("test");
    REQUIRE(add_file(of_file, folder / "f").ok());
    CHECK(of_file.finish() == digest_of("test", text));
    auto file = FileReader::open(folder / "f");
    REQUIRE(file.ok());
    CHECK(file->size() == text.size());
    Digester plain = Digester::plain();
    REQUIRE(file->each_piece([&](auto piece) { plain.append(piece); }).ok());
    CHECK(plain.finish() == plain_digest(std::as_bytes(std::span(text))));
  }
}

TEST_CASE("Each byte is read once, in order, by whoever asks next") {
  const ScratchFolder folder;
  const std::string text = long_text();
  write(folder / "f", text);
  auto file = FileReader::open(folder / "f");
  REQUIRE(file.ok());
  std::vector<std::byte> start(7);
  REQUIRE(*file->read(start) == 7);
  std::string read(reinterpret_cast<const char*>(start.data()), 7);
  const auto rest = file->each_piece([&](std::span<const std::byte> piece) {
    read.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  });
  REQUIRE(rest.ok());
  CHECK(read == text);
  CHECK(*file->read(start) == 0);
}

TEST_CASE("What is added to a file that is being read is left, what is missing is said") {
  const ScratchFolder folder;
  const std::string text = long_text();
  write(folder / "f", text);
  auto file = FileReader::open(folder / "f");
  REQUIRE(file.ok());
  SECTION("longer") {
    write(folder / "f", text + "more");
    std::size_t read = 0;
    REQUIRE(file->each_piece([&](auto piece) { read += piece.size(); }).ok());
    CHECK(read == text.size());
  }
  SECTION("shorter") {
    fs::resize_file(folder / "f", 100);
    const auto read = file->each_piece([](auto) {});
    REQUIRE_FALSE(read.ok());
    CHECK(read.error().message.find("grew shorter") != std::string::npos);
  }
}

TEST_CASE("What is no regular file is not read") {
  const ScratchFolder folder;
  for (const fs::path& path : {folder / "none", folder / ".", fs::path("/dev/zero")}) {
    Digester digester("test");
    const auto added = add_file(digester, path);
    REQUIRE_FALSE(added.ok());
    CHECK(added.error().message.find("cannot read") == 0);
  }
}

}  // namespace
}  // namespace pet
