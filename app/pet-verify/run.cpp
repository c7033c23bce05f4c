#include "app/pet-verify/run.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/common/command_line.h"
#include "app/common/files.h"
#include "app/pet-verify/batch.h"
#include "app/pet-verify/junit.h"
#include "app/pet-verify/question_digest.h"
#include "app/pet-verify/reduce_pair.h"
#include "app/pet-verify/report.h"
#include "app/pet-verify/watch.h"
#include "core/util/printable.h"
#include "verify/certificate.h"

namespace pet::app {
namespace {

Status check_cache(const Options& options, bool one_pair) {
  if (options.cache.empty()) return Done{};
  if (one_pair) return Error{"--cache is of a batch", ErrorKind::Usage};
  for (const auto& file : options.files) {
    if (is_same_file(options.cache, file))
      return Error{fmt::format("{} would be written to", printable(file.string())),
                   ErrorKind::Usage};
  }
  if (!options.report.empty() && is_same_file(options.cache, options.report))
    return Error{"--cache and --report are two files", ErrorKind::Usage};
  return check_writable(options.cache);
}

// Before any work is done: none of it is lost for a file that cannot be written.
Status check_parts(const Options& options, bool one_pair) {
  const auto outputs = outputs_of_pair(options);
  if (!outputs.empty() && !one_pair)
    return Error{"--regions, --witness, --certificate and --reduce are of one pair",
                 ErrorKind::Usage};
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (auto writable = check_writable(outputs[i]); !writable) return writable;
    const auto is_this = [&](const auto& file) { return is_same_file(outputs[i], file); };
    if (std::any_of(options.files.begin(), options.files.end(), is_this) ||
        std::any_of(outputs.begin(), outputs.begin() + static_cast<std::ptrdiff_t>(i), is_this))
      return Error{fmt::format("{} would be written over", printable(outputs[i].string())),
                   ErrorKind::Usage};
  }
  if (!options.certificate.empty() && options.proof.proof.log2_error > kLargestCertifiedError)
    return Error{fmt::format("--certificate: nothing above 2^{} is certified; leave --error out",
                             kLargestCertifiedError),
                 ErrorKind::Usage};
  if (one_pair && !options.report.empty())
    return Error{"--report is of a batch; --format json prints the object of a pair",
                 ErrorKind::Usage};
  if (one_pair && options.shard.of > 1) return Error{"--shard is of a batch", ErrorKind::Usage};
  return check_cache(options, one_pair);
}

// The files that were asked for beside the report.
Status write_parts(const Answer& answer, const Options& options) {
  const Verdict& verdict = *answer.verdict;
  if (!options.regions.empty()) {
    if (auto done = write_text(options.regions, regions_report(verdict)); !done) return done;
  }
  if (!options.witness.empty()) {
    if (auto done = write_text(options.witness, witness_report(verdict)); !done) return done;
  }
  if (!options.certificate.empty() && !answer.certificate) {
    const bool is_equal = verdict.outcome == Outcome::Equivalent;
    fmt::print(stderr, "pet-verify: no certificate is written: {}\n",
               is_equal ? "the verdict is not as expected" : "the pair was not shown to be equal");
  }
  if (answer.certificate) {
    if (!*answer.certificate) return answer.certificate->error();
    if (auto done = write_text(options.certificate, **answer.certificate); !done) return done;
  }
  return Done{};
}

void print(const Question& question, const Answer& answer, const Options& options) {
  const int code = answer.exit_code();
  switch (options.format) {
    case Format::Json:
      fmt::print("{}", json_report(question, answer, options, Layout::Pretty));
      break;
    case Format::Junit: {
      Answer of_batch = answer;  // what is told of a pair there
      of_batch.question = question_digest(question, options);
      const Told pair = *told(json_report(question, of_batch, options, Layout::OneLine));
      fmt::print("{}", junit_report({&pair, 1}));
      break;
    }
    case Format::Text:
      if (code == kDone ? !options.quiet : answer.verdict.has_value())
        fmt::print("{}", text_report(answer, options));
      break;
  }
}

int verify_one(const Question& question, const Options& options, const MakeEngines& make_engines) {
  Watch watch;
  const Engines engines = make_engines();
  const Answer found = answer(question, options, pointers(engines), watch.token(),
                              [&watch](double fraction) { watch.progress(fraction); });
  if (watch.interrupted()) return fail("pet-verify", Error{"stopped", ErrorKind::Stopped});
  if (found.verdict) {
    if (auto written = write_parts(found, options); !written)
      return fail("pet-verify", written.error());
  }
  print(question, found, options);
  tell_disagreement(question, found);
  const int code = found.exit_code();
  if (!found.verdict && code != kDone) return fail("pet-verify", *found.error);
  if (options.reduce.empty()) return code;
  if (const auto why = nothing_to_reduce(found)) {
    fmt::print(stderr, "pet-verify: nothing is reduced: {}\n", *why);
    return code;
  }
  auto reduced = reduce_pair(question, options, found, pointers(engines), watch.token());
  if (reduced) return code;
  const int failed = fail("pet-verify", reduced.error());
  // The verdict stands where no smaller case shows the same.
  return reduced.error().kind == ErrorKind::Unsupported ? code : failed;
}

}  // namespace

int run(const Options& options, const MakeEngines& engines) {
  const bool one_pair = is_one_pair(options);
  if (auto parts = check_parts(options, one_pair); !parts) return fail("pet-verify", parts.error());
  const auto all = questions(options);
  if (!all) return fail("pet-verify", all.error());
  return one_pair ? verify_one(all->front(), options, engines)
                  : verify_batch(*all, options, engines);
}

}  // namespace pet::app
