// Costs of operators as somebody measured them, told as events and given again from them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/cost/operator_costs.h"
#include "core/search/events.h"

namespace pet {

// Tells what another one answers, once an operator.
class TellingCosts final : public OperatorCosts {
 public:
  // `measured`: null: costs are estimated, on so many threads, and nothing is told. REQUIRES: it
  // outlives this
  TellingCosts(OperatorCosts* measured, std::size_t threads, EventSink sink, std::stop_token stop);
  double ms(const PricedOperator& priced) override;

 private:
  OperatorCosts* measured_;
  std::unique_ptr<OperatorCosts> estimated_;
  EventSink sink_;
  std::stop_token stop_;
  std::set<Digest> told_;
};

// Answers what was told; what never was is asked of another one, or estimated where there is none.
class ReplayedCosts final : public OperatorCosts {
 public:
  // `live`: may be null. REQUIRES: it outlives this
  ReplayedCosts(const std::vector<OperatorMeasured>& told, OperatorCosts* live,
                std::size_t threads);
  double ms(const PricedOperator& priced) override;

 private:
  std::map<std::string, double> told_;
  OperatorCosts* live_;
  std::unique_ptr<OperatorCosts> estimated_;
};

}  // namespace pet
