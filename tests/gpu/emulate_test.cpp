// Programs on the emulated device against what they mean.
#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>

#include "core/onnx/model.h"
#include "core/program/correct/corrections.h"
#include "core/util/steady_seconds.h"
#include "datasets/models/models.h"
#include "gpu/emulate/device.h"
#include "gpu/lower/lower.h"
#include "tests/fuzz/pair.h"
#include "tests/gpu/programs.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/seeded.h"
#include "verify/pairs/bitmap_checker.h"

namespace pet::test {
namespace {

struct Tally {
  int compared = 0;
  int refused = 0;
  int beyond = 0;  // what is right for floats: rounding inside of functions explains it
};

void compare(const Program& program, Drawn drawn, Rng& rng, Tally& tally,
             const gpu::ConvolutionRefusal& refusal = {}) {
  INFO(program.name);
  const auto plan = gpu::lower(program.graph, refusal);
  if (!plan) {
    INFO(plan.error().message);
    CHECK(plan.error().kind == ErrorKind::Unsupported);
    ++tally.refused;
    return;
  }
  const Numbers inputs = drawn_inputs(program.graph, drawn, rng);
  const std::vector<std::span<const float>> spans(inputs.begin(), inputs.end());
  const auto outputs = gpu::emulate(*plan, spans);
  INFO((outputs ? "" : outputs.error().message));
  REQUIRE(outputs.ok());
  const auto found = distance(program.graph, inputs, *outputs);
  if (!found) return;
  INFO(to_string(*plan));
  INFO("off by " << found->off << ", floats by " << found->in_floats << ", drawn roundings by "
                 << found->in_drawn_roundings);
  ++tally.compared;
  tally.beyond += found->is_right() ? 0 : 1;
  CHECK(found->is_explained());
}

TEST_CASE("Every sample of every operator computes on the emulated device what it means") {
  Seeded rng(1);
  Tally tally;
  for (const Drawn drawn : {Drawn::Signed, Drawn::Positive}) {
    for (const Program& program : programs_of_samples()) compare(program, drawn, rng, tally);
  }
  CHECK(tally.beyond == 0);
  CHECK(tally.compared > 300);
  CHECK(tally.refused < tally.compared);
}

TEST_CASE("Every case of every operator computes on the emulated device what it means") {
  Seeded rng(2);
  Tally tally;
  for (const Program& program : programs_of_cases(PET_CASES "/ops"))
    compare(program, Drawn::Positive, rng, tally);
  CHECK(tally.beyond == 0);
  CHECK(tally.compared > 300);
}

TEST_CASE("Every mutant computes on the emulated device what it means") {
  Seeded rng(3);
  Tally tally;
  for (const Program& program : programs_of_cases(PET_CASES "/mutants"))
    compare(program, Drawn::Signed, rng, tally);
  CHECK(tally.beyond == 0);
  CHECK(tally.refused == 0);
  CHECK(tally.compared > 40);
}

TEST_CASE("Every corrected mutant computes on the emulated device what it means") {
  Seeded rng(8);
  Tally tally;
  const auto cases = programs_of_cases(PET_CASES "/mutants");
  for (std::size_t i = 0; i + 1 < cases.size(); i += 2) {
    const Verdict verdict = BitmapChecker().check(cases[i].graph, cases[i + 1].graph, {});
    if (verdict.outcome != Outcome::Partial) continue;
    for (const Correction& one :
         corrections(cases[i].graph, cases[i + 1].graph, verdict.outputs[0].wrong)) {
      if (one.program)
        compare({cases[i + 1].name + ", corrected", *one.program}, Drawn::Signed, rng, tally);
    }
  }
  CHECK(tally.beyond == 0);
  CHECK(tally.refused == 0);
  CHECK(tally.compared > 20);
}

TEST_CASE("What a library refuses generated kernels compute, and the reason is kept") {
  Seeded rng(9);
  const auto kinds = [](const gpu::Plan& plan) {
    std::array<int, 2> out{};  // convolutions, kernels
    for (const gpu::Launch& launch : plan.launches) {
      out[0] += std::holds_alternative<gpu::Convolution>(launch.what) ? 1 : 0;
      out[1] += std::holds_alternative<gpu::KernelLaunch>(launch.what) ? 1 : 0;
    }
    return out;
  };
  const gpu::ConvolutionRefusal no_rectifier = [](const gpu::Convolution& c) {
    return c.relu ? std::optional<std::string>("no rectifier") : std::nullopt;
  };
  const gpu::ConvolutionRefusal nothing_added = [](const gpu::Convolution& c) {
    return c.relu || c.residual ? std::optional<std::string>("alone") : std::nullopt;
  };
  const gpu::ConvolutionRefusal none = [](const gpu::Convolution&) {
    return std::optional<std::string>("not here");
  };
  const testing::ScratchFolder folder;
  for (const std::string name : {"csrnet", "resnet18"}) {
    const auto file = folder / (name + ".onnx");
    REQUIRE(datasets::build_model({.name = name, .tiny = true}, file).ok());
    const auto model = read_model(file);
    REQUIRE(model.ok());
    const auto whole = gpu::lower(model->graph);
    REQUIRE(whole.ok());
    const auto [convolutions, kernels] = kinds(*whole);
    for (const auto& [refusal, why] :
         {std::pair(&no_rectifier, "no rectifier"), std::pair(&nothing_added, "alone"),
          std::pair(&none, "not here")}) {
      Tally tally;
      compare({name, model->graph}, Drawn::Signed, rng, tally, *refusal);
      CHECK(tally.compared == 1);
      CHECK(tally.beyond == 0);
      const auto split = gpu::lower(model->graph, *refusal);
      REQUIRE(split.ok());
      CHECK(kinds(*split)[0] == (refusal == &none ? 0 : convolutions));
      CHECK(kinds(*split)[1] > kernels);
      CHECK(to_string(*split).find("by itself: conv ") != std::string::npos);
      CHECK(to_string(*split).find(std::string(": ") + why) != std::string::npos);
      CHECK(to_string(*whole).find("by itself") == std::string::npos);
    }
  }
}

TEST_CASE("Where nothing is fused each operator is a launch of its own, and computes the same") {
  Seeded rng(10);
  const testing::ScratchFolder folder;
  for (const std::string name : {"resnet18", "bert-pet"}) {
    const auto file = folder / (name + ".onnx");
    REQUIRE(datasets::build_model({.name = name, .tiny = true}, file).ok());
    const auto model = read_model(file);
    REQUIRE(model.ok());
    const auto fused = gpu::lower(model->graph);
    const auto plan = gpu::lower(model->graph, {}, gpu::Fusion::None);
    REQUIRE((fused.ok() && plan.ok()));
    CHECK(plan->launches.size() > fused->launches.size());
    for (const gpu::Launch& launch : plan->launches) CHECK(launch.nodes.size() == 1);
    const Numbers inputs = drawn_inputs(model->graph, Drawn::Signed, rng);
    const std::vector<std::span<const float>> spans(inputs.begin(), inputs.end());
    const auto outputs = gpu::emulate(*plan, spans);
    REQUIRE(outputs.ok());
    const auto found = distance(model->graph, inputs, *outputs);
    REQUIRE(found.has_value());
    CHECK(found->is_right());
  }
}

TEST_CASE("Models compute on the emulated device what they mean") {
  Seeded rng(6);
  Tally tally;
  const testing::ScratchFolder folder;
  for (const std::string name :
       {"resnet18", "resnet3d18", "bert-pet", "csrnet", "inception-v3", "densenet121"}) {
    const auto file = folder / (name + ".onnx");
    REQUIRE(datasets::build_model({.name = name, .tiny = true}, file).ok());
    const auto model = read_model(file);
    REQUIRE(model.ok());
    compare({name, model->graph}, Drawn::Signed, rng, tally);
  }
  CHECK(tally.compared == 6);
  CHECK(tally.beyond == 0);
}

// As many pairs as come to an end in so many seconds; what came of them.
std::string compare_random(std::uint64_t first, std::uint64_t most, double seconds) {
  Seeded rng(4);
  Tally tally;
  const double until = steady_seconds() + seconds;
  std::uint64_t seed = first;
  for (; seed < first + most && steady_seconds() < until; ++seed) {
    const auto pair = fuzz::random_pair(seed);
    compare({"original of pair " + std::to_string(seed), pair.original}, Drawn::Positive, rng,
            tally);
    compare({"mutant of pair " + std::to_string(seed), pair.mutant}, Drawn::Positive, rng, tally);
  }
  const std::uint64_t pairs = seed - first;
  CHECK(static_cast<std::uint64_t>(tally.compared) > pairs);
  CHECK(tally.beyond * 1000 <= tally.compared);
  return fmt::format("{} pairs: {} programs compared, {} refused, {} by roundings in functions",
                     pairs, tally.compared, tally.refused, tally.beyond);
}

constexpr double kForever = 1e9;

TEST_CASE("Random programs compute on the emulated device what they mean") {
  compare_random(1, PET_RANDOM_PROGRAMS, kForever);
}

TEST_CASE("A campaign of random programs on the emulated device", "[.full]") {
  const char* seconds = std::getenv("PET_CAMPAIGN_SECONDS");
  WARN(compare_random(1'000'000, 100'000, seconds != nullptr ? std::atof(seconds) : kForever));
}

}  // namespace
}  // namespace pet::test
