// The operators that PET is compared with others by (its evaluation, table 3), each against the
// program that takes its place there: how long the bitmap engine takes with five primes.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "tests/support/sketch.h"
#include "verify/pairs/bitmap_checker.h"

using namespace pet;
using pet::test::Sketch;

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kRuns = 5;
constexpr std::size_t kFivePrimes = 5;

// One output or several.
using Program = std::vector<NodeId> (*)(Sketch&);

Graph graph_of(Program program) {
  Sketch s;
  const auto outputs = program(s);
  return std::move(s).finish(outputs);
}

void measure(const char* name, Program original, Program mutant) {
  const Graph first = graph_of(original);
  const Graph second = graph_of(mutant);
  for (const std::size_t threads : {1UL, 2UL}) {
    ProofOptions options;
    options.threads = threads;
    std::vector<double> took;
    Verdict verdict;
    for (int run = 0; run < kRuns; ++run) {
      const auto start = Clock::now();
      verdict = BitmapChecker().check(first, second, options);
      took.push_back(std::chrono::duration<double>(Clock::now() - start).count());
    }
    std::sort(took.begin(), took.end());
    Dim wrong = 0;
    Dim all = 0;
    for (const OutputVerdict& out : verdict.outputs) {
      wrong += out.elements - out.equal;
      all += out.elements;
    }
    fmt::print(
        "{}, {} thread{}: {}, {} of {} wrong, {:.2f} s at the median of {} ({:.2f} to {:.2f}){}\n",
        name, threads, threads == 1 ? "" : "s", to_string(verdict.outcome), wrong, all,
        took[kRuns / 2], kRuns, took.front(), took.back(),
        verdict.primes == kFivePrimes ? "" : fmt::format(", {} primes", verdict.primes));
  }
}

Attrs pads(Dim all, Dim dilation = 1) {
  return {{"pads", Ints(4, all)}, {"dilations", Ints(2, dilation)}};
}

// An image in 4 x 4 blocks of 10 x 10, each an image: wrong where blocks meet.
std::vector<NodeId> wide(Sketch& s) {
  return {s.op("Conv", pads(2), {s.input("x", {1, 48, 38, 38}), s.input("w", {64, 48, 5, 5})})};
}
std::vector<NodeId> in_blocks(Sketch& s) {
  const NodeId x = s.input("x", {1, 48, 38, 38});
  const NodeId w = s.input("w", {64, 48, 5, 5});
  const NodeId padded = s.op("Pad", {{"pads", Ints{0, 0, 0, 0, 0, 0, 2, 2}}}, {x});
  const NodeId blocks = s.transpose(s.reshape(padded, {1, 48, 4, 10, 4, 10}), {0, 2, 4, 1, 3, 5});
  const NodeId y = s.op("Conv", pads(2), {s.reshape(blocks, {16, 48, 10, 10}), w});
  const NodeId image = s.reshape(
      s.transpose(s.reshape(y, {1, 4, 4, 64, 10, 10}), {0, 3, 1, 4, 2, 5}), {1, 64, 40, 40});
  return {s.slice(s.slice(image, 2, 0, 38), 3, 0, 38)};
}

// What a dilation of 2 skips is an image of its own.
std::vector<NodeId> dilated(Sketch& s) {
  return {
      s.op("Conv", pads(2, 2), {s.input("x", {1, 512, 14, 14}), s.input("w", {256, 512, 3, 3})})};
}
std::vector<NodeId> four_dense(Sketch& s) {
  const NodeId x = s.input("x", {1, 512, 14, 14});
  const NodeId w = s.input("w", {256, 512, 3, 3});
  const NodeId parts = s.transpose(s.reshape(x, {1, 512, 7, 2, 7, 2}), {0, 3, 5, 1, 2, 4});
  const NodeId y = s.op("Conv", pads(1), {s.reshape(parts, {4, 512, 7, 7}), w});
  return {s.reshape(s.transpose(s.reshape(y, {1, 2, 2, 256, 7, 7}), {0, 3, 4, 1, 5, 2}),
                    {1, 256, 14, 14})};
}

// Two convolutions as the two groups of one.
struct Two {
  NodeId x, z, w, v;
};
template <Dim features>
Two two(Sketch& s) {
  return {s.input("x", {1, 768, 18, 18}), s.input("z", {1, 768, 18, 18}),
          s.input("w", {features, 768, 1, 1}), s.input("v", {features, 768, 1, 1})};
}
template <Dim features>
std::vector<NodeId> apart(Sketch& s) {
  const Two in = two<features>(s);
  return {s.op("Conv", {in.x, in.w}), s.op("Conv", {in.z, in.v})};
}
template <Dim features>
std::vector<NodeId> grouped(Sketch& s) {
  const Two in = two<features>(s);
  const NodeId y =
      s.op("Conv", {{"group", Dim{2}}}, {s.concat({in.x, in.z}, 1), s.concat({in.w, in.v}, 0)});
  return {s.slice(y, 1, 0, features), s.slice(y, 1, features, 2 * features)};
}

// Three products as one batch.
constexpr int kProducts = 3;
NodeId factor(Sketch& s, const char* name, int number, Shape shape) {
  return s.input(fmt::format("{}{}", name, number), std::move(shape));
}
std::vector<NodeId> products(Sketch& s) {
  std::vector<NodeId> out;
  for (int i = 0; i < kProducts; ++i)
    out.push_back(s.op("MatMul", {factor(s, "x", i, {512, 768}), factor(s, "w", i, {768, 768})}));
  return out;
}
std::vector<NodeId> in_one_batch(Sketch& s) {
  std::vector<NodeId> x;
  std::vector<NodeId> w;
  for (int i = 0; i < kProducts; ++i) {
    x.push_back(s.reshape(factor(s, "x", i, {512, 768}), {1, 512, 768}));
    w.push_back(s.reshape(factor(s, "w", i, {768, 768}), {1, 768, 768}));
  }
  const NodeId y = s.op("MatMul", {s.concat(x, 0), s.concat(w, 0)});
  std::vector<NodeId> out;
  for (int i = 0; i < kProducts; ++i) out.push_back(s.reshape(s.slice(y, 0, i, i + 1), {512, 768}));
  return out;
}

}  // namespace

int main() {
  measure("5x5 on 38x38, in 16 blocks", wide, in_blocks);
  measure("dilated 3x3 on 14x14, 512 to 256, as four dense ones", dilated, four_dense);
  measure("two 1x1 on 18x18, 768 to 192, as two groups", apart<192>, grouped<192>);
  measure("two 1x1 on 18x18, 768 to 160, as two groups", apart<160>, grouped<160>);
  measure("three products 512x768x768, as one batch", products, in_one_batch);
}
