// Adds one term to a tensor: by a matrix product where the term is a contraction, else by its
// loops.
#pragma once

#include <span>
#include <stop_token>

#include "core/eval/meaning_code.h"
#include "core/eval/ring.h"
#include "core/util/result.h"

namespace pet {

// out += term. Fails only where a prime divides the denominator of a coefficient (draw other
// primes), or where it was stopped: then `out` holds nothing of use.
template <class Ring>
Status add_term(const Ring& ring, const TermCode& term,
                std::span<const LaneTensor<typename Ring::Element>* const> operands,
                LaneTensor<typename Ring::Element>& out, std::size_t threads,
                const std::stop_token& stop);

}  // namespace pet
