// Checks a device of NVIDIA in one command: what it is, and whether it computes what programs mean.
// Ends inside of its budget whatever hangs, and writes after every phase.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <thread>

#include "app/common/command_line.h"
#include "app/common/commands.h"
#include "app/device_check/phases.h"
#include "core/util/steady_seconds.h"

namespace pet::app {
namespace {

constexpr int kAllRight = 0;
constexpr int kWrong = 1;
constexpr int kNoDevice = 3;
constexpr double kOfBudget = 0.8;

struct Options {
  std::string out = "device_check";
  std::string cases = "tests/cases";
  std::string peers = "app/device_check/peers.py";
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

// What is printed, kept as well.
class Log {
 public:
  explicit Log(const std::filesystem::path& file) : file_(file) {}
  void say(const std::string& line) {
    fmt::print("{}\n", line);
    std::fflush(stdout);
    file_ << line << std::endl;  // NOLINT: whatever hangs next, this is written
  }

 private:
  std::ofstream file_;
};

// The same phase in TF32, by a process of its own: what keeps libraries from it holds for all of a
// process.
Json in_tf32(const Options& options, double seconds) {
  const auto folder = std::filesystem::path(options.out) / "tf32";
  std::error_code failed;
  const std::string self = std::filesystem::read_symlink("/proc/self/exe", failed).string();
  const std::string command = fmt::format(
      "NVIDIA_TF32_OVERRIDE=1 timeout -k 1 {0:.0f} '{1}' --tf32 --only operators --budget {0:.0f} "
      "--device {2} --cases '{3}' --out '{4}'{5} >/dev/null 2>&1",
      seconds, self, options.device, options.cases, folder.string(), options.tiny ? " --tiny" : "");
  const int code = std::system(command.c_str());
  std::ifstream in(folder / "operators.json");
  Json out = Json::parse(in, nullptr, false);
  if (out.is_discarded()) out = fmt::format("nothing came of it, exit code {}", code);
  std::filesystem::remove_all(folder, failed);
  return out;
}

int check(const Options& options) {
  const auto started = std::chrono::steady_clock::now();
  end_at(options.budget);
  const auto spent = [started] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  };
  const auto left_of = [&](double seconds) {
    // What is begun inside of its time ends a little after it.
    const double until = std::min(kOfBudget * options.budget, spent() + kOfBudget * seconds);
    return TimeLeft([=] { return until - spent(); });
  };
  const auto device = CudaDevice::open(
      options.device, {.precision = options.tf32 ? Precision::Tf32 : Precision::Fp32});
  if (!device) {
    fmt::print(stderr, "device_check: {}\n", device.error().message);
    return kNoDevice;
  }
  std::filesystem::create_directories(options.out);
  Log log(std::filesystem::path(options.out) / "log.txt");
  const Size size = options.tiny ? Size::Tiny : Size::Full;
  int wrong = 0;
  const auto phase = [&](const std::string& name, double seconds, const auto& run) {
    if (!options.only.empty() && options.only != name) return;
    const PhaseResult result = run(left_of(seconds));
    save(std::filesystem::path(options.out) / (name + ".json"), result.json);
    wrong += result.wrong;
    log.say(fmt::format("{:<12} {}", name, result.line));
  };
  phase("facts", 20, [&](const TimeLeft& left) { return facts(**device, left); });
  phase("conformance", 50,
        [&](const TimeLeft& left) { return conformance(**device, options.cases, left); });
  phase("operators", 40, [&](const TimeLeft& left) {
    const double half = left() / 2;
    const double until = left() - half;
    auto out = operators(**device, options.cases, size,
                         options.tf32 ? left : TimeLeft([=] { return left() - until; }));
    if (!options.tf32 && left() > 10) out.json["tf32"] = in_tf32(options, left());
    return out;
  });
  phase("models", 90, [&](const TimeLeft& left) {
    return models((*device)->precision(), options.device, size, options.out, left);
  });
  phase("peers", 40,
        [&](const TimeLeft& left) { return peers(options.peers, size, options.out, left); });
  log.say(wrong == 0 ? "all right" : fmt::format("{} wrong", wrong));
  return wrong == 0 ? kAllRight : kWrong;
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app(
      "Checks a GPU: what it is, and whether it computes what programs mean. Exit code 0: "
      "all is right, 1: something is wrong, 2: usage, 3: no device, or a library is missing");
  app.name("device_check");
  app.add_option("--out", options.out, "folder for what was found")->capture_default_str();
  app.add_option("--cases", options.cases, "folder of cases, as tests/cases")
      ->capture_default_str();
  app.add_option("--peers", options.peers, "the script that times other runtimes")
      ->capture_default_str();
  app.add_option("--budget", options.budget, "seconds after which it ends")
      ->capture_default_str()
      ->check(CLI::Range(10.0, 3600.0));
  app.add_option("--only", options.only, "one phase")
      ->check(CLI::IsMember({"facts", "conformance", "operators", "models", "peers"}));
  app.add_option("--device", options.device, "which one")->check(CLI::NonNegativeNumber);
  app.add_flag("--tf32", options.tf32, "products in TensorFloat-32");
  app.add_flag("--tiny", options.tiny,
               "operators and models with few channels: does all of it run?");
  if (const auto code = parse_or_tell(app, argc, argv)) return *code;
  return check(options);
}

}  // namespace
}  // namespace pet::app

int main(int argc, char** argv) {
  return pet::app::guarded("device_check", [&] { return pet::app::run(argc, argv); });
}
