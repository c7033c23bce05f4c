#include "app/pet-verify/flags.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/common/command_line.h"
#include "app/common/machine.h"
#include "core/util/printable.h"
#include "core/util/rng.h"

namespace pet::app {
namespace {

// The groups of --help.
constexpr const char* kQuestion = "What is asked";
constexpr const char* kAnswer = "Who answers, and with how much effort";
constexpr const char* kReport = "What is told";
constexpr const char* kOfAPair = "Of one pair";
constexpr const char* kOfABatch = "Of a batch";

CLI::Validator check(const std::string& what, std::function<bool(const std::string&)> accepts) {
  return CLI::Validator(
      [accepts = std::move(accepts), what](std::string& text) {
        return accepts(text) ? std::string{} : "'" + text + "' is not " + what;
      },
      what);
}

}  // namespace

CLI::Validator is_error_bound() {
  return check("a bound like 2^-64",
               [](const std::string& text) { return parse_error_bound(text).has_value(); });
}

CLI::Validator is_duration() {
  return check("a duration like 90s",
               [](const std::string& text) { return parse_seconds(text).ok(); });
}

CLI::Validator is_seed() {
  return check("an unsigned number of 64 bits",
               [](const std::string& text) { return parse_seed(text).has_value(); });
}

CompareFlags::CompareFlags(CLI::App& app) {
  options_.jobs = options_.proof.proof.threads = all_threads();
  app.add_option("FILE", files_, "A.onnx B.onnx, or CASE.txt, FOLDER, MANIFEST.jsonl")->required();
  add_question(app);
  add_answer(app);
  add_report(app);
  add_of_a_pair(app);
  add_of_a_batch(app);
}

void CompareFlags::add_question(CLI::App& app) {
  add_shape_flags(app, shapes_, kQuestion);
  app.add_option("--sizes", sizes_,
                 "look at every pair at each of these sizes of a dimension that it leaves open: "
                 "N=1..8")
      ->take_all()
      ->allow_extra_args(false)
      ->check(check("a range like N=1..8",
                    [](const std::string& text) { return parse_size_range(text).has_value(); }))
      ->group(kQuestion);
  app.add_flag("--all-sizes", options_.all_sizes,
               "equivalent only where that is proved, over the reals, for all sizes from 1 on of "
               "what the files leave open, not just for those of --shape, with which it begins")
      ->group(kQuestion);
  app.add_flag(
         "--all-batches", options_.all_batches,
         "equivalent only where that is proved, over the reals, whatever the size, the same of "
         "all, of the first axes of the inputs that the files leave open; other sizes stay "
         "those of --shape")
      ->excludes(app.get_option("--all-sizes"))
      ->group(kQuestion);
  app.add_option("--weights", weights_,
                 "symbols: equal for all weights; bound: for the stored ones")
      ->check(CLI::IsMember({"symbols", "bound"}))
      ->group(kQuestion);
  app.add_option("--max-ulp", options_.proof.proof.max_ulp,
                 "how far constants that were computed in advance may be off and still be called "
                 "rounded, in units in the last place of the largest term that is added up there "
                 "(4): equivalent-up-to-constants; beyond it: different")
      ->check(CLI::Range(0.0, 1e9))
      ->group(kQuestion);
  app.add_option("--outputs", outputs_, "how outputs are paired")
      ->check(CLI::IsMember({"by-name", "by-position"}))
      ->group(kQuestion);
  app.add_flag("--first-difference", options_.proof.proof.first_difference,
               "of pairs that expect nothing: end where the first inputs tell the two apart, "
               "and say nothing of what these do not show")
      ->group(kQuestion);
}

void CompareFlags::add_answer(CLI::App& app) {
  app.add_option("--error", error_, "largest probability of a wrong \"equal\" (2^-64)")
      ->check(is_error_bound())
      ->group(kAnswer);
  app.add_option("--timeout", timeout_, "give a pair up after that long: 90s, 2m")
      ->check(is_duration())
      ->group(kAnswer);
  app.add_option(
         "--limits", limits_,
         "steps=N: engines that would take more say that they do not know; nothing goes by "
         "the clock then but --timeout, so the verdict is the same on any machine. A step: "
         "one term of a sum at one position, one element that a function reads (bitmap: for "
         "each prime; exact: one monomial; smt: also one unit of Z3's resources)")
      ->check(check("a limit like steps=1000000",
                    [](const std::string& text) { return parse_limits(text).has_value(); }))
      ->group(kAnswer);
  app.add_option("--seed", seed_, "repeat the proof with this proof_seed")
      ->check(is_seed())
      ->group(kAnswer);
  app.add_option(
         "--engine", options_.engine,
         "who gives the verdict (default: bitmap, and exact where shapes are small, for a moment "
         "only where bitmap knows; large programs first place by place, small ones too with "
         "places; theorem: PET's own test, which speaks of multi-linear programs; all: each engine "
         "but that one, as far as it can); what another engine calls equal the bitmap engine must "
         "call equal too")
      ->check(CLI::IsMember(engine_names()))
      ->group(kAnswer);
  app.add_flag("--as-published", options_.as_published,
               "with --engine theorem: PET's test as its paper has it, without looking whether the "
               "theorems apply, and nobody else is asked. No evidence of anything: it ends with 3 "
               "whatever it says")
      ->group(kAnswer);
  app.add_option("--threads", options_.proof.proof.threads, "threads to use")
      ->check(CLI::Range(1, 1024))
      ->group(kAnswer);
}

void CompareFlags::add_report(CLI::App& app) {
  app.add_option("--format", format_, "text, json (one object a pair) or junit")
      ->check(CLI::IsMember({"text", "json", "junit"}))
      ->group(kReport);
  app.add_flag("--quiet", options_.quiet,
               "say nothing of pairs that are equal, or as expected (but the one object of a pair, "
               "and the whole of JUnit)")
      ->group(kReport);
  app.add_flag("--verbose", options_.verbose, "of many places each is told")->group(kReport);
  app.add_flag("--bitmap", options_.bitmap, "list every position in the JSON report")
      ->excludes(app.get_option("--first-difference"))
      ->group(kReport);
  app.add_option("--bundle", options_.bundle,
                 "folder for what reproduces it where engines disagree (the current one)")
      ->group(kReport);
}

void CompareFlags::add_of_a_pair(CLI::App& app) {
  auto* first = app.get_option("--first-difference");
  app.add_option("--regions", options_.regions, "write where the outputs are not equal, as JSON")
      ->excludes(first)
      ->group(kOfAPair);
  app.add_option("--witness", options_.witness, "write inputs that tell the two apart, as JSON")
      ->group(kOfAPair);
  app.add_option("--certificate", options_.certificate,
                 "where it is equivalent: write what pet-check-certificate needs to check "
                 "that by itself; of a case C.json comes with C.original.onnx and C.mutant.onnx, "
                 "of which it speaks")
      ->group(kOfAPair);
  app.add_option("--reduce", options_.reduce,
                 "where it is not equivalent: write a case with fewer operators and smaller "
                 "sizes that gets the same verdict (CASE.txt); with --timeout for that long again")
      ->excludes(first)
      ->group(kOfAPair);
}

void CompareFlags::add_of_a_batch(CLI::App& app) {
  app.add_option("--jobs", options_.jobs, "pairs looked at at once (one a thread)")
      ->check(CLI::Range(1, 1024))
      ->group(kOfABatch);
  app.add_option("--shard", shard_, "part I of N, as I/N from 1/N to N/N")
      ->check(check("a part like 2/5",
                    [](const std::string& text) { return parse_shard(text).has_value(); }))
      ->group(kOfABatch);
  auto* report =
      app.add_option("--report", options_.report, "write one JSON object a line here, as they come")
          ->group(kOfABatch);
  app.add_flag("--resume", options_.resume, "go on after the pairs that the report has")
      ->needs(report)
      ->group(kOfABatch);
  app.add_option("--cache", options_.cache,
                 "keep verdicts in this file and take from it those of the same contents, options "
                 "and program; not with --seed, and nothing unknown is kept")
      ->group(kOfABatch);
}

Result<std::vector<SizeRange>> CompareFlags::size_ranges(const Options& options) const {
  std::vector<SizeRange> out;
  for (const std::string& text : sizes_) {
    SizeRange range = *parse_size_range(text);
    const auto same = [&](const SizeRange& other) { return other.name == range.name; };
    if (std::ranges::any_of(out, same) || options.reading.dimensions.contains(range.name)) {
      return Error{fmt::format("--sizes {}: the sizes of {} are given twice", printable(text),
                               printable(range.name)),
                   ErrorKind::Usage};
    }
    out.push_back(std::move(range));
  }
  return out;
}

Status CompareFlags::check_published() const {
  if (!options_.as_published) return Done{};
  if (options_.engine != kTheorem)
    return Error{"--as-published is a form of --engine theorem", ErrorKind::Usage};
  if (!options_.certificate.empty() || !options_.reduce.empty() || !options_.cache.empty() ||
      options_.all_sizes || options_.all_batches)
    return Error{
        "--as-published is no evidence: nothing is certified, reduced, kept in a cache or proved "
        "at other sizes by it",
        ErrorKind::Usage};
  return Done{};
}

Result<Options> CompareFlags::read() const {
  Options out = options_;
  if (auto fits = check_published(); !fits) return std::move(fits).error();
  auto reading = parse_shapes(shapes_);
  if (!reading) return std::move(reading).error();
  out.reading = *std::move(reading);
  auto sizes = size_ranges(out);
  if (!sizes) return std::move(sizes).error();
  out.sizes = *std::move(sizes);
  if (shapes_.opset.opset && files_.size() != 2)
    return Error{"--opset is for two files", ErrorKind::Usage};
  for (const std::string& file : files_) {
    auto path = at_opset("pet-verify", file, shapes_.opset);
    if (!path) return std::move(path).error();
    out.files.emplace_back(*std::move(path));
  }
  out.proof.proof.log2_error = *parse_error_bound(error_);
  out.proof.proof.bind_weights = weights_ == "bound";
  out.proof.proof.in_detail = true;
  out.proof.proof.record_test = !out.certificate.empty();
  out.proof.proof.exhaustive = out.engine == kAllEngines;
  // The paper's test says nothing of floats.
  if (out.as_published) out.proof.proof.floats = Floats::None;
  // Who names another engine, or its limits, asks that one.
  if (!limits_.empty() || (!out.engine.empty() && out.engine != kPlaces)) {
    out.proof.proof.by_places = ByPlaces::None;
  } else if (out.engine == kPlaces) {
    out.proof.proof.by_places = ByPlaces::All;
  }
  out.seed_given = !seed_.empty();
  set_seed(out, out.seed_given ? *parse_seed(seed_) : fresh_entropy().word());
  out.shard = *parse_shard(shard_);
  if (outputs_ == "by-position") out.proof.outputs = OutputMatch::ByPosition;
  if (format_ == "json") out.format = Format::Json;
  if (format_ == "junit") out.format = Format::Junit;
  if (!limits_.empty()) out.limits = *parse_limits(limits_);
  if (!timeout_.empty()) out.timeout_seconds = *parse_seconds(timeout_);
  return out;
}

}  // namespace pet::app
