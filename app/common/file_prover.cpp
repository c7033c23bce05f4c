#include "app/common/file_prover.h"

#include <fmt/format.h>

#include "app/common/machine.h"
#include "core/util/deadline.h"
#include "verify/files/certificate.h"
#include "verify/files/file_proof.h"

namespace pet::app {
namespace {

Result<std::string> certificate_for(const Model& original, const Model& written,
                                    const FileVerdict& verdict, const FileProofOptions& how) {
  return certificate_of(original, written, verdict, how,
                        {{"tool", "pet " PET_VERSION}, {"proof_seed", verdict.proof_seed}});
}

}  // namespace

Result<FileVerdict> CertifyingProver::prove(const Model& original, const Model& written,
                                            double log2_error) {
  FileProofOptions how;
  how.proof.log2_error = log2_error;
  how.proof.threads = all_threads();
  const Deadline deadline(options_.budget_s, options_.stop);
  how.proof.stop = deadline.token();
  how.proof.progress = options_.progress;
  how.proof.record_test = options_.certifies;
  FileVerdict verdict = prove_files(original, written, how);
  if (options_.certifies && verdict.outcome == Outcome::Equivalent)
    certificate_ = certificate_for(original, written, verdict, how);
  if (options_.stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  if (deadline.is_over() && verdict.outcome == Outcome::Unknown)
    verdict.reason = fmt::format("the proof took more than {:.0f} s", options_.budget_s);
  return verdict;
}

void CertifyingProver::certify_copy(const Model& model) {
  if (options_.certifies) certificate_ = certificate_for(model, model, proof_of_copy(model), {});
}

}  // namespace pet::app
