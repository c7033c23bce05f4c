#include <fmt/format.h>

#include <algorithm>

#include "app/device_check/phases.h"
#include "core/backend/scratch_folder.h"
#include "core/onnx/model.h"
#include "core/onnx/text.h"
#include "core/program/correct/corrections.h"
#include "core/util/median.h"
#include "datasets/models/models.h"
#include "gpu/device/program.h"
#include "gpu/lower/lower.h"
#include "verify/pairs/bitmap_checker.h"

namespace pet::app {
namespace {

constexpr int kRuns = 15;
// Those of PET's figures and of its benchmark's rows.
constexpr std::array kMutants = {"figure_1",
                                 "b1_join_images_5x5",
                                 "d2_channel_pairs_along_w",
                                 "c4_dilation_phases_to_batch",
                                 "d7_two_convolutions_two_groups",
                                 "h1_join_with_halo"};

Json trials_json(const std::vector<Trial>& trials) {
  Json out = Json::array();
  for (const Trial& trial : trials)
    out.push_back({{"engine", trial.engine},
                   {"notes", trial.notes},
                   {"workspace", trial.workspace},
                   {"ms", trial.ms ? Json(*trial.ms) : Json(nullptr)}});
  return out;
}

double fastest(const std::vector<Trial>& trials) {
  double best = 0;
  for (const Trial& trial : trials) {
    if (trial.ms && (best == 0 || *trial.ms < best)) best = *trial.ms;
  }
  return best;
}

// What its launches are, and every way in which each was timed.
Result<Json> row(const CudaDevice& device, const Graph& graph, std::string& words) {
  auto plan = lower(graph, device.refusal());
  if (!plan) return std::move(plan).error();
  TuningMemory memory;
  const auto program = DeviceProgram::load(device, *std::move(plan), memory);
  if (!program) return program.error();
  Json out = Json::array();
  for (std::size_t i = 0; i < (*program)->plan().launches.size(); ++i) {
    const Launch& launch = (*program)->plan().launches[i];
    const auto& trials = (*program)->trials(i);
    out.push_back({{"launch", in_words(launch)},
                   {"flops", flops_of(launch)},
                   {"bytes", bytes_of((*program)->plan(), launch)},
                   {"by_itself", launch.remark},
                   {"trials", trials_json(trials)}});
    const double ms = fastest(trials);
    if (ms > 0)
      words += fmt::format(" {:.4f} ms ({:.1f} TFLOP/s)", ms,
                           static_cast<double>(flops_of(launch)) / ms / 1e9);
  }
  return out;
}

// Of a whole program, its launches as one graph.
Result<double> whole_ms(const CudaDevice& device, const Graph& graph, TuningMemory& memory) {
  auto plan = lower(graph, device.refusal());
  if (!plan) return std::move(plan).error();
  const auto program = DeviceProgram::load(device, *std::move(plan), memory);
  if (!program) return program.error();
  std::vector<double> times;
  for (int i = -2; i < kRuns; ++i) {
    Stopwatch watch(device);
    if (auto status = watch.start(); !status) return std::move(status).error();
    if (auto status = (*program)->replay(); !status) return std::move(status).error();
    const auto ms = watch.stop_ms();
    if (!ms) return ms.error();
    if (i >= 0) times.push_back(*ms);
  }
  return median(times);
}

// A mutant as it is and corrected in every way that is open, beside its original.
Json mutant_row(const CudaDevice& device, const CaseFile& read, std::string& words) {
  TuningMemory memory;
  Json out;
  const auto add = [&](const std::string& what, const Graph& graph) {
    const auto ms = whole_ms(device, graph, memory);
    out[what] = ms ? Json(*ms) : Json(ms.error().message);
    words += ms ? fmt::format(", {} {:.4f} ms", what, *ms) : fmt::format(", {} failed", what);
  };
  const Graph& original = read.original.graph;
  const Graph& mutant = read.mutant.graph;
  add("original", original);
  add("mutant", mutant);
  const Verdict verdict = BitmapChecker().check(original, mutant, {});
  if (verdict.outcome != Outcome::Partial || verdict.outputs.size() != 1) return out;
  for (const Correction& one : corrections(original, mutant, verdict.outputs[0].wrong)) {
    if (one.program) add(std::string(to_string(one.way)), *one.program);
  }
  return out;
}

}  // namespace

PhaseResult operators(const CudaDevice& device, const std::filesystem::path& cases, Size size,
                      const TimeLeft& seconds_left) {
  PhaseResult out;
  const auto folder = ScratchFolder::make("pet_device_check");
  if (!folder) return {{{"error", folder.error().message}}, 1, folder.error().message};
  int done = 0;
  for (const std::string& name : datasets::models_named("operators")) {
    if (seconds_left() < 5) break;
    const auto file = folder->path() / "row.onnx";
    if (const auto built = datasets::build_model({.name = name, .tiny = size == Size::Tiny}, file);
        !built)
      continue;
    const auto model = read_model(file);
    std::string words;
    const auto found = model ? row(device, model->graph, words) : Result<Json>(model.error());
    out.json[name] = found ? *found : Json(found.error().message);
    out.wrong += found ? 0 : 1;
    out.line += fmt::format("\n  {:<36}{}", name, found ? words : found.error().message);
    ++done;
  }
  for (const char* name : kMutants) {
    const auto read = read_case(cases / "mutants" / (std::string(name) + ".txt"));
    if (!read || seconds_left() < 5) continue;
    std::string words;
    out.json[name] = mutant_row(device, *read, words);
    out.line +=
        fmt::format("\n  {:<36}{}", name, words.substr(std::min<std::size_t>(1, words.size())));
    ++done;
  }
  out.line = fmt::format("{} rows{}", done, out.line);
  return out;
}

}  // namespace pet::app
