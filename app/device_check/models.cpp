#include "datasets/models/models.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/device_check/phases.h"
#include "core/backend/measuring_profiler.h"
#include "core/backend/scratch_folder.h"
#include "core/util/median.h"
#include "gpu/backend.h"
#include "gpu/cuda.h"

namespace pet::app {
namespace {

constexpr int kRuns = 20;
constexpr std::size_t kSlowest = 10;
constexpr int kSelfComparisons = 4;  // of each model

Json slowest(const OperatorProfile& profile) {
  std::vector<std::pair<double, const OperatorTime*>> all;
  for (const OperatorTime& one : profile.operators) all.emplace_back(median(one.ms), &one);
  std::ranges::stable_sort(all, std::greater(), [](const auto& one) { return one.first; });
  Json out = Json::array();
  for (std::size_t i = 0; i < std::min(kSlowest, all.size()); ++i)
    out.push_back({{"launch", all[i].second->name}, {"ms", all[i].first}});
  return out;
}

// How many comparisons of a file with itself say that one of the two is faster.
Result<int> decided_against_itself(Backend& backend, const std::filesystem::path& file, Size size,
                                   const TimeLeft& seconds_left) {
  MeasuringProfiler profiler(backend,
                             {.budget = std::chrono::milliseconds(size == Size::Tiny ? 50 : 1500)});
  int decided = 0;
  for (int i = 0; i < kSelfComparisons && seconds_left() > 8; ++i) {
    const auto comparison = profiler.compare(file, file, {});
    if (!comparison) return comparison.error();
    decided += comparison->decision == Decision::Faster || comparison->decision == Decision::Slower
                   ? 1
                   : 0;
  }
  return decided;
}

Result<Json> one_model(Backend& backend, const std::filesystem::path& file, Size size,
                       PhaseResult& out, const TimeLeft& seconds_left) {
  const auto loaded = backend.load(file, {});
  if (!loaded) return loaded.error();
  const auto profile = backend.profile(loaded->id, {.runs = kRuns});
  backend.unload(loaded->id);
  if (!profile) return profile.error();
  const auto decided = decided_against_itself(backend, file, size, seconds_left);
  if (!decided) return decided.error();
  out.wrong += *decided;
  const double ms = median(profile->runs_ms);
  out.line += fmt::format(" {:.3f} ms, {} of {} comparisons with itself decided", ms, *decided,
                          kSelfComparisons);
  return Json{{"ms", profile->runs_ms},
              {"slowest", slowest(*profile)},
              {"comparisons_with_itself", kSelfComparisons},
              {"decided", *decided}};
}

}  // namespace

PhaseResult models(int device, Precision precision, Size size, const TimeLeft& seconds_left) {
  PhaseResult out;
  auto opened = cuda_device(device, precision);
  if (!opened) return {{{"error", opened.error().message}}, 1, opened.error().message};
  GpuBackend backend(*std::move(opened));
  const auto folder = ScratchFolder::make("pet_device_check");
  if (!folder) return {{{"error", folder.error().message}}, 1, folder.error().message};
  for (const std::int64_t batch : {1, 16}) {
    for (const std::string name :
         {"resnet3d18", "csrnet", "bert-pet", "inception-v3", "resnet18"}) {
      if (seconds_left() < 15) break;
      const auto file = folder->path() / "model.onnx";
      if (const auto built = datasets::build_model(
              {.name = name, .tiny = size == Size::Tiny, .batch = batch}, file);
          !built)
        continue;
      const std::string title = fmt::format("{}, batch {}", name, batch);
      out.line += fmt::format("\n  {:<24}", title);
      const auto found = one_model(backend, file, size, out, seconds_left);
      out.json[title] = found ? *found : Json(found.error().message);
      out.wrong += found ? 0 : 1;
      if (!found) out.line += found.error().message;
    }
  }
  return out;
}

}  // namespace pet::app
