// Launch lists that change only on purpose: PET_RENEW=1 writes them anew.
#include "tests/gpu/golden.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "core/onnx/model.h"
#include "core/onnx/text.h"
#include "core/program/correct/corrections.h"
#include "datasets/models/models.h"
#include "tests/support/scratch_folder.h"
#include "verify/pairs/bitmap_checker.h"

namespace pet::test {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string>& golden_cases() {
  static const std::vector<std::string> all = {"mutants/figure_1",
                                               "mutants/a1_join_images_along_h",
                                               "mutants/a5_cut_images_along_h_and_w",
                                               "mutants/b1_join_images_5x5",
                                               "mutants/b3_join_images_1x1",
                                               "mutants/b4a_join_images_with_stride",
                                               "mutants/c1_dilation_phases_along_h",
                                               "mutants/c4_dilation_phases_to_batch",
                                               "mutants/d2_channel_pairs_along_w",
                                               "mutants/d5_repeated_input_grouped",
                                               "mutants/d6_two_convolutions_five_groups",
                                               "mutants/h1_join_with_halo",
                                               "ops/conv_transpose",
                                               "ops/average_pool",
                                               "ops/max_pool",
                                               "ops/batch_normalization",
                                               "ops/gemm",
                                               "ops/mat_mul",
                                               "ops/einsum",
                                               "ops/softmax",
                                               "ops/layer_normalization",
                                               "ops/lrn",
                                               "ops/resize",
                                               "ops/pad",
                                               "ops/gelu"};
  return all;
}

TEST_CASE("The launches of known programs are what they were") {
  for (const std::string& name : golden_cases()) {
    const auto read = read_case(std::string(PET_CASES) + "/" + name + ".txt");
    REQUIRE(read.ok());
    compare_with_golden(fs::path(name).filename().string(),
                        "original\n" + launches_of(read->original.graph) + "mutant\n" +
                            launches_of(read->mutant.graph));
  }
}

// PET's first figure, and mutants of its operator benchmark: what a correction costs on a device.
TEST_CASE("The launches of corrected mutants are what they were") {
  for (const std::string name : {"figure_1", "b1_join_images_5x5", "c4_dilation_phases_to_batch",
                                 "d2_channel_pairs_along_w", "d7_two_convolutions_two_groups"}) {
    const auto read = read_case(fmt::format("{}/mutants/{}.txt", PET_CASES, name));
    REQUIRE(read.ok());
    const Graph& original = read->original.graph;
    const Graph& mutant = read->mutant.graph;
    std::string text = "original: " + totals_of(original) + "mutant: " + totals_of(mutant);
    const Verdict verdict = BitmapChecker().check(original, mutant, {});
    if (verdict.outcome == Outcome::Partial) {
      for (const Correction& one : corrections(original, mutant, verdict.outputs[0].wrong)) {
        if (!one.program) continue;
        text += fmt::format("corrected by {}: {}{}", to_string(one.way), totals_of(*one.program),
                            launches_of(*one.program));
      }
    }
    compare_with_golden(fmt::format("{}.corrected", name), text);
  }
}

TEST_CASE("The launches of the models are what they were") {
  const testing::ScratchFolder folder;
  for (const std::string name :
       {"resnet18", "resnet3d18", "bert-pet", "csrnet", "inception-v3", "densenet121"}) {
    const auto file = folder / (name + ".onnx");
    REQUIRE(datasets::build_model({.name = name, .tiny = true}, file).ok());
    const auto model = read_model(file);
    REQUIRE(model.ok());
    compare_with_golden(name, launches_of(model->graph));
  }
}

}  // namespace
}  // namespace pet::test
