#include "app/common/target.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "app/common/command_line.h"
#include "app/common/machine.h"
#include "app/common/split_command.h"
#include "core/backend/reference.h"
#include "core/backend/runtime.h"
#include "core/util/printable.h"

namespace pet::app {

namespace {

enum class Handing { ByPath, ByContent };

Result<Target> started(std::vector<std::string> command, Handing handing, std::stop_token stop) {
  Runtime::Options options{.command = command, .by_content = handing == Handing::ByContent};
  const char* limit = std::getenv("PET_WORKER_TIMEOUT");
  if (limit != nullptr && *limit != '\0') {
    auto seconds = parse_seconds(limit);
    if (!seconds) return std::move(seconds).error().within("PET_WORKER_TIMEOUT");
    options.timeout = std::chrono::milliseconds(static_cast<std::int64_t>(*seconds * 1000));
    options.start_timeout = options.timeout;
  }
  auto runtime = Runtime::start(std::move(options), std::move(stop));
  if (!runtime) return std::move(runtime).error();
  return Target{*std::move(runtime), std::move(command)};
}

Result<Target> start_named(const std::string& what, const std::string& text, std::stop_token stop) {
  auto command = split_command(text);
  if (!command) return std::move(command).error().within(what);
  return started(*std::move(command), Handing::ByContent, std::move(stop));
}

// Installed beside this program, or built beside its folder.
Result<Target> start_own_cuda_worker(const std::vector<std::string>& flags, std::stop_token stop) {
  std::error_code failed;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", failed).parent_path();
  for (const auto& place :
       {folder / "pet-worker", folder.parent_path() / "pet-worker/pet-worker"}) {
    if (!std::filesystem::is_regular_file(place, failed)) continue;
    std::vector<std::string> command = {place.string(), "--backend", "cuda"};
    command.insert(command.end(), flags.begin(), flags.end());
    return started(std::move(command), Handing::ByPath, std::move(stop));
  }
  return Error{"there is no pet-worker beside this program; name one by --worker", ErrorKind::Tool};
}

}  // namespace

Result<Target> start_worker(std::vector<std::string> command, std::stop_token stop) {
  return started(std::move(command), Handing::ByPath, std::move(stop));
}

Result<Target> start_emulated(std::stop_token stop) {
  return start_own_cuda_worker({"--emulate"}, std::move(stop));
}

void add_precision_option(CLI::App& command, std::string& precision) {
  command
      .add_option("--precision", precision,
                  "of products on the GPU of this machine: fp32, or tf32, whose times are never "
                  "compared with those of fp32")
      ->check(CLI::IsMember({"fp32", "tf32"}));
}

void add_target_options(CLI::App& command, TargetFlags& target) {
  command
      .add_option("--target", target.name,
                  "the runtime: ort (ONNX Runtime), cuda (an NVIDIA GPU), or reference (slow, in "
                  "this process)")
      ->capture_default_str()
      ->check(CLI::IsMember({"ort", "cuda", "reference"}));
  command.add_option("--worker", target.worker,
                     "what it runs in is behind that command, here or elsewhere: 'ssh host "
                     "pet-worker --backend cuda'");
  add_precision_option(command, target.precision);
}

Status check_threads(const TargetFlags& target, int threads) {
  if (target.name != "cuda" || threads == 0) return Done{};
  return Error{"--threads: of a GPU there are none to choose", ErrorKind::Usage};
}

Result<Target> start_target(const TargetFlags& target, std::stop_token stop) {
  const char* named = std::getenv("PET_CUDA_WORKER");
  const bool names_worker = named != nullptr && *named != '\0';
  const bool is_own_gpu = target.name == "cuda" && target.worker.empty() && !names_worker;
  if (!target.precision.empty() && !is_own_gpu)
    return Error{
        "--precision: that of the GPU of this machine (--target cuda); a worker has it in "
        "its own command",
        ErrorKind::Usage};
  if (!target.worker.empty()) return start_named("--worker", target.worker, std::move(stop));
  if (target.name == "ort") {
    auto command = worker_command();
    if (!command) return std::move(command).error();
    return start_worker(*std::move(command), std::move(stop));
  }
  if (target.name == "cuda") {
    if (names_worker) return start_named("PET_CUDA_WORKER", named, std::move(stop));
    std::vector<std::string> flags;
    if (!target.precision.empty()) flags = {"--precision", target.precision};
    return start_own_cuda_worker(flags, std::move(stop));
  }
  auto reference =
      std::make_unique<ReferenceBackend>(BackendInfo{.name = "reference",
                                                     .version = PET_VERSION,
                                                     .device = cpu_name(),
                                                     .threads = static_cast<int>(all_threads())});
  return Target{std::move(reference), {"pet", "/proc/self/exe"}};
}

Result<std::optional<std::string>> refusal_of(Backend& backend, const std::filesystem::path& file,
                                              const LoadOptions& options, std::stop_token stop) {
  auto loaded = backend.load(file, options, std::move(stop));
  if (loaded) {
    backend.unload(loaded->id);
    return std::optional<std::string>();
  }
  if (loaded.error().kind != ErrorKind::Unsupported) return std::move(loaded).error();
  return std::optional(std::move(loaded).error().message);
}

Status check_runs(Backend& backend, const std::filesystem::path& file, const LoadOptions& options,
                  std::stop_token stop) {
  auto refusal = refusal_of(backend, file, options, std::move(stop));
  const bool is_tool = refusal ? refusal->has_value() : refusal.error().kind == ErrorKind::Tool;
  if (refusal && !*refusal) return Done{};
  Error error = refusal ? Error{**refusal, ErrorKind::Tool} : std::move(refusal).error();
  if (is_tool) error.message += "; what is measured must run in " + backend.info().name;
  return error;
}

}  // namespace pet::app
