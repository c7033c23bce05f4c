#include "core/search/promise.h"

#include <algorithm>

#include "core/util/median.h"

namespace pet {

double saved_ms(const Comparison& of_file) {
  return median(of_file.timing.a_ms) * (1 - 1 / of_file.ratio.median);
}

bool is_promising(const Comparison& first_look) {
  return first_look.decision == Decision::Faster ||
         (first_look.decision == Decision::Undecided && first_look.ratio.median > 1);
}

bool may_beat(double promised_ms, const Kept& file) {
  constexpr double kMissed = 1.1;
  const double share = file.promised_ms > 0 ? std::max(1.0, file.saved_ms / file.promised_ms) : 1;
  return promised_ms * share * kMissed >= file.saved_ms;
}

}  // namespace pet
