// A Profiler that answers from recorded comparisons: a search that asks the same questions in the
// same order gets the same answers, errors included. What was never recorded is asked of another
// profiler, or is an error where there is none.
#pragma once

#include <deque>
#include <map>
#include <vector>

#include "core/backend/profiler.h"

namespace pet {

// One of the two, as ComparedFiles has it.
Result<std::string> compared_file(const std::filesystem::path& path);

Result<ComparedFiles> compared_files(const std::filesystem::path& original,
                                     const std::filesystem::path& candidate);

struct RecordedComparison {
  ComparedFiles files;
  Result<Comparison> answer;
};

class ReplayProfiler final : public Profiler {
 public:
  // `live`: may be null
  ReplayProfiler(std::vector<RecordedComparison> recorded, Profiler* live);

  Result<Comparison> compare(const std::filesystem::path& original,
                             const std::filesystem::path& candidate, std::stop_token stop) override;

  // In the order in which they were recorded, which is that of their ranking.
  Result<RaceResult> race(const std::filesystem::path& original,
                          std::span<const std::filesystem::path> candidates,
                          std::stop_token stop) override;

  std::size_t replayed() const { return replayed_; }

 private:
  struct Numbered {  // in the order in which they were recorded
    std::size_t number = 0;
    Result<Comparison> answer;
  };
  std::optional<Numbered> next(const ComparedFiles& files);
  // Then nobody has to know which files are asked about.
  bool knows_nothing() const { return recorded_.empty() && live_ != nullptr; }

  std::map<ComparedFiles, std::deque<Numbered>> recorded_;
  Profiler* live_;
  std::size_t replayed_ = 0;
};

}  // namespace pet
