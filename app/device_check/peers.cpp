#include <fmt/format.h>

#include <cstdlib>
#include <fstream>

#include "app/device_check/phases.h"
#include "core/backend/scratch_folder.h"
#include "datasets/models/models.h"

namespace pet::app {
namespace {

namespace fs = std::filesystem;

// Whoever hangs is ended: the script is given what is left, and no more.
int run_script(const fs::path& script, const fs::path& models, const fs::path& answer,
               double seconds) {
  return std::system(fmt::format("timeout -k 1 {0:.0f} python3 '{1}' --seconds {0:.0f} --out '{2}' "
                                 "'{3}'/*.onnx >/dev/null 2>&1",
                                 seconds, script.string(), answer.string(), models.string())
                         .c_str());
}

}  // namespace

PhaseResult peers(const fs::path& script, Size size, const fs::path& out,
                  const TimeLeft& seconds_left) {
  const auto folder = ScratchFolder::make("pet_device_check");
  if (!folder) return {{{"error", folder.error().message}}, 1, folder.error().message};
  // Models are written while there is time to time them.
  const double half = seconds_left() / 2;
  for (const auto& [name, batch] : kModels) {
    if (seconds_left() < half) break;
    (void)datasets::build_model({.name = name, .tiny = size == Size::Tiny, .batch = batch},
                                folder->path() / fmt::format("{}.b{}.onnx", name, batch));
  }
  const fs::path answer = out / "peers.part";
  const int code = run_script(script, folder->path(), answer, std::max(1.0, seconds_left() - 3));
  std::ifstream in(answer);
  Json json = Json::parse(in, nullptr, false);
  std::error_code failed;
  fs::remove(answer, failed);
  // That there is nobody to compare with is no fault of this device.
  if (!json.is_object())
    return {{{"missing", {{"python3", fmt::format("the script ended with {}", code)}}}},
            0,
            "python3 or the script is not there"};
  const Json missing = json.value("missing", Json::object());
  const Json timed = json.value("models", Json::object());
  PhaseResult result{json, 0, ""};
  for (const auto& [what, why] : missing.items())
    result.line += fmt::format("\n  {}: {}", what, why.is_string() ? why.get<std::string>() : "?");
  for (const auto& [model, times] : timed.items()) {
    result.line += fmt::format("\n  {:<24}", model);
    for (const auto& [peer, ms] : times.items())
      result.line += ms.is_number() ? fmt::format(" {} {:.3f} ms", peer, ms.get<double>())
                                    : fmt::format(" {}: failed", peer);
  }
  return result;
}

}  // namespace pet::app
