#include "app/pet-verify/options.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "app/common/command_line.h"
#include "app/common/machine.h"
#include "core/util/printable.h"
#include "core/util/rng.h"

namespace pet::app {
namespace {

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

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

std::optional<std::uint64_t> parse_seed(const std::string& text) { return whole_number(text); }

std::optional<double> parse_error_bound(const std::string& text) {
  if (text.starts_with("2^")) {
    const auto exponent = number(std::string_view(text).substr(2));
    return exponent && *exponent < 0 ? exponent : std::nullopt;
  }
  const auto bound = number(text);
  return bound && *bound > 0 && *bound < 1 ? std::optional(std::log2(*bound)) : std::nullopt;
}

std::optional<Shard> parse_shard(const std::string& text) {
  const auto slash = text.find('/');
  if (slash == std::string::npos) return std::nullopt;
  const auto number = whole_number(std::string_view(text).substr(0, slash));
  const auto of = whole_number(std::string_view(text).substr(slash + 1));
  if (!number || !of || *number < 1 || *number > *of) return std::nullopt;
  return Shard{static_cast<std::size_t>(*number), static_cast<std::size_t>(*of)};
}

std::optional<SizeRange> parse_size_range(const std::string& text) {
  const auto equals = text.rfind('=');
  if (equals == std::string::npos || equals == 0) return std::nullopt;
  const std::string_view range = std::string_view(text).substr(equals + 1);
  const auto dots = range.find("..");
  const auto low = whole_number(range.substr(0, dots));
  const auto high = dots == std::string_view::npos ? low : whole_number(range.substr(dots + 2));
  constexpr std::uint64_t kMost = 1'000'000;
  if (!low || !high || *low < 1 || *low > *high || *high > kMost) return std::nullopt;
  return SizeRange{text.substr(0, equals), static_cast<Dim>(*low), static_cast<Dim>(*high)};
}

std::optional<EngineLimits> parse_limits(const std::string& text) {
  constexpr std::string_view kSteps = "steps=";
  constexpr std::uint64_t kMost = 1'000'000'000'000'000'000;
  if (!text.starts_with(kSteps)) return std::nullopt;
  const auto steps = whole_number(std::string_view(text).substr(kSteps.size()));
  if (!steps || *steps > kMost) return std::nullopt;
  return EngineLimits{static_cast<std::size_t>(*steps)};
}

std::pair<std::filesystem::path, std::filesystem::path> certified_programs(const Options& options) {
  auto stem = options.certificate;
  stem.replace_extension();
  return {stem.string() + ".original.onnx", stem.string() + ".mutant.onnx"};
}

std::vector<std::filesystem::path> outputs_of_pair(const Options& options) {
  std::vector<std::filesystem::path> out;
  for (const auto& path : {options.regions, options.witness, options.certificate, options.reduce}) {
    if (!path.empty()) out.push_back(path);
  }
  if (options.certificate.empty() || options.files.size() != 1) return out;
  const auto programs = certified_programs(options);
  out.insert(out.end(), {programs.first, programs.second});
  return out;
}

void set_seed(Options& options, std::uint64_t seed) {
  options.seed = seed;
  options.proof.proof.proof_seed = std::to_string(seed);
  options.proof.proof.seed_is_fresh = !options.seed_given;
}

std::variant<Options, int> parse_command_line(int argc, const char* const* argv) {
  Options options;
  options.jobs = options.proof.proof.threads = all_threads();
  CLI::App app(
      "Are two programs equal, and where are they not?\n"
      "Two ONNX files; or cases (both programs in one text file, with the verdict they must get), "
      "folders of cases, and manifests that list pairs.",
      "pet-verify");
  app.footer(
      "Other commands, each with a --help of its own:\n"
      "  pet-verify rules FILE.json                 are rewrite rules right, and under which "
      "condition?\n"
      "  pet-verify check CERT.json A.onnx B.onnx   does a certificate hold for two files?\n"
      "  pet-verify self-test --mutate N            are faults noticed that are put in on "
      "purpose?\n"
      "Exit codes: 0 equivalent, or as expected; 1 not; 2 usage; 3 unknown; 4 malformed or "
      "unsupported;\n"
      "5 engines disagree; 6 bad certificate; 130 stopped.");
  std::vector<std::string> files;
  std::vector<std::string> shapes;
  std::string error = "2^-64";
  std::string timeout;
  std::string limits;
  std::vector<std::string> sizes;
  std::string weights = "symbols";
  std::string outputs = "by-name";
  std::string format = "text";
  std::string seed;
  std::string shard = "1/1";
  app.add_option("FILE", files, "A.onnx B.onnx, or CASE.txt, FOLDER, MANIFEST.jsonl")->required();
  app.add_option("--shape", shapes, "size of an open dimension: name=N, or input:axis=N")
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--error", error, "largest probability of a wrong \"equal\" (2^-64)")
      ->check(is_error_bound());
  app.add_option("--timeout", timeout, "give a pair up after that long: 90s, 2m")
      ->check(is_duration());
  app.add_option(
         "--limits", limits,
         "steps=N: engines that would take more say that they do not know; nothing goes by "
         "the clock then but --timeout, so the verdict is the same on any machine. A step: "
         "one term of a sum at one position, one element that a function reads (bitmap: for "
         "each prime; exact: one monomial; smt: also one unit of Z3's resources)")
      ->check(check("a limit like steps=1000000",
                    [](const std::string& text) { return parse_limits(text).has_value(); }));
  app.add_option("--sizes", sizes,
                 "look at every pair at each of these sizes of a dimension that it leaves open: "
                 "N=1..8")
      ->take_all()
      ->allow_extra_args(false)
      ->check(check("a range like N=1..8",
                    [](const std::string& text) { return parse_size_range(text).has_value(); }));
  app.add_flag("--all-sizes", options.all_sizes,
               "equivalent only where that is proved, over the reals, for all sizes from 1 on of "
               "what the files leave open, not just for those of --shape, with which it begins");
  app.add_option("--weights", weights, "symbols: equal for all weights; bound: for the stored ones")
      ->check(CLI::IsMember({"symbols", "bound"}));
  app.add_option("--outputs", outputs, "how outputs are paired")
      ->check(CLI::IsMember({"by-name", "by-position"}));
  app.add_option("--seed", seed, "repeat the proof with this proof_seed")->check(is_seed());
  app.add_option("--engine", options.engine,
                 "who gives the verdict (default: bitmap, and exact where shapes are small); what "
                 "another one calls equal the bitmap engine must call equal too")
      ->check(CLI::IsMember(engine_names()));
  app.add_option("--format", format, "text, json (one object a pair) or junit")
      ->check(CLI::IsMember({"text", "json", "junit"}));
  app.add_flag("--quiet", options.quiet,
               "say nothing of pairs that are equal, or as expected (but the one object of a pair, "
               "and the whole of JUnit)");
  auto* first =
      app.add_flag("--first-difference", options.proof.proof.first_difference,
                   "of pairs that expect nothing: end where the first inputs tell the two apart, "
                   "and say nothing of what these do not show");
  app.add_flag("--bitmap", options.bitmap, "list every position in the JSON report")
      ->excludes(first);
  app.add_option("--regions", options.regions,
                 "of one pair: write where the outputs are not equal, as JSON")
      ->excludes(first);
  app.add_option("--witness", options.witness,
                 "of one pair: write inputs that tell the two apart, as JSON");
  app.add_option("--certificate", options.certificate,
                 "of one pair that is equivalent: write what pet-check-certificate needs to check "
                 "that by itself; of a case C.json comes with C.original.onnx and C.mutant.onnx, "
                 "of which it speaks");
  app.add_option(
         "--reduce", options.reduce,
         "of one pair that is not equivalent: write a case with fewer operators and smaller "
         "sizes that gets the same verdict (CASE.txt); with --timeout for that long again")
      ->excludes(first);
  app.add_option("--bundle", options.bundle,
                 "folder for what reproduces it where engines disagree (the current one)");
  app.add_option("--threads", options.proof.proof.threads, "threads to use")
      ->check(CLI::Range(1, 1024));
  app.add_option("--jobs", options.jobs, "of a batch: pairs looked at at once (one a thread)")
      ->check(CLI::Range(1, 1024));
  app.add_option("--shard", shard, "of a batch: part I of N, as I/N from 1/N to N/N")
      ->check(check("a part like 2/5",
                    [](const std::string& text) { return parse_shard(text).has_value(); }));
  auto* report = app.add_option("--report", options.report,
                                "of a batch: write one JSON object a line here, as they come");
  app.add_flag("--resume", options.resume, "go on after the pairs that the report has")
      ->needs(report);
  app.add_option("--cache", options.cache,
                 "of a batch: keep verdicts in this file and take from it those of the same "
                 "contents, options and program; not with --seed, and nothing unknown is kept");
  app.set_version_flag("--version", "pet-verify " PET_VERSION);
  if (const auto code = parse_or_tell(app, argc, argv)) return *code;
  auto dimensions = parse_shapes(shapes);
  if (!dimensions) return fail("pet-verify", dimensions.error());
  options.reading.dimensions = *std::move(dimensions);
  options.files.assign(files.begin(), files.end());
  options.proof.proof.log2_error = *parse_error_bound(error);
  options.proof.proof.bind_weights = weights == "bound";
  options.proof.proof.in_detail = true;
  options.proof.proof.record_test = !options.certificate.empty();
  options.seed_given = !seed.empty();
  set_seed(options, options.seed_given ? *parse_seed(seed) : fresh_entropy().word());
  options.shard = *parse_shard(shard);
  if (outputs == "by-position") options.proof.outputs = OutputMatch::ByPosition;
  if (format == "json") options.format = Format::Json;
  if (format == "junit") options.format = Format::Junit;
  for (const std::string& text : sizes) {
    SizeRange range = *parse_size_range(text);
    const auto same = [&](const SizeRange& other) { return other.name == range.name; };
    if (std::ranges::any_of(options.sizes, same) ||
        options.reading.dimensions.contains(range.name)) {
      return fail("pet-verify", Error{fmt::format("--sizes {}: the sizes of {} are given twice",
                                                  printable(text), printable(range.name)),
                                      ErrorKind::Usage});
    }
    options.sizes.push_back(std::move(range));
  }
  if (!limits.empty()) options.limits = *parse_limits(limits);
  if (!timeout.empty()) options.timeout_seconds = *parse_seconds(timeout);
  return options;
}

}  // namespace pet::app
