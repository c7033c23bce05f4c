// A Profiler that remembers what was measured, over runs and processes: one JSON line a comparison
// in a file that is only ever appended to.
//
// A comparison is known by the bytes of both files and by everything around them that its times
// depend on. What does not help is no error: a file that cannot be read or written, a line that is
// torn or makes no sense. Undecided comparisons are measured again.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "core/backend/measuring_profiler.h"
#include "core/util/digest.h"

namespace pet {

struct MeasuringContext {
  BackendInfo backend;
  int threads = 1;   // given to the runtime
  std::string plan;  // what else decides on times and decisions, as text
};

// What decides of two files that one is faster.
std::string rule_in_words(const MeasuringProfiler::Options& options);

// `worker` is the command that starts the runtime: the files it names set the runtime's options.
// The seed and the time that was allowed are left out: a decision holds whatever they were.
MeasuringContext measuring_context(const BackendInfo& backend,
                                   const MeasuringProfiler::Options& options,
                                   const std::vector<std::string>& worker);

// $XDG_CACHE_HOME/pet/measurements.jsonl or that below ~/.cache; the folder is made. Nothing where
// there is no such folder.
std::optional<std::filesystem::path> default_measurements();

class CachedProfiler final : public Profiler {
 public:
  CachedProfiler(Profiler& inner, std::filesystem::path database, MeasuringContext context);

  // A comparison that is remembered took 0 seconds.
  Result<Comparison> compare(const std::filesystem::path& original,
                             const std::filesystem::path& candidate, std::stop_token stop) override;

  std::size_t reused() const { return reused_; }

 private:
  std::optional<Digest> key_of(const std::filesystem::path& original,
                               const std::filesystem::path& candidate) const;
  void load();
  void append(const std::string& key, const Comparison& comparison) const;

  Profiler& inner_;
  std::filesystem::path database_;
  MeasuringContext context_;
  std::map<std::string, Comparison> known_;  // by the key's digits
  std::size_t reused_ = 0;
};

}  // namespace pet
