// What three answers come to, said by checkers that say what they are told to.
#include "core/program/cross_check.h"

#include <catch2/catch.hpp>

namespace pet {
namespace {

// Of an output of 10 elements, wrong from `low` to `high`; `undecided` of these are not known.
CrossAnswer wrong(Dim low, Dim high, Dim undecided = 0) {
  CrossAnswer out;
  OutputVerdict& output = out.outputs.emplace_back();
  output.elements = 10;
  output.undecided = undecided;
  output.different = high - low - undecided;
  output.equal = 10 - (high - low);
  output.wrong.basis = DigitBasis::plain({10});
  if (high > low) output.wrong.boxes = {Box{{low}, {high}}};
  output.outcome = high == low                     ? Outcome::Equivalent
                   : undecided == high - low       ? Outcome::Unknown
                   : high - low == output.elements ? Outcome::Different
                                                   : Outcome::Partial;
  out.outcome = output.outcome;
  if (undecided > 0) output.reason = "not told apart";
  return out;
}
CrossAnswer equal() { return wrong(0, 0); }

CrossAnswer unknown(std::string why) {
  CrossAnswer out;
  out.reason = std::move(why);
  return out;
}

CrossAnswer mismatch() {
  CrossAnswer out;
  out.outcome = Outcome::ShapeMismatch;
  return out;
}

CrossCheck of(CrossAnswer corrector, CrossAnswer exhaustive, CrossAnswer solver,
              CrossAnswer theorem = unknown("not multi-linear")) {
  CrossCheck out;
  out.at_size = {std::move(corrector), std::move(exhaustive), std::move(solver),
                 std::move(theorem)};
  out.twin = Error{"the pair is small as it is"};
  return out;
}

TEST_CASE("Three that say the same agree, whatever it is") {
  CHECK(agreement(of(equal(), equal(), equal()), 0).what == Agreement::Agree);
  CHECK(agreement(of(wrong(2, 5), wrong(2, 5), wrong(2, 5)), 0).what == Agreement::Agree);
  CHECK(agreement(of(mismatch(), mismatch(), mismatch()), 0).what == Agreement::Agree);
}

TEST_CASE("PET's own test is not waited for, and heard where it contradicts") {
  CHECK(agreement(of(equal(), equal(), equal(), unknown("x")), 0).why == "all three say the same");
  CHECK(agreement(of(equal(), equal(), equal(), wrong(2, 5, 3)), 0).what == Agreement::Agree);
  CHECK(agreement(of(equal(), unknown("x"), unknown("x"), equal()), 0).what ==
        Agreement::Undecided);
  CHECK(agreement(of(wrong(2, 5), wrong(2, 5), wrong(2, 5), equal()), 0).why ==
        "the corrector calls 3 elements wrong that PET's own test calls equal");
  CrossCheck check = of(equal(), equal(), equal());
  check.twin.reset();
  CHECK_FALSE(next_question(check));
}

TEST_CASE("Where two call different elements wrong, both numbers are said") {
  const Agreed agreed = agreement(of(wrong(2, 5), wrong(3, 7), wrong(3, 7)), 0);
  CHECK(agreed.what == Agreement::Disagree);
  CHECK(
      agreed.why ==
      "the corrector calls 1 element wrong that the exhaustive check calls equal, and 2 the other "
      "way round");
  CHECK(agreement(of(equal(), wrong(3, 5), wrong(3, 5)), 0).why ==
        "the exhaustive check calls 2 elements wrong that the corrector calls equal");
  CHECK(agreement(of(equal(), equal(), wrong(0, 10)), 0).what == Agreement::Disagree);
  CHECK(agreement(of(mismatch(), equal(), equal()), 0).what == Agreement::Disagree);
}

TEST_CASE("Who is undecided contradicts nobody but where it has decided") {
  const Agreed open = agreement(of(wrong(2, 5, 3), equal(), equal()), 0);
  CHECK(open.what == Agreement::Partial);
  CHECK(open.why == "the corrector: not told apart; no small twin: the pair is small as it is");
  CHECK(agreement(of(wrong(2, 5, 3), wrong(0, 1), unknown("x")), 0).what == Agreement::Disagree);
  // It knows of one difference among four elements, and nobody has one there.
  CHECK(agreement(of(wrong(2, 6, 3), equal(), unknown("x")), 0).what == Agreement::Disagree);
  const Agreed alone = agreement(of(equal(), unknown("too large"), unknown("no time")), 0);
  CHECK(alone.what == Agreement::Undecided);
  CHECK(alone.why ==
        "the exhaustive check: too large; Z3: no time; no small twin: the pair is small as it is");
}

TEST_CASE("What is open at its own sizes is compared on the twin, by all three") {
  CrossCheck check = of(wrong(0, 5), unknown("too large"), unknown("too large"));
  check.twin.reset();
  CHECK(next_question(check) == CrossQuestion{});
  CHECK(agreement(check, 0).what == Agreement::Open);
  check.twin = SmallTwin{};
  for (const CrossEngine engine : kCrossEngines) {
    CHECK(next_question(check) == CrossQuestion{engine, true});
    check.on_twin[static_cast<std::size_t>(engine)] = wrong(0, 1);
  }
  CHECK_FALSE(next_question(check));
  CHECK(agreement(check, 0).why == "on the small twin, all three say the same");
  check.on_twin = {equal(), equal(), equal(), unknown("x")};
  CHECK(agreement(check, 0).what == Agreement::Partial);
  check.on_twin = {wrong(0, 1), wrong(0, 1), wrong(0, 2), unknown("x")};
  CHECK(agreement(check, 0).what == Agreement::Disagree);
}

TEST_CASE("No twin is asked for where all is decided, or what is not installed is all that lacks") {
  CrossCheck check;
  CHECK(next_question(check) == CrossQuestion{CrossEngine::Corrector, false});
  check = of(equal(), equal(), unknown("not installed"));
  check.twin.reset();
  CHECK(next_question(check));
  check.at_size[2]->is_missing = true;
  CHECK_FALSE(next_question(check));
  CHECK(agreement(check, 0).what == Agreement::Partial);
}

TEST_CASE("An engine that contradicts itself disagrees") {
  CrossCheck check = of(equal(), unknown("two roads"), equal());
  check.at_size[1]->contradicts_itself = true;
  CHECK(agreement(check, 0).why == "the exhaustive check contradicts itself: two roads");
}

TEST_CASE(
    "A planted error that is called equal is missed unless the exhaustive check confirms it") {
  CHECK(became_of(of(equal(), unknown("x"), equal())) == PlantedError::Missed);
  CHECK(became_of(of(equal(), equal(), unknown("x"))) == PlantedError::ShownEqual);
  CHECK(became_of(of(unknown("x"), unknown("x"), unknown("x"))) == PlantedError::Withheld);
  CHECK(became_of(of(equal(), wrong(0, 1), equal())) == PlantedError::Flagged);
  CHECK(became_of(of(mismatch(), mismatch(), mismatch())) == PlantedError::Flagged);
  CHECK(became_of({}) == PlantedError::Open);
}

TEST_CASE("A path is quoted for a shell") {
  CHECK(command_line({"", 7}, "it's here.txt") ==
        "pet-verify --engine all --seed 7 'it'\\''s here.txt'");
}

}  // namespace
}  // namespace pet
