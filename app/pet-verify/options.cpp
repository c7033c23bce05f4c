#include "app/pet-verify/options.h"

#include <charconv>
#include <cmath>

#include "app/common/command_line.h"
#include "app/common/machine.h"

namespace pet::app {
namespace {

std::optional<double> number(std::string_view text) {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
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

std::optional<double> parse_error_bound(const std::string& text) {
  if (text.starts_with("2^")) {
    const auto exponent = number(std::string_view(text).substr(2));
    return exponent && *exponent < 0 ? exponent : std::nullopt;
  }
  const auto bound = number(text);
  return bound && *bound > 0 && *bound < 1 ? std::optional(std::log2(*bound)) : std::nullopt;
}

std::variant<Options, int> parse_command_line(int argc, const char* const* argv) {
  Options options;
  options.proof.proof.threads = all_threads();
  CLI::App app(
      "Are two programs equal, and where are they not?\n"
      "Two ONNX files, or one case file with both programs and the verdict they must get.",
      "pet-verify");
  std::vector<std::string> files;
  std::vector<std::string> shapes;
  std::string error = "2^-64";
  std::string timeout;
  std::string weights = "symbols";
  std::string outputs = "by-name";
  std::string format = "text";
  std::string seed;
  app.add_option("FILE", files, "A.onnx B.onnx, or CASE.txt")->required()->expected(1, 2);
  app.add_option("--shape", shapes, "size of an open dimension: name=N, or input:axis=N")
      ->take_all()
      ->allow_extra_args(false);
  app.add_option("--error", error, "largest probability of a wrong \"equal\" (2^-64)")
      ->check(check("a bound like 2^-64",
                    [](const std::string& text) { return parse_error_bound(text).has_value(); }));
  app.add_option("--timeout", timeout, "give up after that long: 90s, 2m")
      ->check(check("a duration like 90s",
                    [](const std::string& text) { return parse_seconds(text).ok(); }));
  app.add_option("--weights", weights, "symbols: equal for all weights; bound: for the stored ones")
      ->check(CLI::IsMember({"symbols", "bound"}));
  app.add_option("--outputs", outputs, "how outputs are paired")
      ->check(CLI::IsMember({"by-name", "by-position"}));
  app.add_option("--format", format, "text or json")->check(CLI::IsMember({"text", "json"}));
  app.add_option("--seed", seed, "repeat the proof with this proof_seed");
  app.add_option("--bundle", options.bundle,
                 "folder for what reproduces it where engines disagree (the current one)");
  app.add_option("--threads", options.proof.proof.threads, "threads to use")
      ->check(CLI::Range(1, 1024));
  app.set_version_flag("--version", "pet-verify " PET_VERSION);
  if (const auto code = parse_or_tell(app, argc, argv)) return *code;
  auto dimensions = parse_shapes(shapes);
  if (!dimensions) return fail("pet-verify", dimensions.error());
  options.reading.dimensions = *std::move(dimensions);
  options.files.assign(files.begin(), files.end());
  options.proof.proof.log2_error = *parse_error_bound(error);
  options.proof.proof.bind_weights = weights == "bound";
  if (!seed.empty()) options.proof.proof.proof_seed = seed;
  if (outputs == "by-position") options.proof.outputs = OutputMatch::ByPosition;
  if (format == "json") options.format = Format::Json;
  if (!timeout.empty()) options.timeout_seconds = *parse_seconds(timeout);
  return options;
}

}  // namespace pet::app
