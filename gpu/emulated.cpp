#include "gpu/device_port.h"
#include "gpu/emulate/device.h"

namespace pet::gpu {
namespace {

Error no_times() {
  return {
      "an emulated device has no times: nothing of a GPU's speed can be read off a processor; "
      "give a worker on a machine with an NVIDIA GPU (--worker), or a stored profile",
      ErrorKind::Unsupported};
}

class EmulatedProgram final : public Runnable {
 public:
  explicit EmulatedProgram(Plan plan) : plan_(std::move(plan)) {}

  const Plan& plan() const override { return plan_; }
  Result<std::vector<std::vector<float>>> run(std::span<const std::span<const float>> inputs,
                                              const std::stop_token& stop) override {
    return emulate(plan_, inputs, stop);
  }
  Status set_inputs(std::span<const std::span<const float>>) override { return Done{}; }
  Result<double> time_ms(std::size_t) override { return no_times(); }
  Result<double> time_launch_ms(std::size_t, std::size_t) override { return no_times(); }
  std::string how(std::size_t) const override { return {}; }

 private:
  Plan plan_;
};

class EmulatedDevice final : public Device {
 public:
  explicit EmulatedDevice(const std::string& version)
      : info_{.name = "cuda emulated",
              .version = version,
              .device = "no GPU",
              .threads = 0,
              .options = {{"precision", "fp32"}}} {}

  const BackendInfo& info() const override { return info_; }
  const ConvolutionRefusal& refusal() const override { return nothing_refused_; }
  std::optional<DeviceClocks> clocks() const override { return std::nullopt; }
  bool is_lost() const override { return false; }
  Result<std::unique_ptr<Runnable>> load(Plan plan) override {
    return std::unique_ptr<Runnable>(std::make_unique<EmulatedProgram>(std::move(plan)));
  }

 private:
  BackendInfo info_;
  ConvolutionRefusal nothing_refused_;
};

}  // namespace

std::unique_ptr<Device> emulated_device(const std::string& version) {
  return std::make_unique<EmulatedDevice>(version);
}

}  // namespace pet::gpu
