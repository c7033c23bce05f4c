#include "core/run/record.h"

#include <cmath>

namespace pet {

Speedup speedup_of(const Ratio& ratio) {
  return {ratio.median, ratio.low,
          std::isfinite(ratio.high) ? std::optional(ratio.high) : std::nullopt};
}

}  // namespace pet
