#include "core/search/recorded_costs.h"

namespace pet {

TellingCosts::TellingCosts(OperatorCosts* measured, std::size_t threads, EventSink sink,
                           std::stop_token stop)
    : measured_(measured),
      estimated_(estimated_costs(threads)),
      sink_(std::move(sink)),
      stop_(std::move(stop)) {}

double TellingCosts::ms(const PricedOperator& priced) {
  if (measured_ == nullptr) return estimated_->ms(priced);
  const double out = measured_->ms(priced);
  // What a stop cut short has not happened.
  if (stop_.stop_requested()) return out;
  const Digest digest = digest_of(priced);
  if (told_.insert(digest).second) sink_(OperatorMeasured{digest.hex(), to_string(priced), out});
  return out;
}

ReplayedCosts::ReplayedCosts(const std::vector<OperatorMeasured>& told, OperatorCosts* live,
                             std::size_t threads)
    : live_(live), estimated_(estimated_costs(threads)) {
  for (const OperatorMeasured& one : told) told_.emplace(one.digest, one.ms);
}

double ReplayedCosts::ms(const PricedOperator& priced) {
  if (const auto known = told_.find(digest_of(priced).hex()); known != told_.end())
    return known->second;
  return live_ != nullptr ? live_->ms(priced) : estimated_->ms(priced);
}

}  // namespace pet
