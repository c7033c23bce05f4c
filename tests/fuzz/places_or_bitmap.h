// Two programs as they are proved in files: place by place, however small they are, and by the
// bitmap engine where places do not know.
#pragma once

#include <cstdint>

#include "verify/pairs/bitmap_checker.h"
#include "verify/places/prove.h"

namespace pet::fuzz {

class PlacesOrBitmap final : public EquivalenceChecker {
 public:
  std::string_view name() const override { return "places"; }
  Verdict check(const Graph& original, const Graph& mutant, const ProofOptions& options) override {
    const places::Answer answer = places::prove(original, mutant, options);
    const auto& places = answer.report.places;
    if (!answer.verdict) return BitmapChecker().check(original, mutant, options);
    if (answer.verdict->outcome != Outcome::Equivalent) return *answer.verdict;
    shown_ += places.empty() ? 0U : 1U;
    with_several_ += places.size() > 1 ? 1U : 0U;
    return *answer.verdict;
  }
  std::uint64_t shown() const { return shown_; }  // pairs, by one place at least
  std::uint64_t with_several() const { return with_several_; }

 private:
  std::uint64_t shown_ = 0;
  std::uint64_t with_several_ = 0;
};

}  // namespace pet::fuzz
