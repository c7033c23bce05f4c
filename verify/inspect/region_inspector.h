// Answers by the region engine: symbolic, so at any size (PET, section 5.1, made exact).
#pragma once

#include "core/program/inspector.h"

namespace pet {

class RegionInspector final : public Inspector {
 public:
  Result<std::vector<InspectedOutput>> boxes(const Graph& original, const Graph& mutant,
                                             const std::stop_token& stop) override;
  Result<InspectedTerms> terms(const Graph& original, const Graph& mutant, std::size_t output,
                               const Shape& position, const std::stop_token& stop) override;
  Result<InspectedSplits> splits(const Graph& original, const Graph& mutant,
                                 const std::stop_token& stop) override;
  Result<InspectedSums> sums(const Graph& original, const Graph& mutant, ProgramSide side,
                             NodeId value, const std::stop_token& stop) override;
  Result<InspectedSums> sums(const Graph& original, const Graph& mutant, std::size_t output,
                             const std::stop_token& stop) override;
};

}  // namespace pet
