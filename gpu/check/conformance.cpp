#include <fmt/format.h>

#include <algorithm>

#include "core/onnx/text.h"
#include "gpu/check/numbers.h"
#include "gpu/check/phases.h"
#include "gpu/device/program.h"
#include "gpu/lower/lower.h"

namespace pet::gpu {
namespace {

namespace fs = std::filesystem;

constexpr double kTolerance = 1e-5;
constexpr double kRoundings = 8;

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

struct Verdict {
  enum class Kind { Right, Refused, Wrong } kind = Kind::Right;
  std::string why;
  double off = 0;
};

Verdict wrong(const std::string& why, double off = 0) { return {Verdict::Kind::Wrong, why, off}; }

Verdict compared(const Graph& graph, const Numbers& inputs, const Numbers& outputs, Rng& rng) {
  const auto expected = by_definition(graph, inputs);
  if (!expected) return {Verdict::Kind::Refused, "the reference does not compute it", 0};
  const auto off = difference(graph, outputs, *expected);
  if (!off) return wrong("no number where there should be one");
  if (*off <= kTolerance || *off <= kRoundings * sensitivity(graph, inputs, rng))
    return {Verdict::Kind::Right, "", *off};
  return wrong(fmt::format("off by {:.3g} of the largest value of a channel", *off), *off);
}

Verdict check(const CudaDevice& device, const Graph& graph, Rng& rng) {
  auto plan = lower(graph);
  if (!plan) return {Verdict::Kind::Refused, plan.error().message, 0};
  auto program = DeviceProgram::load(device, *std::move(plan));
  if (!program) {
    const bool refused = program.error().kind == ErrorKind::Unsupported;
    return {refused ? Verdict::Kind::Refused : Verdict::Kind::Wrong, program.error().message, 0};
  }
  const Numbers inputs = drawn_inputs(graph, Drawn::Positive, rng);
  const std::vector<std::span<const float>> spans(inputs.begin(), inputs.end());
  const auto outputs = (*program)->run(spans, Poison::Yes);
  if (!outputs) return wrong(outputs.error().message);
  const Verdict first = compared(graph, inputs, *outputs, rng);
  if (first.kind != Verdict::Kind::Right) return first;
  if (auto status = (*program)->replay(Poison::Yes); !status) return wrong(status.error().message);
  const auto again = (*program)->outputs();
  if (!again) return wrong(again.error().message);
  return compared(graph, inputs, *again, rng);
}

constexpr const char* word(Verdict::Kind kind) {
  switch (kind) {
    case Verdict::Kind::Right:
      return "right";
    case Verdict::Kind::Refused:
      return "refused";
    case Verdict::Kind::Wrong:
      return "wrong";
  }
  return "?";
}

}  // namespace

PhaseResult conformance(const CudaDevice& device, const fs::path& cases,
                        const TimeLeft& seconds_left) {
  PhaseResult out;
  Rng rng(1);
  int right = 0, refused = 0, left = 0;
  double worst = 0;
  Json list = Json::array();
  const auto add = [&](const std::string& name, const Graph& graph) {
    const Verdict verdict = check(device, graph, rng);
    right += verdict.kind == Verdict::Kind::Right ? 1 : 0;
    refused += verdict.kind == Verdict::Kind::Refused ? 1 : 0;
    out.wrong += verdict.kind == Verdict::Kind::Wrong ? 1 : 0;
    if (verdict.kind == Verdict::Kind::Right) worst = std::max(worst, verdict.off);
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
  }
  out.json = {{"right", right},
              {"wrong", out.wrong},
              {"refused", refused},
              {"files_left_for_want_of_time", left},
              {"largest_difference", worst},
              {"cases", std::move(list)}};
  out.line = fmt::format("{} right, {} wrong, {} refused, {} files left for want of time", right,
                         out.wrong, refused, left);
  return out;
}

}  // namespace pet::gpu
