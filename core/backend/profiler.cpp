#include "core/backend/profiler.h"

#include <algorithm>

namespace pet {

Result<RaceResult> Profiler::race(const std::filesystem::path& original,
                                  std::span<const std::filesystem::path> candidates,
                                  std::stop_token stop) {
  RaceResult out;
  for (const std::filesystem::path& candidate : candidates) {
    auto answer = compare(original, candidate, stop);
    // A worker that dies once costs some seconds, not a candidate.
    if (!answer && answer.error().kind == ErrorKind::Tool)
      answer = compare(original, candidate, stop);
    if (was_stopped(answer)) return std::move(answer).error();
    if (answer) {
      out.seconds += answer->seconds;
      out.ranking.push_back(out.against_original.size());
    }
    out.against_original.push_back(std::move(answer));
  }
  std::stable_sort(out.ranking.begin(), out.ranking.end(), [&](std::size_t a, std::size_t b) {
    return out.against_original[a]->ratio.median > out.against_original[b]->ratio.median;
  });
  return out;
}

}  // namespace pet
