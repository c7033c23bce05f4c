// What needs NVIDIA's libraries, and no device: machine code of all kernels, plans of convolutions
// on a described device. Where they are not, the tests say so and end.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <iostream>
#include <set>

#include "core/onnx/model.h"
#include "datasets/models/models.h"
#include "gpu/device/compile.h"
#include "gpu/device/convolutions.h"
#include "gpu/kernel/print_cuda.h"
#include "gpu/lower/lower.h"
#include "tests/gpu/programs.h"
#include "tests/support/scratch_folder.h"

namespace pet::test {
namespace {

using gpu::libraries;

bool lacks(const std::string& missing) {
  if (missing.empty()) return false;
  std::cout << "skipped: " << missing << "\n";
  return true;
}

std::vector<gpu::Launch> launches_of_all_cases() {
  std::vector<gpu::Launch> out;
  for (const char* folder : {PET_CASES "/ops", PET_CASES "/mutants"}) {
    for (const Program& program : programs_of_cases(folder)) {
      const auto plan = gpu::lower(program.graph);
      if (plan) out.insert(out.end(), plan->launches.begin(), plan->launches.end());
    }
  }
  return out;
}

TEST_CASE("Every kernel becomes machine code, without a warning, a spill or a stack frame") {
  if (lacks(libraries().nvrtc_missing)) return;
  std::set<std::string> seen;
  std::string text = gpu::cuda_prelude();
  for (const gpu::Launch& launch : launches_of_all_cases()) {
    const auto* kernel = std::get_if<gpu::KernelLaunch>(&launch.what);
    if (kernel == nullptr || !seen.insert(print_cuda(kernel->kernel, "k")).second) continue;
    text += print_cuda(kernel->kernel, fmt::format("k{}", seen.size()));
  }
  for (const int architecture : {80, 90}) {
    const auto code = gpu::compile(libraries(), text, architecture);
    INFO((code ? code->log.substr(0, 2000) : code.error().message));
    REQUIRE(code.ok());
    CHECK(code->log.find("warning") == std::string::npos);
    std::istringstream lines(code->log);
    for (std::string line; std::getline(lines, line);) {
      const bool has_frame =
          line.find("bytes stack frame") != std::string::npos &&
          line.find(" 0 bytes stack frame") == std::string::npos &&
          line.find("0 bytes stack frame, 0 bytes spill stores") == std::string::npos;
      CHECK_FALSE(has_frame);
    }
  }
}

// At full size, but for weights: what decides is extents.
std::vector<gpu::Launch> launches_of_models() {
  std::vector<gpu::Launch> out;
  const testing::ScratchFolder folder;
  for (const std::int64_t batch : {1, 16}) {
    for (const std::string name : {"resnet18", "csrnet", "densenet121", "resnet3d18"}) {
      const auto file = folder / (name + ".onnx");
      const bool is_video = name == "resnet3d18";
      datasets::ModelRequest request{.name = name, .batch = batch};
      if (is_video) request.frames = 8;
      REQUIRE(datasets::build_model(request, file).ok());
      const auto model = read_model(file);
      REQUIRE(model.ok());
      const auto plan = gpu::lower(model->graph);
      REQUIRE(plan.ok());
      out.insert(out.end(), plan->launches.begin(), plan->launches.end());
    }
  }
  return out;
}

// Each has a plan, or cuDNN offers none for it in strict fp32, which is said; nearly all have one.
void check_plans(const std::vector<gpu::Launch>& launches) {
  std::ifstream file(PET_DEVICES "/described-h100.json");
  const gpu::DnnTarget target{nullptr, {std::istreambuf_iterator<char>(file), {}}};
  std::set<std::string> seen;
  std::size_t planned = 0;
  for (const gpu::Launch& launch : launches) {
    const auto* convolution = std::get_if<gpu::Convolution>(&launch.what);
    if (convolution == nullptr || !seen.insert(identity_of(launch)).second) continue;
    const auto plans = gpu::plans_of(libraries(), target, *convolution, gpu::Precision::Fp32, 2);
    planned += static_cast<std::size_t>(plans.ok());
    if (plans.ok()) continue;
    INFO(plans.error().message);
    CHECK(plans.error().message.find("none is offered") != std::string::npos);
    std::cout << identity_of(launch) << ": " << plans.error().message << "\n";
  }
  CHECK(20 * planned >= 19 * seen.size());
}

TEST_CASE("Every convolution of the cases has a plan in strict fp32 on a described device") {
  if (lacks(libraries().cudnn_missing)) return;
  check_plans(launches_of_all_cases());
}

TEST_CASE("Every convolution of the models has a plan in strict fp32 on a described device") {
  if (lacks(libraries().cudnn_missing)) return;
  check_plans(launches_of_models());
}

}  // namespace
}  // namespace pet::test
