#include "verify/pairs/search_checker.h"

#include "core/analysis/box_cover.h"
#include "verify/region/region_engine.h"

namespace pet {
namespace {

// Of writing both programs out: some hundredths of a second. Mutants of layers take a tenth of it.
constexpr std::size_t kMostSteps = 100'000;

}  // namespace

Result<Region> SearchChecker::not_shown_equal(const Graph& original, const Graph& mutant,
                                              const std::stop_token& stop) {
  ProofOptions options;
  options.stop = stop;
  auto regions = pet::not_shown_equal(original, mutant, options, kMostSteps);
  if (!regions) return std::move(regions).error();
  Region& found = regions->front();
  // As few boxes as the mutant's own views allow: what corrections are made of.
  Region fewer =
      region_of(found.points(), found.basis.shape(), basis_of_views(mutant, mutant.outputs()[0]));
  return std::move(fewer.empty() ? found : fewer);
}

}  // namespace pet
