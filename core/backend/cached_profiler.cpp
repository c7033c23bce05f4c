#include "core/backend/cached_profiler.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/backend/comparison_json.h"
#include "core/util/append_line.h"
#include "core/util/file_reader.h"

namespace pet {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct Line {
  std::string key;
  Comparison comparison;
};

std::optional<Line> parse(const std::string& text) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object()) return std::nullopt;
  const auto key = json.find("key");
  auto comparison = comparison_in(json);
  if (key == json.end() || !key->is_string() || !comparison ||
      comparison->decision == Decision::Undecided)
    return std::nullopt;
  return Line{key->get<std::string>(), *std::move(comparison)};
}

}  // namespace

std::string rule_in_words(const MeasuringProfiler::Options& options) {
  return fmt::format("{}: gain {} alpha {} futility {} evict {} MiB",
                     options.is_seen_twice ? "twice" : "once", options.rule.min_gain,
                     options.rule.alpha, options.rule.futility_alpha, options.evict_mib);
}

MeasuringContext measuring_context(const BackendInfo& backend,
                                   const MeasuringProfiler::Options& options,
                                   const std::vector<std::string>& worker) {
  std::string plan = rule_in_words(options);
  for (const auto& [name, size] : options.load.dimensions)
    plan += fmt::format(" {}={}", name, size);
  Digester files("worker");
  // What is no file is part of the command, and of nothing else.
  for (std::size_t i = 1; i < worker.size(); ++i) (void)add_file(files, worker[i]);
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
  digester.add(context_.backend.build);
  for (const auto& [option, chosen] : context_.backend.options) digester.add(option).add(chosen);
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
  Json json{{"key", key},
            {"runtime", context_.backend.name},
            {"version", context_.backend.version},
            {"device", context_.backend.device},
            {"threads", context_.threads},
            {"plan", context_.plan},
            {"date", date_now()}};
  add_comparison(json, comparison);
  append_line(database_, json.dump(-1, ' ', true, Json::error_handler_t::replace));
}

}  // namespace pet
