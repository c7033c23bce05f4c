// Checks a device of NVIDIA in one command: what it is, and whether it computes what programs mean.
// Ends inside of its budget whatever hangs, and writes after every phase.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <fstream>
#include <iostream>
#include <thread>

#include "app/device_check/phases.h"
#include "core/util/steady_seconds.h"

namespace pet::app {
namespace {

constexpr int kAllRight = 0;
constexpr int kWrong = 1;
constexpr int kNoDevice = 3;

struct Options {
  std::string out = "device_check";
  std::string cases = "tests/cases";
  double budget = 240;
  std::string only;
  int device = 0;
  bool tf32 = false;
  bool tiny = false;
};

// A driver that hangs cannot be asked to stop: the process ends, with what was written so far.
void end_at(double seconds) {
  std::thread([seconds] {
    std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
    static constexpr char kSaid[] =
        "device_check: the budget is spent; what was measured is written\n";
    (void)!write(STDERR_FILENO, kSaid, sizeof kSaid - 1);
    _exit(kWrong);
  }).detach();
}

void save(const std::filesystem::path& file, const Json& json) {
  std::ofstream(file) << json.dump(1) << "\n";
}

int check(const Options& options) {
  const auto started = std::chrono::steady_clock::now();
  end_at(options.budget);
  const auto left_of = [&](double seconds) {
    const auto until =
        std::min(options.budget,
                 std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count() +
                     seconds);
    return TimeLeft([=] {
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - started;
      return until - spent.count();
    });
  };
  const auto device =
      CudaDevice::open(options.device, options.tf32 ? Precision::Tf32 : Precision::Fp32);
  if (!device) {
    fmt::print(stderr, "device_check: {}\n", device.error().message);
    return kNoDevice;
  }
  std::filesystem::create_directories(options.out);
  const Size size = options.tiny ? Size::Tiny : Size::Full;
  int wrong = 0;
  std::string table;
  const auto phase = [&](const std::string& name, double seconds, const auto& run) {
    if (!options.only.empty() && options.only != name) return;
    const PhaseResult result = run(left_of(seconds));
    save(std::filesystem::path(options.out) / (name + ".json"), result.json);
    wrong += result.wrong;
    table += fmt::format("{:<12} {}\n", name, result.line);
    fmt::print("{:<12} {}\n", name, result.line);
    std::fflush(stdout);
  };
  phase("facts", 20, [&](const TimeLeft& left) { return facts(**device, left); });
  phase("conformance", 90,
        [&](const TimeLeft& left) { return conformance(**device, options.cases, left); });
  phase("operators", 40, [&](const TimeLeft& left) { return operators(**device, size, left); });
  phase("models", 90, [&](const TimeLeft& left) {
    return models(options.device, (*device)->precision(), size, left);
  });
  std::ofstream(std::filesystem::path(options.out) / "table.txt") << table;
  return wrong == 0 ? kAllRight : kWrong;
}

}  // namespace
}  // namespace pet::app

int main(int argc, char** argv) {
  pet::app::Options options;
  CLI::App app(
      "Checks a GPU: what it is, and whether it computes what programs mean. Exit code 0: "
      "all is right, 1: something is wrong, 3: no device, or a library is missing");
  app.name("device_check");
  app.add_option("--out", options.out, "folder for what was found")->capture_default_str();
  app.add_option("--cases", options.cases, "folder of cases, as tests/cases")
      ->capture_default_str();
  app.add_option("--budget", options.budget, "seconds after which it ends")
      ->capture_default_str()
      ->check(CLI::Range(10.0, 3600.0));
  app.add_option("--only", options.only, "one phase")
      ->check(CLI::IsMember({"facts", "conformance", "operators", "models"}));
  app.add_option("--device", options.device, "which one")->check(CLI::NonNegativeNumber);
  app.add_flag("--tf32", options.tf32, "products in TensorFloat-32");
  app.add_flag("--tiny", options.tiny,
               "operators and models with few channels: does all of it run?");
  CLI11_PARSE(app, argc, argv);
  return pet::app::check(options);
}
