// What cannot be written is a message, and what was there before stays.
#include <sys/resource.h>

#include <QPlainTextEdit>
#include <catch2/catch.hpp>
#include <csignal>
#include <fstream>

#include "tests/app/workbench/visitor.h"
#include "tests/support/scratch_folder.h"
#include "viz/views/export_page.h"

namespace pet::app {
namespace {

// No file becomes larger, as on a disk that is full; as long as this object is there.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : before_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &limits_);
    rlimit small = limits_;
    small.rlim_cur = bytes;
    REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &limits_);
    std::signal(SIGXFSZ, before_);
  }

 private:
  rlimit limits_{};
  void (*before_)(int);
};

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string last_line(Visitor& visitor) {
  for (const auto* pane : visitor.window().findChildren<QPlainTextEdit*>())
    if (pane->accessibleName() == "Log") return pane->toPlainText().section('\n', -1).toStdString();
  return {};
}

TEST_CASE("A session that cannot be saved is a message, and the one before is whole") {
  const testing::ScratchFolder folder;
  const auto file = folder / "x.petsession";
  Visitor visitor;
  visitor.opens(built("pair"));
  visitor.window().save_session(file);
  const std::string before = bytes_of(file);
  CHECK(before.size() > 100);
  visitor.does("page.search");
  {
    const FullDisk full(64);
    visitor.window().save_session(file);
  }
  CHECK(last_line(visitor).find("cannot write " + file.string()) == 0);
  CHECK(last_line(visitor).find("; save it in another place") != std::string::npos);
  CHECK(bytes_of(file) == before);
  CHECK(folder.files() == 1);
  visitor.window().save_session("/proc/x.petsession");
  CHECK(last_line(visitor).find("cannot write /proc/x.petsession: ") == 0);
}

TEST_CASE("A model that cannot be exported is a message, and nothing is left of it") {
  const testing::ScratchFolder folder;
  Visitor visitor;
  visitor.opens_example("pair");
  visitor.does("search.partial");
  visitor.does("mutants.open");
  visitor.does("page.correction");
  visitor.does("correction.apply");
  visitor.does("page.export");
  auto& page = visitor.the<viz::ExportPage>();
  {
    const FullDisk full(1'000);
    visitor.later([&] { page.export_this(folder / "out.onnx"); });
    visitor.waits();
  }
  CHECK(visitor.tells("headline") == "Nothing was written");
  const std::string said = visitor.tells("progress");
  INFO(said);
  CHECK(said.find("cannot write ") != std::string::npos);
  CHECK(folder.files() == 0);
  visitor.later([&] { page.export_this("/proc/out.onnx"); });
  visitor.waits();
  CHECK(visitor.tells("headline") == "Nothing was written");
  CHECK(visitor.tells("progress").find("/proc") != std::string::npos);
}

}  // namespace
}  // namespace pet::app
