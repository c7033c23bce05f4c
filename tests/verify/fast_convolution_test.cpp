// Fast convolutions are proved like any other mutant, over shapes that are drawn here.
#include "core/program/mutate/fast_convolution.h"

#include <catch2/catch.hpp>
#include <map>

#include "core/onnx/export.h"
#include "core/ops/ops.h"
#include "core/program/constant_folder.h"
#include "tests/support/weights.h"
#include "tests/verify/folded_files.h"
#include "verify/files/file_proof.h"
#include "verify/pairs/bitmap_checker.h"

using namespace pet;
using namespace pet::mutation;
using namespace pet::testing;

namespace {

// Sizes of one magnitude: few channels with a weight of next to nothing are ill-conditioned at the
// border.
NodeId random_constant(GraphBuilder& b, const Shape& shape, Rng& rng) {
  return b.add_constant(test::drawn_constant(
      shape, [&] { return (0.5 + rng.uniform()) * (rng.below(2) == 0 ? 1 : -1); }));
}

struct Limits {
  std::size_t axes;
  Dim longest;
};

// A convolution over `axes` axes, of any geometry that yields a result.
Graph any_convolution(Rng& rng, const Limits& limits) {
  for (;;) {
    const Dim groups = rng.below(3) == 0 ? rng.between(2, 3) : 1;
    const Dim channels = groups * rng.between(1, 3);
    const Dim filters = groups * rng.between(1, 3);
    Shape data = {rng.between(1, 3), channels};
    Shape weight = {filters, channels / groups};
    Ints strides;
    Ints dilations;
    Ints pads;
    for (std::size_t i = 0; i < limits.axes; ++i) {
      data.push_back(rng.between(2, limits.longest));
      weight.push_back(rng.below(3) == 0 ? 1 : rng.between(2, limits.axes == 3 ? 4 : 7));
      strides.push_back(rng.below(3) == 0 ? rng.between(2, 3) : 1);
      dilations.push_back(rng.below(3) == 0 ? rng.between(2, 3) : 1);
    }
    for (std::size_t i = 0; i < 2 * limits.axes; ++i)
      pads.push_back(rng.between(0, weight[2 + i % limits.axes]));
    GraphBuilder b;
    std::vector<NodeId> operands = {b.add_input("x", float_tensor(data)),
                                    random_constant(b, weight, rng)};
    if (rng.below(2) == 0) operands.push_back(random_constant(b, {filters}, rng));
    const auto y = b.add(
        ops::conv(),
        Attrs{{"group", groups}, {"strides", strides}, {"dilations", dilations}, {"pads", pads}},
        operands);
    if (!y || count(*b.type(*y).shape) == 0) continue;
    b.add_output(*y);
    return std::move(b).build();
  }
}

void check_all(std::uint64_t seed, const Limits& limits, int programs,
               const std::vector<std::string>& wanted, const FastLimits& fast = {}) {
  Rng rng(seed);
  BitmapChecker checker;
  std::map<std::string, int> seen;
  for (int i = 0; i < programs; ++i) {
    const Graph program = any_convolution(rng, limits);
    for (const Mutant& mutant : fast_convolutions_within(program, fast)) {
      const Verdict verdict = checker.check(program, mutant.program, {});
      INFO(verdict.reason << " " << (verdict.outputs.empty() ? "" : verdict.outputs[0].reason));
      INFO(to_string(program) << in_words(mutant.moves) << '\n' << to_string(mutant.program));
      REQUIRE(verdict.outcome == Outcome::Equivalent);
      for (const std::string& word : wanted)
        seen[word] += in_words(mutant.moves).find(word) != std::string::npos ? 1 : 0;
    }
  }
  for (const std::string& word : wanted) {
    INFO(word);
    CHECK(seen[word] > 0);
  }
}

}  // namespace

TEST_CASE("Every fast form of a convolution over a sequence is equivalent") {
  check_all(11, {1, 13}, 60, {"before the channels", "taps to channels", "in place"});
}

TEST_CASE("Axes that are too long for one matrix are taken in blocks, by any geometry") {
  const FastLimits short_matrices{.most_growth = 20, .longest_axis = 16};
  check_all(15, {1, 60}, 60, {"in 2 blocks", "in 3 blocks", "in 5 blocks"}, short_matrices);
  check_all(16, {2, 24}, 12, {"in 2 blocks"}, short_matrices);
}

TEST_CASE("Every fast form of a convolution over an image is equivalent") {
  check_all(12, {2, 9}, 30, {"before the channels", "taps to channels", "in place"});
}

TEST_CASE("Every fast form of a convolution over frames is equivalent") {
  check_all(13, {3, 5}, 12, {"before the channels", "taps to channels", "inside it"});
}

namespace {

Model written(const Graph& graph, const std::string& programs) {
  const ScratchFolder folder;
  REQUIRE(write_program(graph, 17, folder / "m.onnx").ok());
  OnnxBuilder file;
  REQUIRE(file.model.ParseFromString(read_bytes(folder / "m.onnx")));
  if (!programs.empty()) set_metadata(file, programs);
  return read(file);
}

}  // namespace

TEST_CASE("The written file of a fast convolution is proved by its weight programs") {
  Rng rng(14);
  int proved = 0;
  for (int i = 0; i < 6; ++i) {
    const Graph program = any_convolution(rng, {static_cast<std::size_t>(1 + i % 3), 6});
    const Model original = written(program, "");
    const auto mutants = fast_convolutions_within(program, FastLimits{});
    for (std::size_t m = 0; m < mutants.size(); m += 3) {
      ConstantFolder folder(program, 1, {});
      const auto folded = folder.fold(mutants[m].program);
      INFO(in_words(mutants[m].moves) << '\n' << to_string(program));
      REQUIRE(folded.ok());
      const Model file = written(folded->program, *encoded(std::move(folder).programs()));
      CHECK(prove_files(original, file, {}).outcome == Outcome::Equivalent);
      ++proved;
    }
  }
  CHECK(proved > 10);
}
