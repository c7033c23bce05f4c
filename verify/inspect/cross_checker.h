// The engines as checks that know nothing of one another.
#pragma once

#include "core/program/cross_check.h"

namespace pet {

class EngineCrossChecker final : public CrossChecker {
 public:
  explicit EngineCrossChecker(std::string solver = "z3") : solver_(std::move(solver)) {}

  Result<CrossAnswer> ask(CrossEngine engine, const Graph& original, const Graph& mutant,
                          double seconds, const std::stop_token& stop) override;
  Result<SmallTwin> small_twin(const Graph& original, const Graph& mutant,
                               std::span<const Move> moves, const std::stop_token& stop) override;
  Result<std::vector<PlantedPair>> plant(const Graph& original, const Graph& mutant,
                                         std::span<const Move> moves, std::size_t most,
                                         std::uint64_t seed, const std::stop_token& stop) override;
  Result<Reproduction> reproduce(const Graph& original, const Graph& mutant,
                                 const std::stop_token& stop) override;

 private:
  Verdict verdict_of(CrossEngine engine, const Graph& original, const Graph& mutant, double seconds,
                     const ProofOptions& options) const;

  std::string solver_;  // looked up in PATH
};

}  // namespace pet
