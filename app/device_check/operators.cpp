#include <fmt/format.h>

#include <algorithm>

#include "app/device_check/phases.h"
#include "core/backend/scratch_folder.h"
#include "core/onnx/model.h"
#include "datasets/models/models.h"
#include "gpu/device/program.h"
#include "gpu/lower/lower.h"

namespace pet::app {
namespace {

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
Result<Json> row(const CudaDevice& device, const std::filesystem::path& file, std::string& words) {
  const auto model = read_model(file);
  if (!model) return model.error();
  auto plan = lower(model->graph, device.refusal());
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
                   {"trials", trials_json(trials)}});
    const double ms = fastest(trials);
    if (ms > 0)
      words += fmt::format(" {:.4f} ms ({:.1f} TFLOP/s)", ms,
                           static_cast<double>(flops_of(launch)) / ms / 1e9);
  }
  return out;
}

}  // namespace

PhaseResult operators(const CudaDevice& device, Size size, const TimeLeft& seconds_left) {
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
    std::string words;
    const auto found = row(device, file, words);
    out.json[name] = found ? *found : Json(found.error().message);
    out.wrong += found ? 0 : 1;
    out.line += fmt::format("\n  {:<36}{}", name, found ? words : found.error().message);
    ++done;
  }
  out.line = fmt::format("{} rows{}", done, out.line);
  return out;
}

}  // namespace pet::app
