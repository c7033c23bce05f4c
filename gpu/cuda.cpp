#include "gpu/cuda.h"

#include <fmt/format.h>

#include <algorithm>

#include "gpu/device/program.h"

namespace pet::gpu {
namespace {

// Memory that is written between runs, so that no cache holds what the next one reads.
class Eviction {
 public:
  explicit Eviction(const CudaDevice& device) : device_(device) {}

  Status operator()(std::size_t bytes) {
    if (bytes == 0) return Done{};
    const std::size_t needed = std::max(bytes, 2 * device_.facts().l2_cache);
    if (memory_.bytes() < needed) {
      auto more = device_.allocate(needed);
      if (!more) return std::move(more).error();
      memory_ = *std::move(more);
    }
    PET_DRIVER(device_.lib(),
               cuMemsetD32Async(memory_.address(), ++written_, memory_.bytes() / sizeof(unsigned),
                                device_.stream()),
               "evicting caches");
    return Done{};
  }

 private:
  const CudaDevice& device_;
  Allocation memory_;
  unsigned written_ = 0;
};

class CudaProgram final : public Runnable {
 public:
  CudaProgram(const CudaDevice& device, Eviction& evict, std::unique_ptr<DeviceProgram> program)
      : device_(device), evict_(evict), program_(std::move(program)) {}

  const Plan& plan() const override { return program_->plan(); }
  Result<std::vector<std::vector<float>>> run(std::span<const std::span<const float>> inputs,
                                              const std::stop_token&) override {
    return program_->run(inputs, Poison::No);
  }
  Status set_inputs(std::span<const std::span<const float>> inputs) override {
    return program_->set_inputs(inputs);
  }
  Result<double> time_ms(std::size_t evict_bytes) override {
    return timed(evict_bytes, [&] { return program_->replay(); });
  }
  Result<double> time_launch_ms(std::size_t launch, std::size_t evict_bytes) override {
    return timed(evict_bytes, [&] { return program_->issue(launch); });
  }

  std::string how(std::size_t launch) const override { return program_->how(launch); }

 private:
  template <class Work>
  Result<double> timed(std::size_t evict_bytes, const Work& work) {
    if (auto status = evict_(evict_bytes); !status) return std::move(status).error();
    Stopwatch watch(device_);
    if (auto status = watch.start(); !status) return std::move(status).error();
    if (auto status = work(); !status) return std::move(status).error();
    return watch.stop_ms();
  }

  const CudaDevice& device_;
  Eviction& evict_;
  std::unique_ptr<DeviceProgram> program_;
};

class CudaTarget final : public Device {
 public:
  CudaTarget(std::unique_ptr<CudaDevice> device, TuningMemory tuning)
      : device_(std::move(device)),
        evict_(*device_),
        tuning_(std::move(tuning)),
        refusal_(device_->refusal()) {
    const DeviceFacts& facts = device_->facts();
    info_ = {.name = device_->precision() == Precision::Fp32 ? "cuda" : "cuda tf32",
             .version = fmt::format("driver {}, {}", facts.driver, facts.libraries),
             .device = facts.name,
             .threads = 0,
             .options = {{"precision", device_->precision() == Precision::Fp32 ? "fp32" : "tf32"},
                         {"tuning", device_->tuning() == Tuning::Full ? "full" : "quick"}},
             .memory = device_->memory()};
  }

  const BackendInfo& info() const override { return info_; }
  const ConvolutionRefusal& refusal() const override { return refusal_; }
  std::optional<DeviceClocks> clocks() const override { return device_->clocks(); }
  bool is_lost() const override { return device_->is_lost(); }
  Result<std::unique_ptr<Runnable>> load(Plan plan) override {
    auto program = DeviceProgram::load(*device_, std::move(plan), tuning_);
    if (!program) return std::move(program).error();
    return std::unique_ptr<Runnable>(
        std::make_unique<CudaProgram>(*device_, evict_, *std::move(program)));
  }

 private:
  std::unique_ptr<CudaDevice> device_;
  Eviction evict_;
  TuningMemory tuning_;
  ConvolutionRefusal refusal_;
  BackendInfo info_;
};

}  // namespace

Result<std::unique_ptr<Device>> cuda_device(int number, const CudaOptions& options,
                                            const std::function<void(const std::string&)>& say) {
  auto device = CudaDevice::open(number, options);
  if (!device) return std::move(device).error();
  TuningMemory tuning(usual_tuning_file());
  if (tuning.skipped() > 0)
    say(fmt::format(
        "{}: {} broken and left out", usual_tuning_file().string(),
        tuning.skipped() == 1 ? "1 line is" : fmt::format("{} lines are", tuning.skipped())));
  return std::unique_ptr<Device>(
      std::make_unique<CudaTarget>(*std::move(device), std::move(tuning)));
}

}  // namespace pet::gpu
