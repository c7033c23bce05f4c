// Every case file under tests/cases gets the verdict that it states; and a checker that knows only
// one answer fails.
#include "verify/files/case_check.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "verify/bitmap/bitmap_engine.h"
#include "verify/exact/exact_engine.h"
#include "verify/region/region_engine.h"

using namespace pet;

namespace {

std::vector<std::filesystem::path> cases_in(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(PET_CASES) / folder)) {
    if (entry.path().extension() == ".txt") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

FileProofOptions options() {
  FileProofOptions options;
  options.proof.threads = 2;
  return options;
}

// Of engines that have no values to show: what holds over the reals.
FileProofOptions over_reals() {
  FileProofOptions out = options();
  out.proof.floats = Floats::None;
  return out;
}

void check_all(const std::string& folder, std::size_t at_least) {
  BitmapEngine bitmap;
  ExactEngine exact;
  RegionEngine region;
  const std::array<Engine*, 3> engines = {&bitmap, &exact, &region};
  const auto files = cases_in(folder);
  CHECK(files.size() >= at_least);
  for (const auto& file : files) {
    INFO(file.string());
    const auto outcome = check_case(file, engines, options());
    CHECK((outcome ? outcome->deviation : outcome.error().message) == "");
    if (outcome) CHECK(outcome->has_expectation);
  }
}

// Knows one answer.
class Fixed final : public Engine {
 public:
  explicit Fixed(Outcome outcome) : outcome_(outcome) {}

  std::string_view name() const override { return "fixed"; }
  Verdict check(const Graph& original, const Graph&, const ProofOptions&) override {
    Verdict verdict;
    verdict.outcome = outcome_;
    for (const NodeId output : original.outputs()) {
      OutputVerdict& out = verdict.outputs.emplace_back();
      const Shape shape = original.node(output).type.shape.value_or(Shape{});
      out.outcome = outcome_;
      out.elements = count(shape);
      out.wrong.basis = DigitBasis::plain(shape);
      (outcome_ == Outcome::Equivalent ? out.equal : out.different) = out.elements;
    }
    return verdict;
  }

 private:
  Outcome outcome_;
};

struct Tally {
  std::size_t passed = 0;
  std::size_t wanted = 0;  // cases that expect this very answer
  std::size_t all = 0;
};

Tally tally(Outcome answer, Expected expected) {
  Fixed fixed(answer);
  const std::array<Engine*, 1> engines = {&fixed};
  Tally out;
  for (const char* folder : {"adversarial", "mutants", "ops"}) {
    for (const auto& file : cases_in(folder)) {
      const auto outcome = check_case(file, engines, over_reals());
      if (!outcome || !outcome->verdict || outcome->verdict->outcome == Outcome::ShapeMismatch)
        continue;  // never asked
      if (answer == Outcome::Equivalent && outcome->verdict->outcome == Outcome::Unknown)
        continue;  // constants that no float holds, whoever is asked
      ++out.all;
      if (outcome->deviation.empty()) ++out.passed;
      std::ifstream stream(file);
      const std::string text{std::istreambuf_iterator<char>(stream),
                             std::istreambuf_iterator<char>()};
      if (text.find("# expect: " + std::string(to_string(expected))) != std::string::npos)
        ++out.wanted;
    }
  }
  return out;
}

}  // namespace

TEST_CASE("Known mutants are wrong exactly where they are known to be wrong") {
  check_all("mutants", 20);
}

TEST_CASE("The region engine finds where known mutants are wrong by itself") {
  RegionEngine region;
  const std::array<Engine*, 1> engines = {&region};
  for (const auto& file : cases_in("mutants")) {
    INFO(file.string());
    const auto outcome = check_case(file, engines, over_reals());
    CHECK((outcome ? outcome->deviation : outcome.error().message) == "");
  }
}

// Both say what holds over the reals and leave rounding to others.
TEST_CASE("The region engine and the exact engine contradict each other on no adversarial pair") {
  ExactEngine exact;
  RegionEngine region;
  std::size_t by_region = 0;
  for (const auto& file : cases_in("adversarial")) {
    INFO(file.string());
    const std::array<Engine*, 2> both = {&exact, &region};
    const auto agreed = check_case(file, both, over_reals());
    const std::array<Engine*, 1> alone = {&region};
    const auto outcome = check_case(file, alone, over_reals());
    CHECK(outcome.ok() == agreed.ok());
    if (!agreed || !agreed->verdict || !outcome || !outcome->verdict) continue;
    CHECK(!agreed->verdict->engines_disagree);
    if (outcome->verdict->outcome == Outcome::Unknown) continue;
    // Which elements of a tensor a function is applied to in vain the region engine does not tell.
    if (agreed->verdict->reason.starts_with("domain: an output")) continue;
    CHECK(outcome->verdict->outcome == agreed->verdict->outcome);
    ++by_region;
  }
  CHECK(by_region >= 50);
}

TEST_CASE("Adversarial pairs get the verdict that their file states") {
  check_all("adversarial", 73);
}

TEST_CASE("Pairs that only rounding tells apart get the verdict that their file states") {
  check_all("rounding", 10);
}

TEST_CASE("Pairs of every operator get the verdict that their file states") {
  check_all("ops", 70);
}

TEST_CASE("A checker that accepts everything passes no case that expects anything else") {
  const Tally t = tally(Outcome::Equivalent, Expected::Equivalent);
  CHECK(t.passed == t.wanted);
  CHECK(t.all >= t.wanted + 60);
}

TEST_CASE("A checker that rejects everything passes no case at all") {
  // No program may be found to differ from itself.
  CHECK(tally(Outcome::Different, Expected::Different).passed == 0);
}

TEST_CASE("A checker that does not know passes the cases in which nobody does") {
  const Tally t = tally(Outcome::Unknown, Expected::Unknown);
  CHECK(t.wanted >= 30);
  CHECK(t.passed == t.wanted);
}

TEST_CASE("An expectation is read, and a wrong one refused") {
  const auto partial = parse_expectation("partial wrong=[0,1)x[2,3) [4,5)x[0,1)");
  REQUIRE(partial);
  CHECK(partial->verdict == Expected::Partial);
  CHECK(partial->wrong == std::vector<Box>{{{0, 2}, {1, 3}}, {{4, 0}, {5, 1}}});
  CHECK(parse_expectation("shape-mismatch"));
  for (const char* text :
       {"", "equal", "partial wrong=", "partial [0,1)", "partial wrong=[0,1", "partial wrong=[0;1)",
        "equivalent wrong=[0,1)", "partial wrong=[0,1)x"}) {
    INFO(text);
    CHECK_FALSE(parse_expectation(text));
  }
}

TEST_CASE("Expected regions are compared as sets of points in the output's own shape") {
  Verdict verdict;
  verdict.outcome = Outcome::Partial;
  OutputVerdict& out = verdict.outputs.emplace_back();
  out.outcome = Outcome::Partial;
  out.elements = 8;
  out.wrong = Region{{{{2, 2}, {2}}}, {Box{{0, 1, 0}, {2, 2, 2}}}};  // rows 1 and 3 of [4,2]
  CHECK(deviation(*parse_expectation("partial wrong=[1,2)x[0,2) [3,4)x[0,2)"), verdict).empty());
  CHECK(deviation(*parse_expectation("partial wrong=[1,2)x[0,1) [1,2)x[0,2) [3,4)x[0,2)"), verdict)
            .empty());
  CHECK_FALSE(deviation(*parse_expectation("partial wrong=[1,2)x[0,2)"), verdict).empty());
  CHECK_FALSE(deviation(*parse_expectation("partial wrong=[1,3)x[0,2)"), verdict).empty());
  CHECK_FALSE(
      deviation(*parse_expectation("partial wrong=[1,2)x[0,2) [3,5)x[0,2)"), verdict).empty());
  CHECK_FALSE(deviation(*parse_expectation("partial wrong=[1,2)"), verdict).empty());
}

TEST_CASE("Boxes that name the same points for ever are not marked for ever") {
  Verdict verdict;
  verdict.outcome = Outcome::Partial;
  OutputVerdict& out = verdict.outputs.emplace_back();
  out.outcome = Outcome::Partial;
  out.elements = 4;
  out.wrong = Region{{{{4}}}, {Box{{0}, {2}}}};
  std::string boxes;
  for (int i = 0; i < 200; ++i) boxes += " [0,2)";
  const auto expected = parse_expectation("partial wrong=" + boxes.substr(1));
  REQUIRE(expected);
  CHECK_FALSE(deviation(*expected, verdict).empty());
}

TEST_CASE("What never ends is no case") {
  BitmapEngine bitmap;
  const std::array<Engine*, 1> engines = {&bitmap};
  CHECK_FALSE(check_case("/dev/zero", engines, options()).ok());
}
