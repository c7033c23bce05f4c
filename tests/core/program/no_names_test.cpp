// What is proposed follows from meanings: nothing under core/program/mutate, nor in the readings of
// core/analysis that it stands on, may ask which operator it looks at.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>

namespace {

// By the address of its definition, or by its name compared, looked up or searched for.
const std::regex kRecognises(
    R"re((==|!=)\s*&\s*(pet::)?ops::|&\s*(pet::)?ops::\w+\(\)\s*(==|!=)|def->name\s*(==|!=|\.(starts_with|find|compare|ends_with))|(==|!=)\s*\S*def->name|ops::find\()re");

bool recognises(const std::string& line) { return std::regex_search(line, kRecognises); }

}  // namespace

TEST_CASE("Recognition by name is recognised") {
  CHECK(recognises("if (op.def == &ops::conv()) return;"));
  CHECK(recognises("if (op->def->name == \"Conv\") return;"));
  CHECK(recognises("if (name == op->def->name) return;"));
  CHECK(recognises("ops::find(\"Conv\")"));
  CHECK_FALSE(recognises("return b.add(ops::conv(), {}, {x});"));
}

TEST_CASE("No mutant is proposed because of an operator's name") {
  const std::filesystem::path core = PET_CORE_SOURCES;
  const auto folder = GENERATE("program/mutate", "analysis");
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(core / folder)) {
    if (!entry.is_regular_file()) continue;
    ++files;
    std::ifstream stream(entry.path());
    int number = 0;
    for (std::string line; std::getline(stream, line);) {
      INFO(entry.path() << ':' << ++number << ": " << line);
      CHECK_FALSE(recognises(line));
    }
  }
  CHECK(files > 5);
}
