// What the search asks (theory: section 6): the bitmap engine whether, the region engine where.
#pragma once

#include "verify/pairs/bitmap_checker.h"

namespace pet {

class SearchChecker final : public EquivalenceChecker {
 public:
  std::string_view name() const override { return "search"; }
  Verdict check(const Graph& original, const Graph& mutant, const ProofOptions& options) override {
    return bitmap_.check(original, mutant, options);
  }
  Result<Region> not_shown_equal(const Graph& original, const Graph& mutant,
                                 const std::stop_token& stop) override;

 private:
  BitmapChecker bitmap_;
};

}  // namespace pet
