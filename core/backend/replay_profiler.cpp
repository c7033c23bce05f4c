#include "core/backend/replay_profiler.h"

#include <algorithm>
#include <utility>

#include "core/util/digest.h"
#include "core/util/file_reader.h"

namespace pet {
namespace {

Result<Comparison> nobody_recorded() {
  return Error{"nobody recorded how these two files compare", ErrorKind::Tool};
}

}  // namespace

Result<std::string> compared_file(const std::filesystem::path& path) {
  Digester digester("compared file");
  if (auto added = add_file(digester, path); !added)
    return Error{added.error().message, ErrorKind::Tool};
  return digester.finish().hex();
}

Result<ComparedFiles> compared_files(const std::filesystem::path& original,
                                     const std::filesystem::path& candidate) {
  auto a = compared_file(original);
  if (!a) return std::move(a).error();
  auto b = compared_file(candidate);
  if (!b) return std::move(b).error();
  return ComparedFiles{*std::move(a), *std::move(b)};
}

ReplayProfiler::ReplayProfiler(std::vector<RecordedComparison> recorded, Profiler* live)
    : live_(live) {
  std::size_t number = 0;
  for (auto& [files, answer] : recorded) recorded_[files].push_back({number++, std::move(answer)});
}

std::optional<ReplayProfiler::Numbered> ReplayProfiler::next(const ComparedFiles& files) {
  const auto it = recorded_.find(files);
  if (it == recorded_.end() || it->second.empty()) return std::nullopt;
  Numbered out = std::move(it->second.front());
  it->second.pop_front();
  ++replayed_;
  return out;
}

Result<Comparison> ReplayProfiler::compare(const std::filesystem::path& original,
                                           const std::filesystem::path& candidate,
                                           std::stop_token stop) {
  if (knows_nothing()) return live_->compare(original, candidate, std::move(stop));
  const auto files = compared_files(original, candidate);
  if (!files) return files.error();
  if (auto known = next(*files)) return std::move(known->answer);
  if (live_ != nullptr) return live_->compare(original, candidate, std::move(stop));
  return nobody_recorded();
}

Result<RaceResult> ReplayProfiler::race(const std::filesystem::path& original,
                                        std::span<const std::filesystem::path> candidates,
                                        std::stop_token stop) {
  if (knows_nothing()) return live_->race(original, candidates, std::move(stop));
  std::vector<ComparedFiles> asked;
  for (const std::filesystem::path& candidate : candidates) {
    auto files = compared_files(original, candidate);
    if (!files) return std::move(files).error();
    asked.push_back(*std::move(files));
  }
  const auto is_recorded = [&](const ComparedFiles& files) {
    const auto it = recorded_.find(files);
    return it != recorded_.end() && !it->second.empty();
  };
  if (live_ != nullptr && !std::ranges::all_of(asked, is_recorded))
    return live_->race(original, candidates, std::move(stop));
  RaceResult out;
  std::vector<std::pair<std::size_t, std::size_t>> order;  // number, candidate
  for (const ComparedFiles& files : asked) {
    auto known = next(files);
    if (known && known->answer) order.emplace_back(known->number, out.against_original.size());
    out.against_original.push_back(known ? std::move(known->answer) : nobody_recorded());
  }
  std::ranges::sort(order);
  for (const auto& [number, candidate] : order) out.ranking.push_back(candidate);
  return out;
}

}  // namespace pet
