// What needs NVIDIA's libraries, and no device: machine code of all kernels, plans of convolutions
// on a described device. Where they are not, the tests say so and end.
#include <fmt/format.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
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

// PET_RENEW=1 writes it; where there is none nothing is compared.
void compare_with_golden(const std::filesystem::path& file, const std::string& text) {
  if (std::getenv("PET_RENEW") != nullptr) std::ofstream(file) << text;
  std::ifstream in(file);
  if (!in) return;
  CHECK(text == std::string(std::istreambuf_iterator<char>(in), {}));
}

std::string description_of(const std::string& device) {
  std::ifstream file(fmt::format("{}/described-{}.json", PET_DEVICES, device));
  return {std::istreambuf_iterator<char>(file), {}};
}

// What is printed of the convolutions of one device, each once.
class Strictness {
 public:
  explicit Strictness(const std::string& device)
      : device_(device),
        target_{nullptr, description_of(device)},
        refusal_(gpu::refusal_of(libraries(), target_, gpu::Precision::Fp32)) {}

  void add(const Graph& graph) {
    const auto plan = gpu::lower(graph, refusal_);
    REQUIRE(plan.ok());
    for (const gpu::Launch& launch : plan->launches) {
      if (!launch.remark.empty() && seen_.insert(in_words(launch) + launch.remark).second)
        std::cout << device_ << ": " << in_words(launch) << ": " << launch.remark << "\n";
      const auto* convolution = std::get_if<gpu::Convolution>(&launch.what);
      if (convolution == nullptr || !seen_.insert(identity_of(launch)).second) continue;
      const auto plans = gpu::plans_of(libraries(), target_, *convolution, gpu::Precision::Fp32, 1);
      INFO(device_ << ": " << identity_of(launch));
      INFO((plans ? "" : plans.error().message));
      CHECK(plans.ok());
      ++planned_;
      if (plans) ++engines_[plans->front().engine];
    }
  }
  int planned() const { return planned_; }
  std::string table() const {
    std::string out = device_ + "\n";
    for (const auto& [engine, count] : engines_)
      out += fmt::format("  engine {} first for {}\n", engine, count);
    return out;
  }

 private:
  std::string device_;
  gpu::DnnTarget target_;
  gpu::ConvolutionRefusal refusal_;
  std::set<std::string> seen_;
  std::map<std::int64_t, int> engines_;
  int planned_ = 0;
};

constexpr std::array kDevices = {"a100", "rtx4090", "h100"};  // Ampere, Ada, Hopper

TEST_CASE("Every convolution of the mutants has a plan in strict fp32 on described devices") {
  if (lacks(libraries().cudnn_missing)) return;
  const auto programs = programs_of_cases(PET_CASES "/mutants");
  for (const char* device : kDevices) {
    Strictness strict(device);
    for (const Program& program : programs) strict.add(program.graph);
    CHECK(strict.planned() > 30);
  }
}

TEST_CASE("Quick tuning tries one of every engine, and fewer ways than there are") {
  if (lacks(libraries().cudnn_missing)) return;
  const gpu::DnnTarget target{nullptr, description_of("a100")};
  const gpu::View data{{}, {1, 64, 56, 56}, {64 * 56 * 56, 56 * 56, 56, 1}};
  const gpu::Convolution convolution{
      .data = data,
      .weight = {{}, {64, 64, 3, 3}, {576, 9, 3, 1}},
      .result = data,
      .slides = {{.taps = 3, .before = 1, .after = 1}, {.taps = 3, .before = 1, .after = 1}},
      .residual = {},
      .bias = {}};
  const auto engines = [&](gpu::Tuning tuning, std::size_t& ways) {
    const auto plans =
        gpu::plans_of(libraries(), target, convolution, gpu::Precision::Tf32, 1000, tuning);
    REQUIRE(plans.ok());
    ways = plans->size();
    std::set<std::int64_t> out;
    for (const auto& plan : *plans) out.insert(plan.engine);
    return out;
  };
  std::size_t few = 0, all = 0;
  CHECK(engines(gpu::Tuning::Quick, few) == engines(gpu::Tuning::Full, all));
  CHECK(few < all);
}

// At full size, but for the weights: what decides is extents.
TEST_CASE("Every convolution of the models has a plan in strict fp32 on described devices") {
  if (lacks(libraries().cudnn_missing)) return;
  std::vector<Strictness> strict(kDevices.begin(), kDevices.end());
  const testing::ScratchFolder folder;
  for (const std::int64_t batch : {1, 16}) {
    for (const std::string name : {"resnet18", "csrnet", "inception-v3", "resnet3d18"}) {
      const auto file = folder / (name + ".onnx");
      REQUIRE(datasets::build_model({.name = name, .batch = batch}, file).ok());
      const auto model = read_model(file);
      REQUIRE(model.ok());
      for (Strictness& one : strict) one.add(model->graph);
    }
  }
  std::string table;
  for (const Strictness& one : strict) {
    CHECK(one.planned() > 100);
    table += one.table();
  }
  // Another version of cuDNN has another table, and another file.
  compare_with_golden(fmt::format("{}/cudnn-{}.txt", PET_PLANS, libraries().cudnnGetVersion()),
                      table);
}

}  // namespace
}  // namespace pet::test
