// How fast mutants are generated: for each subprogram the distinct programs of the right types a
// second, and the time until the vocabulary is exhausted. Run by hand: no arguments, one core.
#include <fmt/format.h>

#include <chrono>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "core/program/mutate/generator.h"
#include "tests/bench/layers.h"
#include "tests/support/weights.h"

using namespace pet;
using pet::bench::conv;

namespace {

Graph transition() {
  Rng rng(2);
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor({1, 256, 56, 56}));
  const NodeId y = *b.add(ops::conv(), {}, {x, test::normal_weight(b, {128, 256, 1, 1}, rng)});
  b.add_output(
      *b.add(ops::average_pool(), {{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}}, {y}));
  return std::move(b).build();
}

Graph queries_keys_values() {
  Rng rng(3);
  GraphBuilder b;
  const NodeId x = b.add_input("x", float_tensor({1, 512, 768}));
  for (int i = 0; i < 3; ++i)
    b.add_output(*b.add(ops::mat_mul(), {}, {x, test::normal_weight(b, {768, 768}, rng)}));
  return std::move(b).build();
}

void measure(const char* name, const Graph& program) {
  const auto start = std::chrono::steady_clock::now();
  MutantGenerator generator(program);
  while (generator.next()) {
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  const GeneratorCounters& c = generator.counters();
  std::string pruned;
  for (std::size_t i = 0; i < kPrunedReasons; ++i)
    pruned += fmt::format(", {} {}", to_string(static_cast<Pruned>(i)), c.pruned[i]);
  fmt::print(stderr, "{}: {:.2f} s, {} nodes, {} programs ({:.0f}/s), {} mutants; pruned{}\n", name,
             took.count(), c.nodes, c.programs, static_cast<double>(c.programs) / took.count(),
             c.mutants, pruned);
}

}  // namespace

int main() {
  const Ints one = {1, 1, 1, 1};
  const Ints two = {2, 2, 2, 2};
  measure("3x3 dilated 512 @14",
          conv({1, 512, 14, 14}, {512, 512, 3, 3}, {{"pads", two}, {"dilations", Ints{2, 2}}}));
  measure("3x3 64 @56", conv({1, 64, 56, 56}, {64, 64, 3, 3}, {{"pads", one}}));
  measure("3x3 64 @56, batch 16", conv({16, 64, 56, 56}, {64, 64, 3, 3}, {{"pads", one}}));
  measure("transition 256 to 128 @56", transition());
  measure("q, k, v 512x768x768", queries_keys_values());
  measure("3x3x3 64 @16x56x56",
          conv({1, 64, 16, 56, 56}, {64, 64, 3, 3, 3}, {{"pads", Ints{1, 1, 1, 1, 1, 1}}}));
  return 0;
}
