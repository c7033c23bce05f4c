#include <fmt/format.h>

#include <algorithm>

#include "app/device_check/phases.h"
#include "core/onnx/text.h"
#include "core/program/correct/corrections.h"
#include "gpu/check/numbers.h"
#include "gpu/device/program.h"
#include "gpu/lower/lower.h"
#include "verify/pairs/bitmap_checker.h"

namespace pet::app {
namespace {

namespace fs = std::filesystem;

// Of the operators and of the mutants. Other cases are about numbers beyond floats.
std::vector<fs::path> case_files(const fs::path& folder) {
  std::vector<fs::path> out;
  for (const char* kind : {"mutants", "ops"}) {
    std::error_code failed;
    for (fs::directory_iterator it(folder / kind, failed), end; !failed && it != end;
         it.increment(failed)) {
      if (it->path().extension() == ".txt") out.push_back(it->path());
    }
  }
  std::ranges::sort(out);
  return out;
}

struct OnDevice {
  enum class Kind { Right, Refused, Wrong } kind = Kind::Right;
  std::string why;
  double off = 0;
};

OnDevice wrong(const std::string& why, double off = 0) { return {OnDevice::Kind::Wrong, why, off}; }

OnDevice compared(const Graph& graph, const Numbers& inputs, const Numbers& outputs) {
  const auto found = distance(graph, inputs, outputs);
  if (!found) return {OnDevice::Kind::Refused, "the reference does not compute it", 0};
  if (found->is_right()) return {OnDevice::Kind::Right, "", found->off};
  if (found->is_explained())
    return {OnDevice::Kind::Right, "explained by rounding inside of functions", found->off};
  return wrong(fmt::format("off by {:.3g} of the largest value of a channel, {:.3g} in floats",
                           found->off, found->in_floats),
               found->off);
}

OnDevice check(const CudaDevice& device, const Graph& graph, TuningMemory& memory, Rng& rng) {
  auto plan = lower(graph, device.refusal());
  if (!plan) return {OnDevice::Kind::Refused, plan.error().message, 0};
  auto program = DeviceProgram::load(device, *std::move(plan), memory);
  if (!program) {
    const bool refused = program.error().kind == ErrorKind::Unsupported;
    return {refused ? OnDevice::Kind::Refused : OnDevice::Kind::Wrong, program.error().message, 0};
  }
  const Numbers inputs = drawn_inputs(graph, Drawn::Positive, rng);
  const std::vector<std::span<const float>> spans(inputs.begin(), inputs.end());
  const auto outputs = (*program)->run(spans, Poison::Yes);
  if (!outputs) return wrong(outputs.error().message);
  const OnDevice first = compared(graph, inputs, *outputs);
  if (first.kind != OnDevice::Kind::Right) return first;
  if (auto status = (*program)->replay(Poison::Yes); !status) return wrong(status.error().message);
  const auto again = (*program)->outputs();
  if (!again) return wrong(again.error().message);
  return compared(graph, inputs, *again);
}

// By every way to correct it that is open.
std::vector<Graph> corrected_mutants(const Graph& original, const Graph& mutant) {
  std::vector<Graph> out;
  const Verdict verdict = BitmapChecker().check(original, mutant, {});
  if (verdict.outcome != Outcome::Partial || verdict.outputs.size() != 1) return out;
  for (const Correction& one : corrections(original, mutant, verdict.outputs[0].wrong)) {
    if (one.program) out.push_back(*one.program);
  }
  return out;
}

constexpr const char* word(OnDevice::Kind kind) {
  switch (kind) {
    case OnDevice::Kind::Right:
      return "right";
    case OnDevice::Kind::Refused:
      return "refused";
    case OnDevice::Kind::Wrong:
      return "wrong";
  }
  return "?";
}

}  // namespace

PhaseResult conformance(const CudaDevice& device, const fs::path& cases,
                        const TimeLeft& seconds_left) {
  PhaseResult out;
  Rng rng(1);
  TuningMemory memory;
  int right = 0, explained = 0, refused = 0, left = 0;
  double worst = 0;
  Json list = Json::array();
  const auto add = [&](const std::string& name, const Graph& graph) {
    const OnDevice verdict = check(device, graph, memory, rng);
    right += verdict.kind == OnDevice::Kind::Right ? 1 : 0;
    explained += verdict.kind == OnDevice::Kind::Right && !verdict.why.empty() ? 1 : 0;
    refused += verdict.kind == OnDevice::Kind::Refused ? 1 : 0;
    out.wrong += verdict.kind == OnDevice::Kind::Wrong ? 1 : 0;
    if (verdict.kind == OnDevice::Kind::Right) worst = std::max(worst, verdict.off);
    list.push_back({{"case", name},
                    {"verdict", word(verdict.kind)},
                    {"off", verdict.off},
                    {"why", verdict.why}});
  };
  for (const fs::path& file : case_files(cases)) {
    if (seconds_left() < 5) {
      ++left;
      continue;
    }
    const auto read = read_case(file);
    if (!read) continue;
    add(file.stem().string() + " original", read->original.graph);
    add(file.stem().string() + " mutant", read->mutant.graph);
    if (file.parent_path().filename() != "mutants") continue;
    for (const Graph& corrected : corrected_mutants(read->original.graph, read->mutant.graph))
      add(file.stem().string() + " corrected", corrected);
  }
  out.json = {{"right", right},
              {"right_by_rounding_inside_of_functions", explained},
              {"wrong", out.wrong},
              {"refused", refused},
              {"files_left_for_want_of_time", left},
              {"largest_difference", worst},
              {"cases", std::move(list)}};
  out.line = fmt::format("{} right, {} wrong, {} refused, {} files left for want of time", right,
                         out.wrong, refused, left);
  return out;
}

}  // namespace pet::app
