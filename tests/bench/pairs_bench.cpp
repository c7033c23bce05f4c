// Random pairs of small programs, already built: pairs a second, by the whole bitmap engine, and by
// its comparison modulo five primes alone (before anything is said of domains and rounding, or
// shown by a witness). Several threads take different pairs; each pair is compared by one of them
// alone.
#include <benchmark/benchmark.h>

#include "tests/fuzz/pair.h"
#include "verify/bitmap/proof_plan.h"
#include "verify/bitmap/residue_comparison.h"
#include "verify/pairs/bitmap_checker.h"

using namespace pet;

namespace {

constexpr std::uint64_t kPairs = 2000;
constexpr std::uint64_t kFirstSeed = 1'000'000;
constexpr double kFivePrimes = -90;  // an error for which programs of this size need five primes

const std::vector<fuzz::Pair>& pairs() {
  static const std::vector<fuzz::Pair> all = [] {
    std::vector<fuzz::Pair> out;
    for (std::uint64_t i = 0; i < kPairs; ++i) out.push_back(fuzz::random_pair(kFirstSeed + i));
    return out;
  }();
  return all;
}

// Argument: 1 where all that is asked is whether they are equal everywhere.
void compare(benchmark::State& state) {
  const auto& all = pairs();
  BitmapChecker checker;
  auto number = static_cast<std::size_t>(state.thread_index());
  std::int64_t compared = 0;
  std::size_t primes = 0;
  std::size_t proofs = 0;
  for (auto _ : state) {
    const fuzz::Pair& pair = all[number % all.size()];
    ProofOptions options;
    options.log2_error = kFivePrimes;
    options.proof_seed = "bench";
    options.first_difference = state.range(0) != 0;
    const Verdict verdict = checker.check(pair.original, pair.mutant, options);
    primes += verdict.primes;
    proofs += verdict.primes > 0 ? 1 : 0;
    number += static_cast<std::size_t>(state.threads());
    ++compared;
  }
  state.SetItemsProcessed(compared);
  state.counters["primes"] = benchmark::Counter(
      static_cast<double>(primes) / static_cast<double>(std::max<std::size_t>(proofs, 1)),
      benchmark::Counter::kAvgThreads);
}

void compare_residues(benchmark::State& state) {
  const auto& all = pairs();
  auto number = static_cast<std::size_t>(state.thread_index());
  std::int64_t compared = 0;
  std::size_t primes = 0;
  for (auto _ : state) {
    const auto& [original, mutant, steps, rich] = all[number % all.size()];
    const ProofOptions options;
    const PairCode code(original, mutant);
    const ValueTable values(original, mutant, ValueTable::Weights::Symbols);
    ValueTable computed = values;
    while (computed.next_of_mutant()) continue;
    const auto plan = plan_proof(original, mutant, computed, kFivePrimes, std::nullopt, {});
    if (!plan) return state.SkipWithError(plan.error().message.c_str());
    ResidueComparison residues(code, values, digest_of("bench", std::to_string(number)),
                               plan->comparisons.primes, options);
    auto done = residues.run();
    for (std::size_t i = 0; done && i < original.outputs().size(); ++i) {
      std::vector<char> marked;
      done = residues.mark(i, marked);
      benchmark::DoNotOptimize(marked.data());
    }
    if (!done) return state.SkipWithError(done.error().message.c_str());
    primes += plan->comparisons.primes;
    number += static_cast<std::size_t>(state.threads());
    ++compared;
  }
  state.SetItemsProcessed(compared);
  state.counters["primes"] = benchmark::Counter(
      static_cast<double>(primes) / static_cast<double>(compared), benchmark::Counter::kAvgThreads);
}

BENCHMARK(compare_residues)->Threads(1)->Threads(2)->UseRealTime();
BENCHMARK(compare)->Arg(0)->Arg(1)->Threads(1)->Threads(2)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
