// The fast evaluator over reals behind the same face as interpret.h, for comparing the two.
#pragma once

#include "core/eval/evaluate.h"
#include "tests/support/interpret.h"

namespace pet::test {

inline Result<Values> evaluate_fast(const Meaning& meaning, const std::vector<Values>& operands) {
  std::vector<LaneTensor<double>> tensors;
  for (const Values& values : operands) {
    tensors.emplace_back(values.shape, 1);
    std::ranges::transform(values.data, tensors.back().values().begin(),
                           [](Real x) { return static_cast<double>(x); });
  }
  std::vector<const LaneTensor<double>*> pointers;
  for (const auto& tensor : tensors) pointers.push_back(&tensor);
  auto out =
      RealEvaluator<double>(Signs::Signed, Functions::Computed, 1).evaluate(meaning, pointers);
  if (!out) return std::move(out).error();
  return Values{out->shape, {out->lane(0).begin(), out->lane(0).end()}};
}

}  // namespace pet::test
