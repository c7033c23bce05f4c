// How long it takes to look at mutants modulo a prime: the first position of every mutant of a
// convolution, as the generator does, and all positions of some, as the search does.
#include <benchmark/benchmark.h>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "core/program/fingerprint.h"
#include "core/program/mutate/generator.h"
#include "tests/support/weights.h"

using namespace pet;

namespace {

constexpr std::size_t kPositions = 16;

Graph conv(const Shape& data, const Shape& kernel) {
  Rng rng(1);
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor(data));
  const NodeId w = test::normal_weight(b, kernel, rng);
  b.add_output(*b.add(ops::conv(), {{"pads", Ints(2 * (data.size() - 2), 1)}}, {x, w}));
  return std::move(b).build();
}

struct Subject {
  explicit Subject(const Graph& program) : fingerprinter(program, 1, kPositions) {
    MutantGenerator generator(program, {.max_steps = 2000});
    while (auto mutant = generator.next()) mutants.push_back(std::move(mutant->program));
  }
  Fingerprinter fingerprinter;
  std::vector<Graph> mutants;
};

const Subject& frames() {
  static const Subject subject(conv({1, 512, 8, 7, 7}, {512, 512, 3, 3, 3}));
  return subject;
}

const Subject& image() {
  static const Subject subject(conv({1, 512, 14, 14}, {512, 512, 3, 3}));
  return subject;
}

void look_at_all(benchmark::State& state, const Subject& (*subject_of)()) {
  const Subject& subject = subject_of();
  std::size_t tested = 0;
  for (auto _ : state) {
    for (const Graph& mutant : subject.mutants)
      tested += subject.fingerprinter.look(mutant)->tested;
  }
  state.counters["mutants"] = static_cast<double>(subject.mutants.size());
  state.SetItemsProcessed(static_cast<std::int64_t>(tested));  // positions
}

void compare_some(benchmark::State& state, const Subject& (*subject_of)()) {
  const Subject& subject = subject_of();
  std::int64_t tested = 0;
  for (auto _ : state) {
    for (std::size_t i = 0; i < subject.mutants.size(); i += 10) {
      const auto print = subject.fingerprinter.compare(subject.mutants[i]);
      if (print) tested += static_cast<std::int64_t>(print->positions);
    }
  }
  state.SetItemsProcessed(tested);
}

BENCHMARK_CAPTURE(look_at_all, 3x3x3_512_at_8x7x7, frames)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compare_some, 3x3x3_512_at_8x7x7, frames)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(look_at_all, 3x3_512_at_14, image)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(compare_some, 3x3_512_at_14, image)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
