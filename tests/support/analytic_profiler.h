// A Profiler that answers from estimated costs: nothing is timed, so that a search is the same
// wherever and whenever it runs.
#pragma once

#include <cmath>

#include "core/backend/profiler.h"
#include "core/cost/analytic.h"
#include "core/onnx/model.h"

namespace pet::testing {

class AnalyticProfiler final : public Profiler {
 public:
  // `favour`: by how much candidates are taken to be faster than estimated.
  explicit AnalyticProfiler(double favour = 1) : favour_(favour) {}

  Result<Comparison> compare(const std::filesystem::path& original,
                             const std::filesystem::path& candidate, std::stop_token) override {
    const auto a = estimate(original, 1);
    if (!a) return a.error();
    const auto b = estimate(candidate, favour_);
    if (!b) return b.error();
    Comparison out;
    out.timing = {{*a, *a}, {*b, *b}};
    const double ratio = *a / *b;
    out.ratio = {ratio, ratio, ratio};
    out.decision = ratio > 1.02 ? Decision::Faster : ratio < 1 ? Decision::Slower : Decision::Tie;
    return out;
  }

 private:
  // In whole nanoseconds. Calls cost nothing, so that something is faster in small models too.
  static Result<double> estimate(const std::filesystem::path& file, double favour) {
    const auto model = read_model(file);
    if (!model) return model.error();
    MachineModel machine;
    machine.ms_per_operator = 0;
    return std::round(analytic_ms(work_of(model->graph), machine) / favour * 1e6) / 1e6;
  }

  double favour_;
};

}  // namespace pet::testing
