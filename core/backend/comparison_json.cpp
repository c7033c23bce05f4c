#include "core/backend/comparison_json.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace pet {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kDecisions = {Decision::Faster, Decision::Tie, Decision::Slower,
                                   Decision::Undecided};

// Whole nanoseconds: no clock says more, and the lines stay short.
std::vector<std::int64_t> in_ns(const std::vector<double>& ms) {
  std::vector<std::int64_t> out;
  for (const double x : ms) out.push_back(std::max<std::int64_t>(1, std::llround(x * 1e6)));
  return out;
}

std::optional<std::vector<double>> from_ns(const Json& json) {
  std::vector<double> out;
  for (const Json& x : json) {
    if (!x.is_number_integer() || x.get<std::int64_t>() <= 0) return std::nullopt;
    out.push_back(static_cast<double>(x.get<std::int64_t>()) * 1e-6);
  }
  return out;
}

bool is_plausible(const Ratio& ratio) {
  return std::isfinite(ratio.median) && ratio.low >= 0 && ratio.low <= ratio.median &&
         ratio.median <= ratio.high;
}

// An upper bound that there are too few samples for is infinite, which JSON has no number for.
Json bound(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

}  // namespace

void add_comparison(Json& line, const Comparison& comparison) {
  line["decision"] = to_string(comparison.decision);
  line["ratio"] = {{"median", comparison.ratio.median},
                   {"low", comparison.ratio.low},
                   {"high", bound(comparison.ratio.high)}};
  line["a_ns"] = in_ns(comparison.timing.a_ms);
  line["b_ns"] = in_ns(comparison.timing.b_ms);
}

std::optional<Comparison> comparison_in(const Json& line) {
  try {
    const auto word = line.at("decision").get<std::string>();
    const auto it =
        std::ranges::find(kDecisions, word, [](Decision decision) { return to_string(decision); });
    auto a = from_ns(line.at("a_ns"));
    auto b = from_ns(line.at("b_ns"));
    if (it == kDecisions.end() || !a || !b || a->empty() || a->size() != b->size())
      return std::nullopt;
    const Json& high = line.at("ratio").at("high");
    Comparison out;
    out.decision = *it;
    out.timing = {*std::move(a), *std::move(b)};
    out.ratio = {line.at("ratio").at("median").get<double>(),
                 line.at("ratio").at("low").get<double>(),
                 high.is_null() ? HUGE_VAL : high.get<double>()};
    return is_plausible(out.ratio) ? std::optional(std::move(out)) : std::nullopt;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::string date_now() {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now));
}

}  // namespace pet
