// A Profiler that answers from estimated costs (core/cost): nothing is timed, so that a search is
// the same wherever and whenever it runs, and takes no time for it. Whoever shows its numbers says
// that they are estimates.
#pragma once

#include "core/backend/profiler.h"

namespace pet {

class EstimatingProfiler final : public Profiler {
 public:
  // `favour`: by how much candidates are taken to be faster than estimated.
  explicit EstimatingProfiler(double favour = 1) : favour_(favour) {}

  // An Error where a file cannot be read.
  Result<Comparison> compare(const std::filesystem::path& original,
                             const std::filesystem::path& candidate, std::stop_token stop) override;

 private:
  double favour_;
};

}  // namespace pet
