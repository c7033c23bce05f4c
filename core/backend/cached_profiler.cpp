#include "core/backend/cached_profiler.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "core/util/append_line.h"

namespace pet {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// What is worth remembering: an undecided comparison is not.
constexpr std::array kDecided = {Decision::Faster, Decision::Tie, Decision::Slower};

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

struct Line {
  std::string key;
  Comparison comparison;
};

std::optional<Line> parse(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  try {
    Line line{json.at("key").get<std::string>(), {}};
    const auto word = json.at("decision").get<std::string>();
    const auto it =
        std::ranges::find(kDecided, word, [](Decision decision) { return to_string(decision); });
    auto a = from_ns(json.at("a_ns"));
    auto b = from_ns(json.at("b_ns"));
    if (it == kDecided.end() || !a || !b || a->empty() || a->size() != b->size())
      return std::nullopt;
    const Json& high = json.at("ratio").at("high");
    line.comparison.decision = *it;
    line.comparison.timing = {*std::move(a), *std::move(b)};
    line.comparison.ratio = {json.at("ratio").at("median").get<double>(),
                             json.at("ratio").at("low").get<double>(),
                             high.is_null() ? HUGE_VAL : high.get<double>()};
    if (!is_plausible(line.comparison.ratio)) return std::nullopt;
    return line;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

bool add_file(Digester& digester, const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return false;
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  if (file.bad()) return false;
  digester.add(bytes);
  return true;
}

}  // namespace

MeasuringContext measuring_context(const BackendInfo& backend,
                                   const MeasuringProfiler::Options& options,
                                   const std::vector<std::string>& worker) {
  std::string plan = fmt::format(
      "{}: gain {} alpha {} futility {} evict {} MiB", options.is_seen_twice ? "twice" : "once",
      options.rule.min_gain, options.rule.alpha, options.rule.futility_alpha, options.evict_mib);
  for (const auto& [name, size] : options.load.dimensions)
    plan += fmt::format(" {}={}", name, size);
  Digester files("worker");
  for (std::size_t i = 1; i < worker.size(); ++i) add_file(files, worker[i]);
  plan += " worker " + files.finish().hex().substr(0, 16);
  return {backend, options.load.threads, std::move(plan)};
}

std::optional<fs::path> default_measurements() {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  fs::path folder;
  if (cache != nullptr && fs::path(cache).is_absolute()) {
    folder = fs::path(cache) / "pet";
  } else if (home != nullptr && fs::path(home).is_absolute()) {
    folder = fs::path(home) / ".cache" / "pet";
  } else {
    return std::nullopt;
  }
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return std::nullopt;
  return folder / "measurements.jsonl";
}

CachedProfiler::CachedProfiler(Profiler& inner, fs::path database, MeasuringContext context)
    : inner_(inner), database_(std::move(database)), context_(std::move(context)) {
  load();
}

void CachedProfiler::load() {
  std::error_code failed;
  if (!fs::is_regular_file(database_, failed)) return;
  std::ifstream file(database_, std::ios::binary);
  for (std::string text; std::getline(file, text);) {
    if (auto line = parse(text)) known_.insert_or_assign(line->key, std::move(line->comparison));
  }
}

std::optional<Digest> CachedProfiler::key_of(const fs::path& original,
                                             const fs::path& candidate) const {
  Digester digester("measurement");
  if (!add_file(digester, original) || !add_file(digester, candidate)) return std::nullopt;
  digester.add(context_.backend.name).add(context_.backend.version).add(context_.backend.device);
  digester.add(static_cast<std::uint64_t>(context_.threads)).add(context_.plan);
  return digester.finish();
}

Result<Comparison> CachedProfiler::compare(const fs::path& original, const fs::path& candidate,
                                           std::stop_token stop) {
  const auto key = key_of(original, candidate);
  if (!key) return inner_.compare(original, candidate, std::move(stop));
  if (const auto it = known_.find(key->hex()); it != known_.end()) {
    ++reused_;
    return it->second;
  }
  auto comparison = inner_.compare(original, candidate, std::move(stop));
  if (!comparison || comparison->decision == Decision::Undecided) return comparison;
  append(key->hex(), *comparison);
  Comparison remembered = *comparison;
  remembered.seconds = 0;
  known_.insert_or_assign(key->hex(), std::move(remembered));
  return comparison;
}

void CachedProfiler::append(const std::string& key, const Comparison& comparison) const {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const Json json{{"key", key},
                  {"runtime", context_.backend.name},
                  {"version", context_.backend.version},
                  {"device", context_.backend.device},
                  {"threads", context_.threads},
                  {"plan", context_.plan},
                  {"date", fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(now))},
                  {"decision", to_string(comparison.decision)},
                  {"ratio",
                   {{"median", comparison.ratio.median},
                    {"low", comparison.ratio.low},
                    {"high", bound(comparison.ratio.high)}}},
                  {"a_ns", in_ns(comparison.timing.a_ms)},
                  {"b_ns", in_ns(comparison.timing.b_ms)}};
  append_line(database_, json.dump(-1, ' ', true, Json::error_handler_t::replace));
}

}  // namespace pet
