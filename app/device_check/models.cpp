#include "datasets/models/models.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <thread>

#include "app/device_check/phases.h"
#include "core/backend/cached_profiler.h"
#include "core/backend/scratch_folder.h"
#include "core/backend/stored_profile.h"
#include "core/run/run.h"
#include "core/util/median.h"
#include "gpu/backend.h"
#include "gpu/cuda.h"
#include "verify/pairs/search_checker.h"

namespace pet::app {
namespace {

namespace fs = std::filesystem;

constexpr int kRunsProfiled = 20;
constexpr double kSecondsProfiled = 2;
constexpr std::size_t kSlowest = 10;
constexpr double kLeastSeconds = 2;  // that a search is begun for
constexpr double kSecondsToEnd = 4;
constexpr int kSelfMs = 600;
constexpr double kOfCandidate = 0.3;        // seconds a candidate is timed
constexpr double kShareOfWholeFiles = 0.4;  // of a search's time
constexpr std::array kPolicies = {Only::Both, Only::Partial, Only::Equivalent};

Json slowest(const OperatorProfile& profile) {
  std::vector<std::pair<double, const OperatorTime*>> all;
  for (const OperatorTime& one : profile.operators) all.emplace_back(median(one.ms), &one);
  std::ranges::stable_sort(all, std::greater(), [](const auto& one) { return one.first; });
  Json out = Json::array();
  for (std::size_t i = 0; i < std::min(kSlowest, all.size()); ++i)
    out.push_back(
        {{"launch", all[i].second->name}, {"ms", all[i].first}, {"how", all[i].second->how}});
  return out;
}

Result<Json> timed(Backend& backend, const fs::path& file, std::string& line) {
  const auto loaded = backend.load(file, {});
  if (!loaded) return loaded.error();
  const auto profile =
      backend.profile(loaded->id, {.runs = kRunsProfiled, .seconds = kSecondsProfiled});
  backend.unload(loaded->id);
  if (!profile) return profile.error();
  line += fmt::format(" {:.3f} ms", median(profile->runs_ms));
  return Json{{"ms", profile->runs_ms}, {"slowest", slowest(*profile)}};
}

// Asks for a stop when the time is over, and a second time: then everything stops.
class Deadline {
 public:
  Deadline(StopRequests& stop, double seconds)
      : thread_([&stop, seconds](const std::stop_token& done) {
          std::mutex mutex;
          std::unique_lock lock(mutex);
          std::condition_variable_any never;
          never.wait_for(lock, done, std::chrono::duration<double>(seconds), [] { return false; });
          if (done.stop_requested()) return;
          stop.request();
          stop.request();
        }) {}

 private:
  std::jthread thread_;
};

// Searches that are timed and not proved, one after another into one profile.
class Searching {
 public:
  Searching(Backend& backend, Precision precision, StoredProfile& profile, fs::path journals)
      : backend_(backend),
        precision_(precision),
        profile_(profile),
        journals_(std::move(journals)) {}

  Result<Json> search(const Model& model, const std::string& title, Only only, double seconds,
                      std::string& line) {
    SearchConfig config;
    config.only = only;
    if (only == Only::Partial) config.worth_measuring = kWorthMeasuringInPart;
    const fs::path file = journals_ / (title + ".jsonl");
    auto journal = Journal::create(file, header(model, config, seconds));
    if (!journal) return std::move(journal).error();
    auto candidates = profiler({.budget = std::chrono::milliseconds(int(kOfCandidate * 1000))});
    SearchChecker checker;
    StopRequests stop;
    RunPorts ports{checker, *candidates, stop};
    ports.journal = &*journal;
    ports.backend = &backend_;
    ports.prove = [](const Model&, const Model&, double) -> Result<FileVerdict> {
      return Error{"nothing is proved here", ErrorKind::Unsupported};
    };
    ports.profile_files = [&](const LoadOptions&, const FileEffort&) {
      return profiler(
          {.budget = std::chrono::milliseconds(int(kShareOfWholeFiles * seconds * 1000 / 4))});
    };
    Run run(model,
            {.target = file,
             .target_name = backend_.info().name,
             .tool = PET_VERSION,
             .search = config,
             .budget = {seconds, (1 - kShareOfWholeFiles) * seconds},
             .ending = {},
             .load = {},
             .data = {},
             .fill = {},
             .started_s = {},
             .measures_only = true},
            std::move(ports));
    {
      const Deadline deadline(stop, seconds);
      while (run.phase() != Run::Phase::Done) run.step();
    }
    if (run.failure()) return *run.failure();
    const Accepted& accepted = run.accepted();
    double best = 1;
    for (const Rejected& one : accepted.rejected) {
      if (one.ratio) best = std::max(best, one.ratio->low);
    }
    line += fmt::format(", {} at least {:.3f}x", to_string(only), best);
    return Json{{"reason", accepted.reason}, {"at_least", best}};
  }

  // How long it takes by itself is in the profile then. It must not be faster than itself.
  Result<bool> is_decided_against_itself(const fs::path& file) {
    const auto comparison =
        profiler({.budget = std::chrono::milliseconds(kSelfMs), .least_rounds = 0})
            ->compare(file, file, {});
    if (!comparison) return comparison.error();
    return comparison->decision == Decision::Faster || comparison->decision == Decision::Slower;
  }

 private:
  std::unique_ptr<Profiler> profiler(const MeasuringProfiler::Options& options) {
    return std::make_unique<StoredProfiler>(
        profile_, std::make_unique<MeasuringProfiler>(backend_, options),
        StoredProfiler::Options{.rule = rule_in_words(options), .by = backend_.info()});
  }
  JournalHeader header(const Model& model, const SearchConfig& config, double seconds) const {
    const BackendInfo& info = backend_.info();
    return {.tool = PET_VERSION,
            .model = model.path.filename().string(),
            .digest = model.digest.hex(),
            .dimensions = model.dimensions,
            .target = "cuda",
            .runtime = info.name,
            .version = info.version,
            .device = info.device,
            .threads = 1,
            .budget_s = seconds,
            .config = config,
            .proof_budget = "600s",
            .max_rel_error = precision_ == Precision::Fp32 ? 1e-4 : 1e-2,
            .max_growth = 4,
            .input_data = {}};
  }

  Backend& backend_;
  Precision precision_;
  StoredProfile& profile_;
  fs::path journals_;
};

// One file of the journals; where there is no tar they stay as they are.
void pack(const fs::path& out) {
  const std::string command = fmt::format(
      "cd '{}' && tar -czf journals.tar.gz journals 2>/dev/null && rm -r journals", out.string());
  (void)!std::system(command.c_str());
}

}  // namespace

PhaseResult models(Precision precision, int device, Size size, const fs::path& out_folder,
                   const TimeLeft& seconds_left) {
  const auto failed = [](const Error& error) {
    return PhaseResult{{{"error", error.message}}, 1, error.message};
  };
  PhaseResult out;
  auto opened = cuda_device(device, {.precision = precision});
  if (!opened) return failed(opened.error());
  GpuBackend backend(*std::move(opened));
  const auto folder = ScratchFolder::make("pet_device_check");
  if (!folder) return failed(folder.error());
  fs::create_directories(out_folder / "journals");
  auto profile = StoredProfile::read(out_folder / "profile.jsonl", true);
  if (!profile) return failed(profile.error());
  Searching searching(backend, precision, *profile, out_folder / "journals");
  for (std::size_t i = 0; i < kModels.size(); ++i) {
    const auto& [name, batch] = kModels[i];
    // Where there is little time the first ones have it: most is to be gained there.
    const double share = std::min(
        seconds_left() - kSecondsToEnd,
        std::max(5 * kLeastSeconds, seconds_left() / static_cast<double>(kModels.size() - i)));
    if (share < kLeastSeconds) break;
    const auto file = folder->path() / "model.onnx";
    const bool is_tiny = size == Size::Tiny;
    if (!datasets::build_model({.name = name, .tiny = is_tiny, .batch = batch}, file)) continue;
    const auto model = read_model(file);
    if (!model) return failed(model.error());
    const std::string title = fmt::format("{}, batch {}", name, batch);
    out.line += fmt::format("\n  {:<24}", title);
    const double until = seconds_left() - share;
    auto found = timed(backend, file, out.line);
    if (const auto decided = searching.is_decided_against_itself(file); decided && *decided) {
      ++out.wrong;
      out.line += ", not the same as itself";
    }
    for (const Only only : kPolicies) {
      // What is left of the share, most of it for the first policy.
      const double left = seconds_left() - until;
      if (!found || left < kLeastSeconds) break;
      const double seconds = only == Only::Both ? 0.6 * left : 0.8 * left;
      const auto searched = searching.search(
          *model, fmt::format("{}.b{}.{}", name, batch, to_string(only)), only, seconds, out.line);
      (*found)[std::string(to_string(only))] =
          searched ? *searched : Json{{"error", searched.error().message}};
    }
    out.json[title] = found ? *found : Json(found.error().message);
    // Whatever hangs after this, it is written.
    std::ofstream(out_folder / "models.json") << out.json.dump(1) << "\n";
    out.wrong += found ? 0 : 1;
    if (!found) out.line += found.error().message;
  }
  pack(out_folder);
  return out;
}

}  // namespace pet::app
