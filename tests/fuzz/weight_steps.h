// Steps in which an input x meets a value y that is computed from weights alone.
#pragma once

#include "tests/fuzz/step.h"

namespace pet::fuzz {

Step scaled_by(const Shape& shape, Rng& rng);
Step shifted_by(const Shape& shape, Rng& rng);
Step contracted(const Shape& shape, Rng& rng);
Step hidden(const Shape& shape, Rng& rng);

// Of weights, or of what follows from an input.
Step divided_by_number(const Shape& shape, Rng& rng);
Step weightless(const Shape& shape, Rng& rng);

}  // namespace pet::fuzz
