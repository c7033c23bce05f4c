// A Backend over a Device: reads ONNX files, lowers them to launches, runs and times them.
#pragma once

#include <map>
#include <memory>

#include "core/backend/backend.h"
#include "gpu/device_port.h"
#include "gpu/lower/lower.h"

namespace pet::gpu {

class GpuBackend final : public Backend {
 public:
  explicit GpuBackend(std::unique_ptr<Device> device, Fusion fusion = Fusion::All);
  ~GpuBackend() override;

  // Times of what is fused are never compared with those of what is not: the name says which.
  const BackendInfo& info() const override { return info_; }
  bool is_lost() const override { return device_->is_lost(); }
  Result<LoadedModel> load(const std::filesystem::path& file, const LoadOptions& options,
                           std::stop_token stop = {}) override;
  void unload(ModelId model) override;
  Result<std::vector<NamedTensor>> run(ModelId model, std::span<const NamedTensor> inputs,
                                       std::stop_token stop = {}) override;
  Result<PairTiming> time_pair(ModelId a, ModelId b, const PairPlan& plan,
                               std::stop_token stop = {}) override;
  // Launches are called after what they are, and the type of a launch is the values it yields.
  Result<OperatorProfile> profile(ModelId model, const ProfilePlan& plan,
                                  std::stop_token stop = {}) override;

 private:
  struct Loaded;
  Loaded& loaded(ModelId model);

  std::unique_ptr<Device> device_;
  Fusion fusion_;
  BackendInfo info_;
  std::map<ModelId, std::unique_ptr<Loaded>> models_;
  std::size_t next_ = 0;
};

}  // namespace pet::gpu
