// Verdicts as people read them.
#include "core/program/verdict_text.h"

#include <catch2/catch.hpp>

namespace pet {
namespace {

OutputVerdict equal_output(const std::string& name) {
  OutputVerdict out;
  out.name = name;
  out.outcome = Outcome::Equivalent;
  out.elements = out.equal = 4;
  return out;
}

TEST_CASE("What is equal takes a line for each output") {
  FileVerdict verdict;
  verdict.outcome = Outcome::Equivalent;
  verdict.outputs = {equal_output("y"), equal_output("z")};
  CHECK(text_of(verdict, false) ==
        "equivalent\n"
        "  output y: equivalent\n"
        "  output z: equivalent\n");
}

TEST_CASE("What differs is told with where it does, an example, and for whom it holds") {
  FileVerdict verdict;
  verdict.outcome = Outcome::Partial;
  OutputVerdict& output = verdict.outputs.emplace_back(equal_output("y"));
  output.outcome = Outcome::Partial;
  output.equal = 3;
  output.different = 1;
  output.wrong = {DigitBasis::plain({4}), {Box{{1}, {2}}}};
  output.witness = Witness{9, {{"x", float_tensor({4})}}, {1}, 0.5, -0.25, 0};
  verdict.proved_at = {{"n", 4}};
  verdict.all_sizes = false;
  verdict.weight_programs = 2;
  verdict.engines = {{"bitmap", Outcome::Partial, "", -65},
                     {"exact", Outcome::Unknown, "too large", 0}};
  const std::string text = text_of(verdict, true);
  CHECK(text.starts_with("partial\n  output y: partial, 1 of 4 elements not equal (25 %)\n"));
  CHECK(text.find("    1 box: [1,2)\n"
                  "    for example at [1]: 0.5 against -0.25 (inputs of seed 9)\n"
                  "  at n = 4 only\n"
                  "  with the stored weights only\n"
                  "  2 constants follow from the first file's weights\n"
                  "  engines: bitmap partial, exact unknown (too large)\n") != std::string::npos);
}

TEST_CASE("A reason that is of one output alone says of which") {
  FileVerdict verdict;
  verdict.outcome = Outcome::Unknown;
  verdict.reason = "rounding would decide";
  verdict.outputs = {equal_output("y"), equal_output("z")};
  verdict.outputs[1].reason = verdict.reason;
  CHECK(reason_of(verdict) == "output z: rounding would decide");
  verdict.outputs[0].reason = verdict.reason;
  CHECK(reason_of(verdict) == "rounding would decide");
}

}  // namespace
}  // namespace pet
