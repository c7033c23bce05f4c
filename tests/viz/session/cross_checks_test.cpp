#include "viz/session/cross_checks.h"

#include <catch2/catch.hpp>

#include "tests/support/told_checker.h"

namespace pet::viz {
namespace {

using test::program_called;
using test::ToldChecker;
using test::wrong_in;

CheckedPair pair_called(const std::string& name) {
  return {name, program_called("x"), program_called(name), {}, {}, {}, false};
}

// As long as there are questions.
std::size_t check_all(CrossChecks& checks, CrossChecker& checker) {
  std::size_t asked_about = 0;
  for (std::size_t i = 0; i < checks.pairs().size(); ++i) checks.want(i);
  while (const auto next = checks.next()) {
    auto judged = asked(checker, checks.pairs()[next->pair], next->question, 1, {});
    REQUIRE(judged.ok());
    checks.told(next->pair, *std::move(judged));
    ++asked_about;
  }
  return asked_about;
}

TEST_CASE("Pairs are there once, and unchecked until somebody wants them checked") {
  CrossChecks checks;
  CHECK(checks.add(pair_called("a")) == 0);
  CHECK(checks.add(pair_called("b")) == 1);
  CHECK(checks.add(pair_called("a")) == 0);
  CHECK(checks.pairs().size() == 2);
  CHECK_FALSE(checks.next());
  CHECK(headline_of(checks.counts()) == "2 rows to check, in 4 ways");
  checks.want(1);
  CHECK(checks.next()->pair == 1);
  checks.want_nothing();
  CHECK_FALSE(checks.next());
}

TEST_CASE("A question an engine, and what their answers come to is counted") {
  CrossChecks checks;
  ToldChecker checker;
  checker.of_input["b"] = {wrong_in(0), wrong_in(3), wrong_in(3)};
  checks.add(pair_called("a"));
  CHECK(check_all(checks, checker) == kCrossEngines.size());
  CHECK(headline_of(checks.counts()) == "1 row checked: they agree");
  checks.add(pair_called("b"));
  check_all(checks, checker);
  CHECK(headline_of(checks.counts()) == "1 of 2 rows disagree: one of the checks is wrong");
  CHECK(in_words(checks.counts()) == "checked 2 of 2 · agree 1 · disagree 1 · undecided 0");
  CHECK(is_alarm(checks.pairs()[1], 0));
}

TEST_CASE("A planted error that all call equal without proof is missed, and an alarm") {
  CrossChecks checks;
  ToldChecker checker;
  CrossAnswer unknown;
  unknown.reason = "too large";
  checker.of_input["missed"] = {wrong_in(0), unknown, wrong_in(0)};
  checker.of_input["noticed"] = {wrong_in(2), wrong_in(2), wrong_in(2)};
  for (const char* name : {"missed", "noticed"}) {
    CheckedPair pair = pair_called(name);
    pair.planted = name;
    checks.add(std::move(pair));
  }
  check_all(checks, checker);
  CHECK(is_alarm(checks.pairs()[0], 0));
  CHECK_FALSE(is_alarm(checks.pairs()[1], 0));
  CHECK(headline_of(checks.counts()) == "1 of 2 planted errors were missed");
}

}  // namespace
}  // namespace pet::viz
