#include "core/backend/replay_profiler.h"

#include <fstream>
#include <iterator>
#include <utility>

#include "core/util/digest.h"
#include "core/util/printable.h"

namespace pet {
namespace {

Result<std::string> digest_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  if (!file || file.bad()) return Error{"cannot read " + printable(path.string()), ErrorKind::Tool};
  return digest_of("compared file", bytes).hex();
}

}  // namespace

Result<ComparedFiles> compared_files(const std::filesystem::path& original,
                                     const std::filesystem::path& candidate) {
  auto a = digest_of_file(original);
  if (!a) return std::move(a).error();
  auto b = digest_of_file(candidate);
  if (!b) return std::move(b).error();
  return ComparedFiles{*std::move(a), *std::move(b)};
}

ReplayProfiler::ReplayProfiler(std::vector<RecordedComparison> recorded, Profiler* live)
    : live_(live) {
  for (auto& [files, answer] : recorded) recorded_[files].push_back(std::move(answer));
}

Result<Comparison> ReplayProfiler::compare(const std::filesystem::path& original,
                                           const std::filesystem::path& candidate,
                                           std::stop_token stop) {
  const auto files = compared_files(original, candidate);
  if (!files) return files.error();
  const auto it = recorded_.find(*files);
  if (it != recorded_.end() && !it->second.empty()) {
    auto answer = std::move(it->second.front());
    it->second.pop_front();
    ++replayed_;
    return answer;
  }
  if (live_ != nullptr) return live_->compare(original, candidate, std::move(stop));
  return Error{"nobody recorded how these two files compare", ErrorKind::Tool};
}

}  // namespace pet
