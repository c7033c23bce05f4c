#include <fmt/format.h>

#include <algorithm>

#include "app/device_check/phases.h"
#include "core/backend/measuring_profiler.h"
#include "core/backend/scratch_folder.h"
#include "core/util/median.h"
#include "datasets/models/models.h"
#include "gpu/backend.h"
#include "gpu/cuda.h"
#include "gpu/device/compile.h"
#include "gpu/device/products.h"

namespace pet::app {
namespace {

constexpr int kRounds = 9;
constexpr int kSelfComparisons = 20;
constexpr int kComparisonMs = 400;

// The median of several timings of what `work` puts into the stream.
template <class Work>
Result<double> median_ms(const CudaDevice& device, const Work& work) {
  std::vector<double> times;
  for (int i = -2; i < kRounds; ++i) {
    Stopwatch watch(device);
    if (auto status = watch.start(); !status) return std::move(status).error();
    if (auto status = work(); !status) return std::move(status).error();
    const auto ms = watch.stop_ms();
    if (!ms) return ms.error();
    if (i >= 0) times.push_back(*ms);
  }
  return median(times);
}

Result<double> copy_gb_per_s(const CudaDevice& device) {
  constexpr std::size_t kBytes = std::size_t{512} << 20;
  const auto from = device.allocate(kBytes);
  if (!from) return from.error();
  const auto to = device.allocate(kBytes);
  if (!to) return to.error();
  const auto ms = median_ms(device, [&]() -> Status {
    PET_DRIVER(device.lib(),
               cuMemcpyDtoDAsync_v2(to->address(), from->address(), kBytes, device.stream()),
               "copying");
    return Done{};
  });
  if (!ms) return ms.error();
  return 2 * static_cast<double>(kBytes) / *ms / 1e6;
}

Result<double> product_tflops(const CudaDevice& device) {
  constexpr Dim kSize = 4096;
  constexpr std::size_t kBytes = kSize * kSize * sizeof(float);
  const View square{{}, {1, kSize, kSize}, {0, kSize, 1}};
  const MatrixProduct product{
      .left = square, .right = square, .result = square, .bias = {}, .residual = {}};
  constexpr std::size_t kWorkspace = std::size_t{64} << 20;
  const auto plan = ProductPlan::make(device, product, kWorkspace, 1);
  if (!plan) return plan.error();
  const auto memory = device.allocate(3 * kBytes + kWorkspace);
  if (!memory) return memory.error();
  const Address at = memory->address();
  PET_DRIVER(device.lib(), cuMemsetD32Async(at, 0, 3 * kBytes / sizeof(float), device.stream()),
             "clearing");
  const auto ms = median_ms(device, [&] {
    return (*plan)->execute(
        {.left = at, .right = at + kBytes, .result = at + 2 * kBytes, .workspace = at + 3 * kBytes},
        0);
  });
  if (!ms) return ms.error();
  return 2.0 * kSize * kSize * kSize / *ms / 1e9;
}

// Of one launch among many that do nothing.
Result<double> launch_us(const CudaDevice& device) {
  constexpr int kLaunches = 1000;
  const auto code = compile(device.lib(), "extern \"C\" __global__ void nothing() {}",
                            device.facts().architecture);
  if (!code) return code.error();
  Module module = nullptr;
  Function nothing = nullptr;
  PET_DRIVER(device.lib(), cuModuleLoadData(&module, code->image.data()), "loading a kernel");
  PET_DRIVER(device.lib(), cuModuleGetFunction(&nothing, module, "nothing"), "finding a kernel");
  const auto ms = median_ms(device, [&]() -> Status {
    for (int i = 0; i < kLaunches; ++i)
      PET_DRIVER(device.lib(),
                 cuLaunchKernel(nothing, 1, 1, 1, 1, 1, 1, 0, device.stream(), nullptr, nullptr),
                 "starting a kernel");
    return Done{};
  });
  device.lib().cuModuleUnload(module);
  if (!ms) return ms.error();
  return *ms * 1000 / kLaunches;
}

// How many of so many comparisons of a file with itself say that one of the two is faster.
Result<int> decided_against_itself(const CudaDevice& device, const TimeLeft& seconds_left,
                                   int& made) {
  const auto folder = ScratchFolder::make("pet_device_check");
  if (!folder) return folder.error();
  const auto file = folder->path() / "model.onnx";
  if (auto built = datasets::build_model({.name = "pair"}, file); !built)
    return std::move(built).error();
  auto opened = cuda_device(device.number(), {.precision = device.precision()});
  if (!opened) return std::move(opened).error();
  GpuBackend backend(*std::move(opened));
  MeasuringProfiler profiler(backend, {.budget = std::chrono::milliseconds(kComparisonMs),
                                       .least_rounds = 0,
                                       .batch = std::chrono::milliseconds(kComparisonMs / 4)});
  int decided = 0;
  for (made = 0; made < kSelfComparisons && seconds_left() > 2; ++made) {
    const auto comparison = profiler.compare(file, file, {});
    if (!comparison) return comparison.error();
    decided += comparison->decision == Decision::Faster || comparison->decision == Decision::Slower
                   ? 1
                   : 0;
  }
  return decided;
}

}  // namespace

PhaseResult facts(const CudaDevice& device, const TimeLeft& seconds_left) {
  const DeviceFacts& known = device.facts();
  PhaseResult out;
  out.json = {{"device", known.name},
              {"architecture", known.architecture},
              {"driver", known.driver},
              {"libraries", known.libraries},
              {"memory", known.memory},
              {"l2_cache", known.l2_cache},
              {"properties", Json::parse(known.description, nullptr, false)}};
  const auto measure = [&](const char* name, Result<double> (*what)(const CudaDevice&)) {
    if (seconds_left() < 5) return;
    const auto number = what(device);
    if (number) {
      out.json[name] = *number;
      out.line += fmt::format(", {} {:.1f}", name, *number);
      return;
    }
    ++out.wrong;
    out.json[name] = number.error().message;
    out.line += fmt::format(", {}: {}", name, number.error().message);
  };
  measure("copy_gb_per_s", copy_gb_per_s);
  measure("fp32_tflops", product_tflops);
  measure("launch_us", launch_us);
  int made = 0;
  const auto decided = decided_against_itself(device, seconds_left, made);
  if (decided) {
    out.wrong += *decided;
    out.line += fmt::format(", {} of {} comparisons with itself decided", *decided, made);
    out.json["comparisons_with_itself"] = made;
    out.json["decided"] = *decided;
  } else {
    ++out.wrong;
    out.line += fmt::format(", comparisons with itself: {}", decided.error().message);
  }
  out.line = known.name + ", " + known.libraries + out.line;
  return out;
}

}  // namespace pet::app
