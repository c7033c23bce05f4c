// Port: something that holds programs as launches, runs them and times them.
#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "core/backend/backend.h"
#include "gpu/launch/plan.h"

namespace pet::gpu {

// A plan made ready on a device.
class Runnable {
 public:
  virtual ~Runnable() = default;
  virtual const Plan& plan() const = 0;
  // The outputs, in the plan's order. REQUIRES: as many inputs as the plan has, of their sizes
  virtual Result<std::vector<std::vector<float>>> run(
      std::span<const std::span<const float>> inputs, const std::stop_token& stop) = 0;
  // Keeps them for timings.
  virtual Status set_inputs(std::span<const std::span<const float>> inputs) = 0;
  // Of one run; caches hold nothing of it before.
  virtual Result<double> time_ms(std::size_t evict_bytes) = 0;
  // Of one launch alone.
  virtual Result<double> time_launch_ms(std::size_t launch, std::size_t evict_bytes) = 0;
  // Which way it is computed in, in words; empty where there is one alone.
  virtual std::string how(std::size_t launch) const = 0;
};

class Device {
 public:
  virtual ~Device() = default;
  virtual const BackendInfo& info() const = 0;
  // Convolutions that it computes only as generated kernels; plans are lowered by it.
  virtual const ConvolutionRefusal& refusal() const = 0;
  virtual Result<std::unique_ptr<Runnable>> load(Plan plan) = 0;
  // At this moment, where it says it.
  virtual std::optional<DeviceClocks> clocks() const = 0;
  virtual bool is_lost() const = 0;
};

// Of this machine's processor: it computes, and knows no times.
std::unique_ptr<Device> emulated_device(const std::string& version);

}  // namespace pet::gpu
