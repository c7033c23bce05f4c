// A plan on a device: memory, constants, machine code, plans of the libraries.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "gpu/device/device.h"
#include "gpu/device/products.h"
#include "gpu/device/tuning.h"
#include "gpu/launch/plan.h"

namespace pet::gpu {

// A way to compute a launch, and how long it took once; nothing where it failed.
struct Trial {
  std::int64_t engine = 0;
  std::vector<std::string> notes = {};
  std::size_t workspace = 0;
  std::optional<double> ms = {};
};

// Whether every result is filled with what is no number before it is written.
enum class Poison { No, Yes };

class DeviceProgram {
 public:
  // REQUIRES: the device outlives it. `memory`: of which ways are fast; what it does not know is
  // timed, and remembered there.
  static Result<std::unique_ptr<DeviceProgram>> load(const CudaDevice& device, Plan plan,
                                                     TuningMemory& memory);
  ~DeviceProgram();
  DeviceProgram(const DeviceProgram&) = delete;
  DeviceProgram& operator=(const DeviceProgram&) = delete;

  const Plan& plan() const { return plan_; }
  Result<std::vector<std::vector<float>>> run(std::span<const std::span<const float>> inputs,
                                              Poison poison);
  Status set_inputs(std::span<const std::span<const float>> inputs);
  // All launches of a run put into the stream, by one CUDA graph; poisoned before it, not inside.
  Status replay(Poison poison = Poison::No);
  // What is in the outputs now; waits.
  Result<std::vector<std::vector<float>>> outputs() const;
  // What was timed to choose how a launch is computed; empty where that was known.
  const std::vector<Trial>& trials(std::size_t launch) const;
  // The library's engine that was the fastest, in words; empty where no library computes it.
  std::string how(std::size_t launch) const;
  // One launch alone.
  Status issue(std::size_t launch);

 private:
  struct Ready;  // a launch with what it needs on the device

  DeviceProgram(const CudaDevice& device, Plan plan);
  Status prepare(TuningMemory& memory);
  Status take_memory();
  Status take_constants();
  Status compile_kernels();
  Status prepare_libraries();
  Status take_workspace();
  Status tune(TuningMemory& memory);
  std::string tuning_key(std::size_t launch) const;
  void tune_launch(std::size_t launch, TuningMemory& memory);
  std::optional<double> trial_ms(std::size_t launch, double best);
  Status run_once();
  Status capture();
  Status poison(BufferId buffer);
  Status poison_results();
  Status issue_kernel(const KernelLaunch& launch, const Ready& ready);
  Status issue_convolution(const Convolution& convolution, const Ready& ready);
  Status issue_product(const MatrixProduct& product, const Ready& ready);
  Address address(BufferId id) const;
  Address address(const std::optional<View>& view) const;

  const CudaDevice& device_;
  Plan plan_;
  Allocation arena_, workspace_;
  std::map<BufferId, Allocation> constants_;
  Module module_ = nullptr;
  std::vector<Ready> ready_;  // by launch
  GraphExec graph_ = nullptr;
};

// The text of all kernels of a plan; `names` by launch, empty where it is none.
std::string text_of_kernels(const Plan& plan, std::vector<std::string>& names);

}  // namespace pet::gpu
