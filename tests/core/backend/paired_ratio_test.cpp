#include "core/backend/paired_ratio.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <functional>

#include "core/util/rng.h"

namespace pet {
namespace {

// One time of a program whose undisturbed time is `base`; `round` counts from the start of the
// sequence.
using Noise = std::function<double(Rng& rng, double base, std::size_t round)>;

double normal_noise(Rng& rng, double base, std::size_t) {
  return base * std::exp(0.02 * rng.normal());
}

// One run in ten is hit by something that may take very long (Pareto with exponent 1: no mean).
double heavy_tails(Rng& rng, double base, std::size_t round) {
  const double quiet = normal_noise(rng, base, round);
  return rng.uniform() < 0.1 ? quiet / (1.0 - rng.uniform()) : quiet;
}

// The clock falls by a third over the sequence, in steps.
double drift(Rng& rng, double base, std::size_t round) {
  return normal_noise(rng, base, round) * (1.0 + 0.05 * static_cast<double>(round / 40));
}

double tiny_noise(Rng& rng, double base, std::size_t) {
  return base * std::exp(0.0005 * rng.normal());
}

struct World {
  double ratio = 1.0;  // a is this many times slower
  Noise noise = normal_noise;
  double first_run_costs = 1.0;  // going first in a round is slower by this factor
};

// As the worker does: which goes first in a round is drawn.
PairTiming measure(Rng& rng, const World& world, std::size_t start, std::size_t rounds) {
  PairTiming timing;
  for (std::size_t i = 0; i < rounds; ++i) {
    const bool a_first = rng.below(2) == 0;
    const double a = world.noise(rng, 1.0 * world.ratio, start + i);
    const double b = world.noise(rng, 1.0, start + i);
    timing.a_ms.push_back(a_first ? a * world.first_run_costs : a);
    timing.b_ms.push_back(a_first ? b : b * world.first_run_costs);
  }
  return timing;
}

Decision decide(Rng& rng, const World& world) {
  SequentialComparison sequence{RatioRule{}};
  while (!sequence.is_finished()) {
    sequence.add(measure(rng, world, sequence.timing().a_ms.size(), sequence.rounds_wanted()));
  }
  return sequence.decision();
}

// Until the runs have taken so long altogether, in times that depend on them.
Decision decide_within(Rng& rng, const World& world, double budget) {
  SequentialComparison sequence{RatioRule{}};
  double spent = 0;
  while (!sequence.is_finished() && spent < budget) {
    const auto one = measure(rng, world, sequence.timing().a_ms.size(), 1);
    spent += one.a_ms[0] + one.b_ms[0];
    sequence.add(one);
  }
  sequence.finish();
  return sequence.decision();
}

int count(Decision wanted, int sequences, const World& world) {
  Rng rng(20250101);
  int found = 0;
  for (int i = 0; i < sequences; ++i) found += decide(rng, world) == wanted ? 1 : 0;
  return found;
}

constexpr int kSequences = 2000;

TEST_CASE("Equal programs are called faster in at most one of a hundred sequences, in any noise") {
  const World world =
      GENERATE(World{.noise = normal_noise}, World{.noise = heavy_tails}, World{.noise = drift},
               World{.noise = tiny_noise}, World{.noise = normal_noise, .first_run_costs = 1.1});
  CHECK(count(Decision::Faster, kSequences, world) <= kSequences / 100);
}

TEST_CASE("A gain of exactly the one that is asked for passes as rarely as the level says") {
  const World world = GENERATE(
      World{.ratio = 1.01, .noise = normal_noise}, World{.ratio = 1.01, .noise = heavy_tails},
      World{.ratio = 1.01, .noise = drift}, World{.ratio = 1.01, .noise = tiny_noise});
  CHECK(count(Decision::Faster, kSequences, world) <= kSequences / 100);
}

TEST_CASE("A program that is faster by 3 % in noise of 2 % is nearly always found") {
  CHECK(count(Decision::Faster, kSequences, {.ratio = 1.03, .noise = normal_noise}) >=
        kSequences * 90 / 100);
  CHECK(count(Decision::Faster, kSequences, {.ratio = 1.03, .noise = heavy_tails}) >=
        kSequences * 80 / 100);
}

TEST_CASE(
    "A program that is slower is never called faster, and one that is much slower is called so") {
  CHECK(count(Decision::Faster, kSequences, {.ratio = 1.0 / 1.03, .noise = heavy_tails}) == 0);
  CHECK(count(Decision::Slower, kSequences, {.ratio = 1.0 / 1.2, .noise = normal_noise}) >=
        kSequences * 95 / 100);
}

TEST_CASE("Equal programs are called slower in at most one of a hundred sequences") {
  CHECK(count(Decision::Slower, kSequences, {.noise = heavy_tails}) <= kSequences / 100);
}

TEST_CASE("A large gain in little noise is decided at the first look") {
  Rng rng(7);
  SequentialComparison sequence{RatioRule{}};
  const std::size_t first = sequence.rounds_wanted();
  sequence.add(measure(rng, {.ratio = 1.5, .noise = normal_noise}, 0, first));
  CHECK(sequence.decision() == Decision::Faster);
  CHECK(sequence.timing().a_ms.size() == first);
}

TEST_CASE("No decision is made between the looks") {
  Rng rng(7);
  SequentialComparison sequence{RatioRule{}};
  const std::size_t first = sequence.rounds_wanted();
  sequence.add(measure(rng, {.ratio = 1.5, .noise = normal_noise}, 0, first - 1));
  CHECK(sequence.decision() == Decision::Undecided);
  CHECK(sequence.rounds_wanted() == 1);
}

TEST_CASE("Running out of time calls equal programs faster as rarely as the level says") {
  const World world = GENERATE(World{.noise = normal_noise}, World{.noise = heavy_tails},
                               World{.ratio = 1.01, .noise = heavy_tails});
  const double budget = GENERATE(30.0, 100.0, 350.0);
  Rng rng(5);
  int faster = 0;
  for (int i = 0; i < kSequences; ++i)
    faster += decide_within(rng, world, budget) == Decision::Faster ? 1 : 0;
  CHECK(faster <= kSequences / 100);
}

TEST_CASE("Running out of time spends the error that is left") {
  Rng rng(6);
  int faster = 0;
  for (int i = 0; i < 200; ++i) {
    faster +=
        decide_within(rng, {.ratio = 1.03, .noise = normal_noise}, 110) == Decision::Faster ? 1 : 0;
  }
  CHECK(faster >= 160);
  SequentialComparison nothing{RatioRule{}};
  nothing.finish();
  CHECK(nothing.decision() == Decision::Undecided);
}

TEST_CASE("The bounds of the median hold as often as they say") {
  Rng rng(11);
  int low_fails = 0;
  int high_fails = 0;
  for (int i = 0; i < kSequences; ++i) {
    const Ratio ratio =
        paired_ratio(measure(rng, {.ratio = 1.2, .noise = heavy_tails}, 0, 25), 0.05);
    CHECK(ratio.low <= ratio.median);
    CHECK(ratio.median <= ratio.high);
    low_fails += ratio.low > 1.2 ? 1 : 0;
    high_fails += ratio.high < 1.2 ? 1 : 0;
  }
  CHECK(low_fails <= kSequences * 7 / 100);
  CHECK(high_fails <= kSequences * 7 / 100);
  CHECK(low_fails >= kSequences / 100);  // and are no wider than they need to be
  CHECK(high_fails >= kSequences / 100);
}

TEST_CASE("Too few samples give no bound at all") {
  const Ratio ratio = paired_ratio({{3.0, 3.0, 3.0}, {1.0, 2.0, 3.0}}, 0.003);
  CHECK(ratio.median == Approx(1.5));
  CHECK(ratio.low == 0.0);
  CHECK(std::isinf(ratio.high));
}

}  // namespace
}  // namespace pet
