// Rules verified before use: remembered by rule and program, and only as far as a line is whole.
#include "verify/rules/verified_rules.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "tests/support/scratch_folder.h"

using namespace pet;
using namespace pet::rules;

namespace {

Rule rule(const std::string& id, const std::string& target) {
  const auto file =
      parse_rules(R"({"format": "tensor-rules/1", "rules": [{"id": ")" + id +
                      R"(", "inputs": [{"name": "a", "rank": 2}, {"name": "b", "rank": 2}],
          "source": {"ops": [{"op": "ewadd", "inputs": [{"in": "a"}, {"in": "b"}]}],
                     "outputs": [{"op": 0}]},
          "target": {"ops": [)" +
                      target + R"(], "outputs": [{"op": 0}]}}]})",
                  "test");
  REQUIRE(file.ok());
  return file->rules.front();
}
Rule right() { return rule("right", R"({"op": "ewadd", "inputs": [{"in": "b"}, {"in": "a"}]})"); }
Rule wrong() { return rule("wrong", R"({"op": "ewmul", "inputs": [{"in": "b"}, {"in": "a"}]})"); }

std::vector<std::string> lines_of(const std::filesystem::path& file) {
  std::vector<std::string> out;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}

Verified one(const Rule& rule, const std::filesystem::path& memory, const std::string& program) {
  const auto found = verified({&rule}, {.memory = memory, .program = digest_of("test", program)});
  REQUIRE(found.ok());
  REQUIRE(found->size() == 1);
  return found->front();
}

TEST_CASE("What was found of a rule is remembered for this program, and for this rule alone") {
  const testing::ScratchFolder folder;
  const auto memory = folder / "rules.txt";
  CHECK(one(right(), memory, "1").is_usable());
  CHECK_FALSE(one(wrong(), memory, "1").is_usable());
  CHECK(lines_of(memory).size() == 2);
  CHECK(one(right(), memory, "1").is_usable());
  CHECK(one(wrong(), memory, "1").outcome == RuleOutcome::Different);
  CHECK(lines_of(memory).size() == 2);
  CHECK(one(right(), memory, "2").is_usable());
  CHECK(lines_of(memory).size() == 3);
}

TEST_CASE("A line that was altered or torn is none: a wrong rule is not made right by a file") {
  const testing::ScratchFolder folder;
  const auto memory = folder / "rules.txt";
  CHECK_FALSE(one(wrong(), memory, "1").is_usable());
  std::string line = lines_of(memory).front();
  const auto word = line.find("different");
  REQUIRE(word != std::string::npos);
  const std::string torn = line.substr(0, line.size() / 2);
  line.replace(word, std::string("different").size(), "equivalent");
  std::ofstream(memory) << line << "\n" << torn << "\n\n";
  CHECK(one(wrong(), memory, "1").outcome == RuleOutcome::Different);
}

TEST_CASE("Whoever stops gets no verdict") {
  std::stop_source stop;
  stop.request_stop();
  const Rule asked = right();
  const auto found = verified({&asked}, {.stop = stop.get_token()});
  REQUIRE_FALSE(found.ok());
  CHECK(found.error().kind == ErrorKind::Stopped);
}

}  // namespace
