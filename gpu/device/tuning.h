// Which of several ways a launch is computed in: each is timed once, and what won is remembered in
// a file, by device, versions, precision and launch.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace pet::gpu {

struct Choice {
  std::size_t candidate = 0;  // in the order in which the library offers them
  std::int64_t engine = 0;    // its number there: another one means that the line is stale
  double ms = 0;
};

class TuningMemory {
 public:
  TuningMemory() = default;  // of this process alone
  // Lines that are broken are skipped; a file that is not there is empty.
  explicit TuningMemory(std::filesystem::path file);

  std::optional<Choice> find(const std::string& key) const;
  void remember(const std::string& key, const Choice& choice);
  std::size_t skipped() const { return skipped_; }

 private:
  std::filesystem::path file_;
  std::map<std::string, Choice> known_;
  std::size_t skipped_ = 0;
};

// $XDG_CACHE_HOME/pet/cuda-plans.jsonl, or below ~/.cache.
std::filesystem::path usual_tuning_file();

}  // namespace pet::gpu
