#include "app/pet-verify/report.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/common/machine.h"
#include "core/util/printable.h"

namespace pet::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kBoxesInText = 8;

double percent_wrong(const OutputVerdict& output) {
  return output.elements == 0 ? 0
                              : 100 * static_cast<double>(output.elements - output.equal) /
                                    static_cast<double>(output.elements);
}

// JSON knows neither infinities nor NaN.
Json finite(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }

std::string describe(const OutputVerdict& output) {
  std::string out =
      fmt::format("  output {}: {}", printable(output.name), to_string(output.outcome));
  if (output.outcome != Outcome::Equivalent && output.elements > 0) {
    out += fmt::format(", {} of {} elements not equal ({:.4g} %)", output.elements - output.equal,
                       output.elements, percent_wrong(output));
    if (output.undecided > 0) out += fmt::format(", {} of them undecided", output.undecided);
  }
  out += "\n";
  if (output.outcome == Outcome::Partial && output.wrong.empty())
    out += "    in too many boxes to list\n";
  if (output.outcome == Outcome::Partial && !output.wrong.empty()) {
    Region shown{output.wrong.basis, output.wrong.boxes};
    if (shown.boxes.size() > kBoxesInText) shown.boxes.resize(kBoxesInText);
    out += fmt::format("    {} boxes: {}{}\n", output.wrong.boxes.size(), to_string(shown),
                       shown.boxes.size() < output.wrong.boxes.size() ? " ..." : "");
  }
  if (const auto& witness = output.witness) {
    out += fmt::format(
        "    with the stored weights at {}: {:.9g} against {:.9g} (inputs of seed {})\n",
        to_string(witness->position), witness->original, witness->mutant, witness->seed);
  }
  return out;
}

Json json_of(const OutputVerdict& output) {
  Json boxes = Json::array();
  for (const Box& box : output.wrong.boxes) boxes.push_back({{"low", box.low}, {"high", box.high}});
  Json out{{"name", printable(output.name)},
           {"verdict", to_string(output.outcome)},
           {"elements", output.elements},
           {"equal", output.equal},
           {"different", output.different},
           {"undecided", output.undecided},
           {"percent_wrong", percent_wrong(output)},
           {"digits", output.wrong.basis.digits},
           {"wrong", std::move(boxes)},
           {"reason", output.reason}};
  if (const auto& witness = output.witness) {
    out["witness"] = {{"weights", "stored"},
                      {"seed", witness->seed},
                      {"position", witness->position},
                      {"original", finite(witness->original)},
                      {"mutant", finite(witness->mutant)}};
  }
  return out;
}

Json head(std::string_view verdict, std::string_view reason, const Run& run) {
  Json files = Json::array();
  for (const auto& file : run.files) files.push_back(printable(file.string()));
  return {{"tool", "pet-verify " PET_VERSION},
          {"files", std::move(files)},
          {"verdict", verdict},
          {"reason", reason}};
}

std::string finished(Json json, const Run& run) {
  if (run.has_expectation) json["as_expected"] = run.deviation.empty();
  if (!run.deviation.empty()) json["deviation"] = run.deviation;
  json["seconds"] = run.seconds;
  json["peak_rss_mib"] = peak_rss_mib();
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string constants_line(const Verdict& verdict) {
  if (verdict.weight_programs == 0) return {};
  std::string out =
      fmt::format("  {} constants follow from the first file's weights", verdict.weight_programs);
  if (verdict.inexact_constants > 0) {
    out += fmt::format(", {} of them not to the nearest float: off by {} at most",
                       verdict.inexact_constants, verdict.max_ulp);
  }
  return out + "\n";
}

std::string proof_line(const Verdict& verdict, const Run& run) {
  if (verdict.proof_seed.empty() && std::isfinite(verdict.log2_error))
    return fmt::format("  {:.2f} s\n", run.seconds);
  const std::string error = std::isfinite(verdict.log2_error)
                                ? fmt::format("2^{:.1f}", verdict.log2_error)
                                : "none, identical";
  return fmt::format("  error {}, {} primes, growth {:.3g}, {:.2f} s, proof_seed {}{}\n", error,
                     verdict.primes, verdict.growth, run.seconds, printable(verdict.proof_seed),
                     verdict.reproduced ? " (given)" : "");
}

}  // namespace

std::string text_report(const Verdict& verdict, const Run& run) {
  std::string out(to_string(verdict.outcome));
  if (!verdict.reason.empty()) out += ": " + verdict.reason;
  out += "\n";
  for (const OutputVerdict& output : verdict.outputs) out += describe(output);
  for (const auto& [name, size] : verdict.proved_at)
    out += fmt::format("  at {} = {} only\n", printable(name), size);
  out += constants_line(verdict);
  out += proof_line(verdict, run);
  if (run.has_expectation)
    out += run.deviation.empty() ? "as expected\n" : "NOT AS EXPECTED: " + run.deviation + "\n";
  return out;
}

std::string json_report(const Verdict& verdict, const Run& run) {
  Json json = head(to_string(verdict.outcome), verdict.reason, run);
  Json outputs = Json::array();
  for (const OutputVerdict& output : verdict.outputs) outputs.push_back(json_of(output));
  json["outputs"] = std::move(outputs);
  const bool proved = !verdict.proof_seed.empty();
  json["identical"] = std::isinf(verdict.log2_error);
  json["log2_error"] = proved ? finite(verdict.log2_error) : Json(nullptr);
  json["primes"] = verdict.primes;
  json["growth"] = finite(verdict.growth);
  json["proof_seed"] = printable(verdict.proof_seed);
  json["reproduced"] = verdict.reproduced;
  json["proved_at"] = Json::object();
  for (const auto& [name, size] : verdict.proved_at) json["proved_at"][printable(name)] = size;
  json["all_sizes"] = verdict.all_sizes;
  json["constants"] = {{"folded", verdict.weight_programs},
                       {"count", verdict.inexact_constants},
                       {"max_ulp", verdict.max_ulp}};
  return finished(std::move(json), run);
}

std::string json_report(const Error& error, const Run& run) {
  return finished(head(to_string(error.kind), error.message, run), run);
}

}  // namespace pet::app
