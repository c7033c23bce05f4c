// Side conditions found from where a rule was right and where it was not.
#pragma once

#include <optional>
#include <span>
#include <stop_token>

#include "core/rewrite/condition.h"

namespace pet::rules {

// What was seen at one instance.
struct Sample {
  std::vector<Quantity> quantities;  // the same ones of every sample
  bool right = false;
};

// One of as few atoms as can be that holds at all samples that are right and at none that are not.
// Nothing where no few of them do, where too many would have to be tried, or `stop` asks for it.
std::optional<Condition> find_condition(std::span<const Sample> samples,
                                        const std::stop_token& stop = {});

}  // namespace pet::rules
