#include "app/pet-verify/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "app/common/command_line.h"
#include "app/common/files.h"
#include "app/pet-verify/batch.h"
#include "app/pet-verify/junit.h"
#include "app/pet-verify/question_digest.h"
#include "app/pet-verify/reduce_pair.h"
#include "app/pet-verify/report.h"
#include "app/pet-verify/watch.h"
#include "core/util/printable.h"
#include "verify/files/certificate.h"

namespace pet::app {
namespace {

// What `path` begins with; empty where there is nothing.
std::string begin_of(const std::filesystem::path& path, std::size_t length) {
  std::error_code failure;
  if (!std::filesystem::is_regular_file(path, failure)) return {};
  std::ifstream stream(path, std::ios::binary);
  std::string out(length, ' ');
  stream.read(out.data(), static_cast<std::streamsize>(length));
  out.resize(static_cast<std::size_t>(stream.gcount()));
  return out;
}

// Nothing but a cache is appended to: a slip of the hand may name a model, or its weights.
Status check_cache(const Options& options, bool one_pair) {
  if (options.cache.empty()) return Done{};
  if (one_pair) return Error{"--cache is of a batch", ErrorKind::Usage};
  if (!options.report.empty() && is_same_file(options.cache, options.report))
    return Error{"--cache and --report are two files", ErrorKind::Usage};
  if (!VerdictCache::is_one(options.cache))
    return Error{
        fmt::format("{} is no cache and would be written to", printable(options.cache.string())),
        ErrorKind::Usage};
  return check_writable(options.cache);
}

// Two programs that a certificate speaks of take the place of its own older ones alone.
Status check_certified_programs(const Options& options) {
  if (options.certificate.empty() || options.files.size() != 1) return Done{};
  constexpr std::size_t kFirstLine = 64;
  if (begin_of(options.certificate, kFirstLine).find("pet-certificate/") != std::string::npos)
    return Done{};
  const auto [a, b] = certified_programs(options);
  for (const auto& program : {a, b}) {
    std::error_code failure;
    if (std::filesystem::exists(program, failure))
      return Error{fmt::format("{} would be written over", printable(program.string())),
                   ErrorKind::Usage};
  }
  return Done{};
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
  // Nobody is to choose what a proof draws until it says what he wants (theory: section 5).
  if (!options.certificate.empty() && options.seed_given)
    return Error{"--certificate: a proof whose seed was chosen is not certified; leave --seed out",
                 ErrorKind::Usage};
  if (!options.certificate.empty() && options.proof.proof.log2_error > kLargestCertifiedError)
    return Error{fmt::format("--certificate: nothing above 2^{} is certified; leave --error out",
                             kLargestCertifiedError),
                 ErrorKind::Usage};
  if (one_pair && !options.report.empty())
    return Error{"--report is of a batch; --format json prints the object of a pair",
                 ErrorKind::Usage};
  if (options.bitmap && options.format != Format::Json && options.report.empty())
    return Error{"--bitmap is of JSON; add --format json", ErrorKind::Usage};
  if (one_pair && options.shard.of > 1) return Error{"--shard is of a batch", ErrorKind::Usage};
  if (auto free = check_certified_programs(options); !free) return free;
  return check_cache(options, one_pair);
}

// The files that were asked for beside the report.
Status write_parts(const Answer& answer, const Options& options) {
  const FileVerdict& verdict = *answer.verdict;
  if (!options.regions.empty()) {
    if (auto done = write_text(options.regions, regions_report(verdict)); !done) return done;
  }
  if (!options.witness.empty()) {
    if (auto done = write_text(options.witness, witness_report(verdict)); !done) return done;
  }
  if (!options.certificate.empty() && !answer.certificate) {
    fmt::print(stderr,
               "pet-verify: no certificate is written: the pair was not shown to be equal\n");
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
      of_batch.question = question_digest(question, options, answer.contents);
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
  const Answer found =
      answer(question, options, pointers(engines), watch.token(),
             [&watch](std::string_view what, double fraction) { watch.progress(what, fraction); });
  if (watch.interrupted()) {
    Answer stopped;
    stopped.error = Error{"stopped", ErrorKind::Stopped};
    stopped.seconds = found.seconds;
    print(question, stopped, options);
    return fail("pet-verify", *stopped.error);
  }
  print(question, found, options);
  tell_disagreement(question, found);
  int code = found.exit_code();
  if (!found.verdict && code != kDone) return fail("pet-verify", *found.error);
  // The verdict stands, and is told, whatever cannot be written beside it.
  if (found.verdict) {
    if (auto written = write_parts(found, options); !written)
      code = worst(code, fail("pet-verify", written.error()));
  }
  if (options.reduce.empty()) return code;
  if (const auto why = nothing_to_reduce(found)) {
    fmt::print(stderr, "pet-verify: nothing is reduced: {}\n", *why);
    return code;
  }
  auto reduced = reduce_pair(question, options, found, pointers(engines), watch.token());
  if (reduced) return code;
  const int failed = fail("pet-verify", reduced.error());
  if (reduced.error().kind == ErrorKind::Stopped) return failed;
  // No smaller case shows the same: there is nothing wrong with that.
  return reduced.error().kind == ErrorKind::Unsupported ? code : worst(code, failed);
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
