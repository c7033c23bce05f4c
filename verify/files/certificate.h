// A proof that somebody else can check without believing this program (theory: section 8). The
// format, and what a checker demands: certificate_checker/README.md.
#pragma once

#include <map>
#include <string>

#include "verify/bitmap/error_bound.h"
#include "verify/files/file_proof.h"

namespace pet {

// log2; the checker accepts no test that may be wrong more often.
inline constexpr double kLargestCertifiedError = ErrorBound::kAlone;

// What is true whether or not anybody checks it: who made it, when, what was changed.
using CertificateInfo = std::map<std::string, std::string>;

// The certificate of `verdict` on these two files, as JSON. An Error where there is none: the
// verdict is not Equivalent, or was reached in a way that the format has no words for.
// REQUIRES: prove_files(original, mutant, ...) gave `verdict`, with ProofOptions::record_test
Result<std::string> certificate_of(const Model& original, const Model& mutant,
                                   const FileVerdict& verdict, const FileProofOptions& options,
                                   const CertificateInfo& info);

}  // namespace pet
