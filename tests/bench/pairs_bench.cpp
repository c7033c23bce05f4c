// Random pairs of small programs, already built, through the bitmap engine: pairs a second. Several
// threads take different pairs; each pair is compared by one of them alone.
#include <benchmark/benchmark.h>

#include "tests/fuzz/pair.h"
#include "verify/bitmap/bitmap_checker.h"

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

BENCHMARK(compare)->Arg(0)->Arg(1)->Threads(1)->Threads(2)->UseRealTime();

}  // namespace

BENCHMARK_MAIN();
