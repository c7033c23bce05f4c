// Files that leave their batch open: are two of them equal whatever it is?
#pragma once

#include <span>
#include <string>
#include <vector>

#include "verify/all_sizes/open_sizes.h"
#include "verify/files/file_proof.h"

namespace pet::all_sizes {

// `names` are all of one size, and of nothing else does it speak; `read` gives both files at that
// size, everything else being as it is wanted. Done: they are equal whatever it is, from 1 on,
// wherever both files hold programs; over the reals, and in floats as far as the engines say so at
// batches of 1 and 2. They are so many copies of one program each (copies.h); how a file reads at
// other sizes follows from a few of them where it is read by formulas (OpDef::reads_by_formula) and
// computes polynomials of its sizes (Reading::computed). Else an Error, which says why.
Status prove_for_all_batches(const std::vector<std::string>& names, const ReadAt& read,
                             std::span<Engine* const> engines, const FileProofOptions& options);

}  // namespace pet::all_sizes
