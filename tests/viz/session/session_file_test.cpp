#include "viz/session/session_file.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "tests/support/scratch_folder.h"

namespace pet::viz {
namespace {

Session session() {
  Session out;
  out.source = {SourceKind::Model, "/models/\"a\"\n.onnx", std::string(64, 'a'), {{"batch", 8}}};
  Lineage first{MutantId(3), {}, 1, {move::Join{2, 0, 3, true}}};
  Lineage corrected = first;
  corrected.id = MutantId(4);
  corrected.parent = first.id;
  corrected.moves.emplace_back(move::Correct{CorrectionWay::InBatch});
  SearchConfig config;
  config.generator.max_steps = 12;
  config.exclude = {"head*"};
  out.mutant = SessionMutant{7, {{first, {}, 2}, {corrected, "abc"}}, config};
  out.correction = CorrectionWay::Recomputing;
  out.compared = "/models/other.onnx";
  out.page = "boxes";
  out.theme = SessionTheme::Dark;
  out.cursor = 123;
  out.docks = {{"log", false}, {"outline", true}};
  return out;
}

std::string content(const std::filesystem::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_CASE("A session is read as it was written") {
  const testing::ScratchFolder folder;
  const auto file = folder / "x.petsession";
  REQUIRE(write_session(session(), file).ok());
  const auto read = read_session(file);
  REQUIRE(read.ok());
  CHECK(read->source == session().source);
  REQUIRE(read->mutant);
  CHECK(read->mutant->line == session().mutant->line);
  CHECK(read->mutant->config.generator.max_steps == 12);
  CHECK(read->docks == session().docks);
  CHECK(read->compared == session().compared);
  CHECK(to_text(*read) == to_text(session()));
  const auto empty = parse_session(to_text({}), "empty");
  REQUIRE(empty.ok());
  CHECK(to_text(*empty) == to_text({}));
  CHECK(to_text({}).find("compared") == std::string::npos);  // as sessions were written before
}

// A session with one thing in it replaced.
std::string with(const std::string& what, const std::string& by) {
  std::string out = to_text(session());
  const auto at = out.find(what);
  REQUIRE(at != std::string::npos);
  return out.replace(at, what.size(), by);
}

struct Broken {
  std::string text;
  std::string said;  // place and reason
};

TEST_CASE("Every broken session gives one error, with the file, the place, and what to do") {
  const std::string whole = to_text(session());
  const std::vector<Broken> all = {
      {"", "at byte 1: it is no JSON, or was cut"},
      {"hello", "at byte 1: it is no JSON, or was cut"},
      {whole.substr(0, whole.size() / 2), "it is no JSON, or was cut"},
      {std::string("\0\xff\xfe", 3), "at byte 1: it is no JSON, or was cut"},
      {std::string(100'000, '['), "it is no JSON, or was cut"},
      {"[]", "at its beginning: it is no JSON object"},
      {"{}", "there is no \"format\""},
      {"{\"format\": 1}", "\"format\": something is of another type"},
      {"{\"format\": \"pet-session/1\"}", "there is no \"open\""},
      {with("pet-session/1", "pet-journal/4"), "\"format\": \"pet-journal/4\" is no session"},
      {with("pet-session/1", "pet-session/0"), "is no session"},
      {with("pet-session/1", "pet-session/1x"), "is no session"},
      {with("\"model\"", "\"folder\""), "\"open\": \"folder\" is no word that stands there"},
      {with("\"model\"", "7"), "\"open\": \"kind\" is of another type"},
      {with(std::string(64, 'a'), "../../x"), "\"open\": its digest is none"},
      {with("\"/models/\\\"a\\\"\\n.onnx\"", "\"\""), "\"open\": it has no name"},
      {with("\"batch\": 8", "\"batch\": 0"), "\"open\": the size of batch is none"},
      {with("\"batch\": 8", "\"batch\": \"8\""), "\"open\": a number is not a whole one"},
      {with("\"batch\": 8", "\"batch\": 1e30"), "\"open\": a number is not a whole one"},
      {with("\"subprogram\": 7", "\"subprogram\": 1e300"), "\"mutant\": a number is not a natural"},
      {with("\"subprogram\": 7", "\"subprogram\": -7"), "\"mutant\": a number is not a natural"},
      {with("\"join\"", "\"fly\""), "\"mutant\": there is no move \"fly\""},
      {with("\"cursor\": 123", "\"cursor\": 99999999999999999999"), "\"cursor\": a number is not"},
      {with("\"cursor\": 123", "\"cursor\": \"end\""), "\"cursor\": a number is not"},
      {with("\"dark\"", "\"mauve\""), "\"theme\": \"mauve\" is no word that stands there"},
      {with("\"boxes\"", "[]"), "\"page\": something is of another type"},
      {with("\"log\": false", "\"log\": 0"), "\"docks\": a number is none"},
      {with("\"correction\": \"recomputing\"", "\"correction\": {}"),
       "\"correction\": something is of another type"}};
  for (const Broken& broken : all) {
    INFO(broken.said);
    const auto read = parse_session(broken.text, "my.petsession");
    REQUIRE_FALSE(read.ok());
    const std::string& message = read.error().message;
    INFO(message);
    CHECK(message.starts_with("cannot restore the session my.petsession: "));
    CHECK(message.find(broken.said) != std::string::npos);
    CHECK(message.find("; open what it was of by File > Open") != std::string::npos);
    CHECK(message.find('\n') == std::string::npos);
  }
}

TEST_CASE("A session that says nothing of sizes is of a model without any of its own") {
  const std::string sizes = "\"sizes\": {\n   \"batch\": 8\n  }";
  const auto read = parse_session(with(",\n  " + sizes, ""), "old.petsession");
  REQUIRE(read.ok());
  CHECK(read->source.sizes.empty());
  CHECK(read->source.name == session().source.name);
}

TEST_CASE("A session of a newer version is refused, and never written over") {
  const testing::ScratchFolder folder;
  const auto file = folder / "x.petsession";
  for (const char* newer : {"pet-session/2", "pet-session/99999999999999999999"}) {
    const std::string text = with("pet-session/1", newer);
    std::ofstream(file) << text;
    const auto read = read_session(file);
    REQUIRE_FALSE(read.ok());
    CHECK(read.error().message.find(std::string(newer) + " is newer than pet-session/1") !=
          std::string::npos);
    const auto written = write_session(session(), file);
    REQUIRE_FALSE(written.ok());
    CHECK(written.error().message.find("save under another name") != std::string::npos);
    CHECK(content(file) == text);
  }
}

TEST_CASE("A session that is not there, a folder, and a file too large are errors that name them") {
  const testing::ScratchFolder folder;
  std::ofstream(folder / "large.petsession") << std::string((1 << 20) + 1, ' ');
  for (const auto& path : {folder / "none.petsession", folder / "large.petsession", folder / "."}) {
    const auto read = read_session(path);
    REQUIRE_FALSE(read.ok());
    INFO(read.error().message);
    CHECK(read.error().message.find(path.string()) != std::string::npos);
    CHECK(read.error().message.find("choose another session") != std::string::npos);
  }
  CHECK_FALSE(write_session(session(), folder / "no" / "folder.petsession").ok());
}

}  // namespace
}  // namespace pet::viz
