// On all of tests/cases/mutants: three checks of every pair, what they say of one another, and of
// errors that are planted.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "core/onnx/text.h"
#include "core/program/correct/corrections.h"
#include "core/program/mutate/generator.h"
#include "core/program/split.h"
#include "core/program/substitute.h"
#include "tests/support/cross_checked.h"
#include "verify/files/expectation.h"
#include "verify/inspect/cross_checker.h"
#include "verify/inspect/small_twin.h"
#include "verify/region/region_engine.h"

namespace pet {
namespace {

namespace fs = std::filesystem;

const fs::path kMutants = fs::path(PET_CASES) / "mutants";

std::vector<fs::path> mutants() {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(kMutants)) out.push_back(entry.path());
  std::ranges::sort(out);
  return out;
}

CaseFile read(const fs::path& path) {
  auto file = read_case(path);
  REQUIRE(file.ok());
  return *std::move(file);
}

bool all_decide(const CrossAnswers& answers, std::size_t output) {
  return std::ranges::all_of(answers, [&](const auto& a) { return a && decides(*a, output); });
}

// Whether three answers are what the case expects, as a set of positions.
void hold_against_expectation(const CaseFile& file, const CrossAnswers& answers) {
  for (const auto& answer : answers) {
    Verdict verdict;
    verdict.outcome = answer->outcome;
    verdict.outputs = answer->outputs;
    const auto wanted = parse_expectation(file.headers.at("expect"));
    REQUIRE(wanted.ok());
    CHECK(deviation(*wanted, verdict) == "");
  }
}

TEST_CASE("Every mutant of the cases is decided in three ways, which agree position by position") {
  EngineCrossChecker checker;
  std::size_t decided = 0;
  std::size_t by_twin = 0;
  for (const fs::path& path : mutants()) {
    INFO(path.filename().string());
    const CaseFile file = read(path);
    const CrossCheck check = test::cross_checked(checker, file.original.graph, file.mutant.graph);
    const std::size_t outputs = file.original.graph.outputs().size();
    for (std::size_t i = 0; i < outputs; ++i) {
      const Agreed agreed = agreement(check, i);
      INFO(agreed.why);
      CHECK(agreed.what == Agreement::Agree);
      CHECK((all_decide(check.at_size, i) || all_decide(check.on_twin, i)));
    }
    if (all_decide(check.at_size, 0)) hold_against_expectation(file, check.at_size);
    ++decided;
    if (check.twin) ++by_twin;
  }
  CHECK(decided == 26);
  CHECK(by_twin == 1);  // Figure 1 has 100,352 elements
}

TEST_CASE("Planted errors are flagged, or the exhaustive check shows that they change nothing") {
  EngineCrossChecker checker;
  std::size_t planted = 0;
  std::size_t flagged = 0;
  for (const fs::path& path : mutants()) {
    const CaseFile file = read(path);
    if (file.headers.at("expect") != "equivalent") continue;
    const auto pairs = checker.plant(file.original.graph, file.mutant.graph, {}, 3, planted, {});
    REQUIRE(pairs.ok());
    for (const PlantedPair& pair : *pairs) {
      const CrossCheck check = test::cross_checked(checker, *pair.original, *pair.broken, {}, 1);
      INFO(path.filename().string() << ": " << pair.what);
      const PlantedError what = became_of(check);
      CHECK((what == PlantedError::Flagged || what == PlantedError::ShownEqual));
      for (std::size_t i = 0; i < pair.original->outputs().size(); ++i)
        CHECK(agreement(check, i).what != Agreement::Disagree);
      ++planted;
      if (what == PlantedError::Flagged) ++flagged;
    }
  }
  CHECK(planted >= 30);
  CHECK(flagged >= 25);
}

TEST_CASE("A pair that is wrong has errors planted in its original") {
  const CaseFile file = read(kMutants / "figure_1.txt");
  const auto pairs =
      EngineCrossChecker().plant(file.original.graph, file.mutant.graph, {}, 4, 1, {});
  REQUIRE(pairs.ok());
  CHECK(pairs->size() == 4);
  for (const PlantedPair& pair : *pairs) {
    CHECK(pair.what.starts_with("in the original, "));
    CHECK(inspect::is_small({*pair.original, *pair.broken}));
  }
}

TEST_CASE("Figure 1 is looked at on a small twin that is wrong in the same way") {
  const CaseFile file = read(kMutants / "figure_1.txt");
  EngineCrossChecker checker;
  const CrossCheck check = test::cross_checked(checker, file.original.graph, file.mutant.graph);
  const auto& exhaustive = check.at_size[static_cast<std::size_t>(CrossEngine::Exhaustive)];
  CHECK(exhaustive->reason ==
        "too large: a value of 100352 elements, and the exhaustive check ends at 65536");
  REQUIRE(check.twin);
  REQUIRE(check.twin->ok());
  const SmallTwin& twin = **check.twin;
  CHECK(twin.how == "both programs at smaller sizes");
  const Shape shape = *twin.original->node(twin.original->outputs()[0]).type.shape;
  CHECK(shape == Shape{8, 2, 14, 14});
  // The last row of even images, the first of odd ones.
  const Dim wrong = check.on_twin[0]->outputs[0].different;
  CHECK(wrong == 8 * 2 * 14);
  CHECK(agreement(check, 0).why == "on the small twin, all three say the same");
}

TEST_CASE("A layer at its real size is checked on a twin of a few thousand elements") {
  const auto file = parse_case(R"(
original (float[16,64,56,56] X, float[64,64,3,3] W) => (float[16,64,56,56] Y) {
  Y = Conv<pads=[1, 1, 1, 1]>(X, W)
}
mutant (float[16,64,56,56] X, float[64,64,3,3] W) => (float[16,64,56,56] Y)
  <int64[5] s0 = {8, 2, 64, 56, 56}, int64[4] s1 = {8, 64, 112, 56}, int64[5] s2 = {8, 64, 2, 56, 56},
   int64[4] s3 = {16, 64, 56, 56}> {
  t1 = Reshape(X, s0)
  t2 = Transpose<perm=[0, 2, 1, 3, 4]>(t1)
  t3 = Reshape(t2, s1)
  t4 = Conv<pads=[1, 1, 1, 1]>(t3, W)
  t5 = Reshape(t4, s2)
  t6 = Transpose<perm=[0, 2, 1, 3, 4]>(t5)
  Y = Reshape(t6, s3)
})",
                               "layer");
  REQUIRE(file.ok());
  EngineCrossChecker checker;
  const CrossCheck check = test::cross_checked(checker, file->original.graph, file->mutant.graph);
  CHECK(agreement(check, 0).why == "on the small twin, all three say the same");
  CHECK(check.at_size[0]->outputs[0].different == 16 * 64 * 56);
  CHECK(decides(*check.on_twin[1], 0));
}

Mutant joined_in_pairs(const Graph& original) {
  MutantGenerator generator(original);
  while (auto mutant = generator.next())
    if (in_words(mutant->moves) == "join 2 of axis 0 along axis 2") return *std::move(mutant);
  FAIL("it is among the first mutants of a convolution");
  return {};
}

// By its moves at smaller sizes, and as right or wrong there.
void hold_twin(const Graph& original, const Mutant& mutant) {
  INFO(in_words(mutant.moves));
  EngineCrossChecker checker;
  const auto twin = checker.small_twin(original, mutant.program, mutant.moves, {});
  REQUIRE(twin.ok());
  CHECK(twin->how == "the same moves at smaller sizes");
  CHECK(inspect::is_small({*twin->original, *twin->mutant}));
  const auto large = checker.ask(CrossEngine::Corrector, original, mutant.program, 20, {});
  const auto small = checker.ask(CrossEngine::Exhaustive, *twin->original, *twin->mutant, 20, {});
  REQUIRE((large.ok() && small.ok()));
  CHECK(large->outcome == small->outcome);
}

TEST_CASE("What moves made is made again by them at smaller sizes: mutants, repaired ones, twice") {
  const CaseFile file = read(kMutants / "figure_1.txt");
  const Graph& original = file.original.graph;
  const Mutant joined = joined_in_pairs(original);
  hold_twin(original, joined);
  const auto wrong = not_shown_equal(original, joined.program, {});
  REQUIRE(wrong.ok());
  for (const Correction& made : corrections(original, joined.program, wrong->front())) {
    if (!made.program) continue;
    Mutant repaired{*made.program, joined.moves};
    repaired.moves.emplace_back(move::Correct{made.way});
    hold_twin(original, repaired);
  }
  for (const SubprogramClass& same : split(joined.program, {}).classes) {
    const Subprogram& part = same.representative();
    const auto second = MutantGenerator(part.program).next();
    if (!second) continue;
    const Substitute substitute{&second->program, part.inputs, part.outputs};
    auto whole = with_replaced(joined.program, std::span(&substitute, 1));
    REQUIRE(whole.ok());
    Mutant twice{*std::move(whole), joined.moves};
    twice.moves.emplace_back(move::StartAgain{});
    twice.moves.insert(twice.moves.end(), second->moves.begin(), second->moves.end());
    hold_twin(original, twice);
    return;
  }
  FAIL("the convolution of a mutant has mutants of its own");
}

TEST_CASE("A solver that is not installed is named with its package, and the others go on") {
  const CaseFile file = read(kMutants / "a1_join_images_along_h.txt");
  EngineCrossChecker checker("no-such-solver");
  const CrossCheck check = test::cross_checked(checker, file.original.graph, file.mutant.graph);
  CHECK_FALSE(check.twin);
  const Agreed agreed = agreement(check, 0);
  CHECK(agreed.what == Agreement::Partial);
  CHECK(agreed.why == "Z3: Z3 is not installed: the package z3 brings it");
}

TEST_CASE("Whoever has no time says so, and whoever is stopped says nothing") {
  const CaseFile file = read(kMutants / "b1_join_images_5x5.txt");
  const auto ask = [&](CrossEngine engine, const std::stop_token& stop) {
    return EngineCrossChecker().ask(engine, file.original.graph, file.mutant.graph, 0.01, stop);
  };
  for (const CrossEngine engine : {CrossEngine::Exhaustive, CrossEngine::Solver}) {
    const auto answer = ask(engine, {});
    REQUIRE(answer.ok());
    CHECK(answer->outcome == Outcome::Unknown);
    CHECK(answer->reason == "no answer within 0.01 s");
  }
  std::stop_source stop;
  stop.request_stop();
  for (const CrossEngine engine : kCrossEngines) {
    const auto answer = ask(engine, stop.get_token());
    REQUIRE_FALSE(answer.ok());
    CHECK(answer.error().kind == ErrorKind::Stopped);
  }
}

TEST_CASE("A reproduction is a case of which the engines say the same") {
  for (const char* name : {"a1_join_images_along_h.txt", "d6_two_convolutions_five_groups.txt"}) {
    const CaseFile file = read(kMutants / name);
    const auto made = EngineCrossChecker().reproduce(file.original.graph, file.mutant.graph, {});
    REQUIRE(made.ok());
    const auto again = parse_case(made->case_text, "reproduction");
    REQUIRE(again.ok());
    const auto ask = [](const CaseFile& pair) {
      return EngineCrossChecker().ask(CrossEngine::Exhaustive, pair.original.graph,
                                      pair.mutant.graph, 20, {});
    };
    const auto before = ask(file);
    const auto after = ask(*again);
    REQUIRE((before.ok() && after.ok()));
    REQUIRE(before->outputs.size() == after->outputs.size());
    for (std::size_t i = 0; i < before->outputs.size(); ++i)
      CHECK(before->outputs[i].wrong.points() == after->outputs[i].wrong.points());
  }
}

}  // namespace
}  // namespace pet
