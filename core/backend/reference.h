// The Backend that is always there: evaluates programs in this process from the operators'
// definitions, in double precision. Slow, and right by the same definitions that proofs rest on.
// Floats only; a node that it has no definition for, or that computes with other types, is an Error
// that names it.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "core/backend/backend.h"
#include "core/eval/ring.h"

namespace pet {

class ReferenceBackend final : public Backend {
 public:
  // `info`: what reports and caches know it by.
  explicit ReferenceBackend(BackendInfo info);
  ~ReferenceBackend() override;

  const BackendInfo& info() const override { return info_; }
  Result<LoadedModel> load(const std::filesystem::path& file, const LoadOptions& options,
                           std::stop_token stop = {}) override;
  void unload(ModelId model) override;
  Result<std::vector<NamedTensor>> run(ModelId model, std::span<const NamedTensor> inputs,
                                       std::stop_token stop = {}) override;
  Result<PairTiming> time_pair(ModelId a, ModelId b, const PairPlan& plan,
                               std::stop_token stop = {}) override;
  // Operators are called after their nodes, or what those yield where they have no name.
  Result<OperatorProfile> profile(ModelId model, const ProfilePlan& plan,
                                  std::stop_token stop = {}) override;

 private:
  struct Loaded;
  using Values = std::vector<std::shared_ptr<const LaneTensor<double>>>;  // by node

  const Loaded& loaded(ModelId model) const;
  static Result<Values> drawn(const Loaded& it, std::uint64_t seed);

  BackendInfo info_;
  std::map<ModelId, std::unique_ptr<Loaded>> models_;
  std::size_t next_ = 0;
};

}  // namespace pet
