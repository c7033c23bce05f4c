#include "app/pet-verify/run.h"

#include <fmt/format.h>

#include <array>

#include "app/common/command_line.h"
#include "app/pet-verify/bundle.h"
#include "app/pet-verify/report.h"
#include "app/pet-verify/watch.h"
#include "core/util/printable.h"
#include "verify/case_check.h"

namespace pet::app {
namespace {

int code_of(const Verdict& verdict) {
  if (verdict.engines_disagree) return kDisagreement;
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

Result<CaseOutcome> check(const Options& options, const FileProofOptions& proof,
                          std::span<EquivalenceChecker* const> engines) {
  if (options.files.size() == 1) {
    return check_case(options.files[0], engines, proof, options.reading);
  }
  const auto original = read_model(options.files[0], options.reading);
  if (!original) return original.error();
  const auto mutant = read_model(options.files[1], options.reading);
  if (!mutant) return mutant.error();
  const std::array<const Model*, 2> models = {&*original, &*mutant};
  if (auto known = check_shapes(options.reading.dimensions, models); !known)
    return std::move(known).error();
  return CaseOutcome{prove_files(*original, *mutant, engines, proof), false, {}};
}

int finish(const Error& error, const Options& options, const Run& run) {
  if (options.format == Format::Json) fmt::print("{}", json_report(error, run));
  return fail("pet-verify", error);
}

int finish(CaseOutcome outcome, const Options& options, Run run, Watch::Ended ended) {
  if (ended == Watch::Ended::Interrupted)
    return finish(Error{"stopped", ErrorKind::Stopped}, options, run);
  run.deviation = outcome.deviation;
  run.has_expectation = outcome.has_expectation;
  if (!outcome.verdict) {  // a case that cannot be read, as it expects
    if (options.format == Format::Json) {
      fmt::print("{}", json_report(Error{"cannot be read, as expected"}, run));
    } else {
      fmt::print("cannot be read, as expected\n");
    }
    return kDone;
  }
  Verdict& verdict = *outcome.verdict;
  if (ended == Watch::Ended::TimedOut && verdict.outcome == Outcome::Unknown) {
    verdict.reason = fmt::format("no answer within {} s", *options.timeout_seconds);
  }
  fmt::print(
      "{}", options.format == Format::Json ? json_report(verdict, run) : text_report(verdict, run));
  if (verdict.engines_disagree) return kDisagreement;
  if (outcome.has_expectation) return run.deviation.empty() ? kDone : kNotEqual;
  return code_of(verdict);
}

// What is needed to look into a defect of ours, beside the verdict that is told anyway.
void keep_disagreement(const Verdict& verdict, const Options& options, const Run& run,
                       std::span<const Recorder> engines) {
  const auto bundle = write_bundle(verdict, options, run, engines);
  if (!bundle) {
    fail("pet-verify", bundle.error());
    return;
  }
  fmt::print(stderr, "pet-verify: the engines disagree; {} holds what reproduces it\n",
             printable(bundle->string()));
}

}  // namespace

int run(const Options& options, std::span<EquivalenceChecker* const> engines) {
  Watch watch(options.timeout_seconds);
  FileProofOptions proof = options.proof;
  proof.proof.stop = watch.token();
  proof.proof.progress = [&watch](double fraction) { watch.progress(fraction); };
  std::vector<Recorder> recorders(engines.begin(), engines.end());
  std::vector<EquivalenceChecker*> recorded;
  for (Recorder& recorder : recorders) recorded.push_back(&recorder);
  auto outcome = check(options, proof, recorded);
  Run report{options.files, watch.seconds(), {}, false};
  if (!outcome) return finish(outcome.error(), options, report);
  if (outcome->verdict && outcome->verdict->engines_disagree)
    keep_disagreement(*outcome->verdict, options, report, recorders);
  return finish(*std::move(outcome), options, std::move(report), watch.ended());
}

}  // namespace pet::app
