// Whether a mutant may be undefined where the original is not (theory: section 6, where it is
// defined).
#pragma once

#include "verify/region/expansion.h"

namespace pet::region {

// Whether the mutant applies every element function that is not total to arguments to which the
// original applies it too, and runs no operator without a meaning of ours that the original does
// not run. False: not, or it was not found out.
bool is_defined_with(Expander& original, Expander& mutant, const LeafTable& leaves);

}  // namespace pet::region
