#include "app/pet-verify/answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "app/common/command_line.h"
#include "app/common/deadline.h"
#include "app/pet-verify/bundle.h"
#include "verify/certificate.h"

namespace pet::app {
namespace {

int code_of(const Verdict& verdict) {
  switch (verdict.outcome) {
    case Outcome::Equivalent:
      return kDone;
    case Outcome::EquivalentUpToConstants:
    case Outcome::Partial:
    case Outcome::Different:
    case Outcome::ShapeMismatch:
      return kNotEqual;
    case Outcome::Unknown:
      return kFailed;
    case Outcome::Unsupported:
      return kBadInput;
  }
  return kFailed;
}

// Also fills in the certificate.
Result<CaseOutcome> check(const Question& question, const FileProofOptions& proof,
                          std::span<EquivalenceChecker* const> engines, Answer& answer) {
  if (question.files.size() == 1)
    return check_case(question.files[0], engines, proof, question.reading);
  const auto original = read_model(question.files[0], question.reading);
  if (!original) return original.error();
  const auto mutant = read_model(question.files[1], question.reading);
  if (!mutant) return mutant.error();
  const std::array<const Model*, 2> models = {&*original, &*mutant};
  if (auto known = check_shapes(question.reading.dimensions, models); !known)
    return std::move(known).error();
  CaseOutcome out{prove_files(*original, *mutant, engines, proof), false, {}};
  if (proof.proof.record_test && out.verdict->outcome == Outcome::Equivalent) {
    answer.certificate = certificate_of(
        *original, *mutant, *out.verdict, proof,
        {{"tool", "pet-verify " PET_VERSION}, {"proof_seed", out.verdict->proof_seed}});
  }
  return out;
}

// What a manifest expects stands above what the case says itself.
void compare(const Expectation& expected, Answer& answer) {
  if (!answer.deviation.empty() && !answer.has_expectation) return;  // not even equal to itself
  answer.has_expectation = true;
  answer.deviation =
      answer.verdict ? deviation(expected, *answer.verdict) : deviation(expected, *answer.error);
}

}  // namespace

int Answer::exit_code() const {
  if (verdict && verdict->engines_disagree) return kDisagreement;
  if (has_expectation && deviation.empty()) return kDone;
  if (!verdict) return app::code_of(error->kind);
  return has_expectation ? kNotEqual : code_of(*verdict);
}

int worst(int a, int b) {
  constexpr std::array kOrder = {kDisagreement, kNotEqual, kBadInput, kFailed, kDone};
  const auto rank = [&](int code) { return std::find(kOrder.begin(), kOrder.end(), code); };
  return rank(a) <= rank(b) ? a : b;
}

Answer answer(const Question& question, const Options& options,
              std::span<EquivalenceChecker* const> engines, const std::stop_token& stop,
              const std::function<void(double fraction)>& progress) {
  const auto start = std::chrono::steady_clock::now();
  std::optional<Deadline> deadline;
  if (options.timeout_seconds) deadline.emplace(*options.timeout_seconds, stop);
  FileProofOptions proof = options.proof;
  proof.outputs = question.outputs;
  proof.proof.stop = deadline ? deadline->token() : stop;
  proof.proof.progress = progress;
  std::vector<Recorder> recorders(engines.begin(), engines.end());
  std::vector<EquivalenceChecker*> recorded;
  for (Recorder& recorder : recorders) recorded.push_back(&recorder);
  Answer out;
  auto outcome = check(question, proof, recorded, out);
  if (outcome) {
    out.verdict = std::move(outcome->verdict);
    out.has_expectation = outcome->has_expectation;
    out.deviation = std::move(outcome->deviation);
    if (!out.verdict) out.error = Error{"cannot be read, as expected"};
  } else {
    out.error = outcome.error();
  }
  if (question.expected) compare(*question.expected, out);
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (!out.verdict) return out;
  if (deadline && deadline->is_over() && out.verdict->outcome == Outcome::Unknown)
    out.verdict->reason = fmt::format("no answer within {} s", *options.timeout_seconds);
  if (out.verdict->engines_disagree)
    out.kept = write_bundle(question, options, out.verdict->reason, recorders);
  return out;
}

}  // namespace pet::app
