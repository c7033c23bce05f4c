#include "app/pet-verify/options.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "core/util/printable.h"

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

}  // namespace

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

}  // namespace pet::app
