// pet-worker: a backend behind the worker protocol, on this machine or another one.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <ext/stdio_filebuf.h>
#include <iostream>

#include "app/common/command_line.h"
#include "app/common/commands.h"
#include "app/common/machine.h"
#include "app/pet-worker/build.h"
#include "app/pet-worker/serve.h"
#include "core/backend/reference.h"
#include "core/backend/runtime.h"
#include "core/util/printable.h"
#include "gpu/backend.h"
#include "gpu/cuda.h"

namespace pet::app {
namespace {

struct WorkerOptions {
  std::string backend = "ort";
  bool emulate = false;
  int device = 0;
  std::string precision = "fp32";
  std::string fusion = "all";
  std::string tune = "quick";
  std::size_t memory = 0;
  std::string store;
  bool version = false;
};

// ONNX Runtime is served by the worker in Python, which takes this one's place.
int become_python(const WorkerOptions& options) {
  auto command = worker_command();
  if (!command) return fail("pet-worker", command.error());
  if (options.version) command->push_back("--version");
  std::vector<char*> argv;
  for (std::string& word : *command) argv.push_back(word.data());
  argv.push_back(nullptr);
  execv(argv[0], argv.data());
  return fail("pet-worker",
              Error{fmt::format("{} cannot be started", command->front()), ErrorKind::Tool});
}

Result<std::unique_ptr<Backend>> backend_of(const WorkerOptions& options) {
  if (options.backend == "reference")
    return std::unique_ptr<Backend>(std::make_unique<ReferenceBackend>(
        BackendInfo{.name = "reference",
                    .version = PET_VERSION,
                    .device = cpu_name(),
                    .threads = static_cast<int>(all_threads())}));
  const gpu::CudaOptions cuda{
      .precision = options.precision == "tf32" ? gpu::Precision::Tf32 : gpu::Precision::Fp32,
      .tuning = options.tune == "full" ? gpu::Tuning::Full : gpu::Tuning::Quick,
      .memory = options.memory};
  const auto fusion = options.fusion == "none" ? gpu::Fusion::None : gpu::Fusion::All;
  auto device = options.emulate
                    ? Result(gpu::emulated_device(PET_VERSION))
                    : gpu::cuda_device(options.device, cuda, [](const std::string& what) {
                        fmt::print(stderr, "pet-worker: {}\n", printable(what));
                      });
  if (!device) return std::move(device).error();
  return std::unique_ptr<Backend>(std::make_unique<gpu::GpuBackend>(*std::move(device), fusion));
}

int work(const WorkerOptions& options) {
  // Libraries print to file descriptor 1: the protocol keeps a copy of it, all else goes to stderr.
  __gnu_cxx::stdio_filebuf<char> protocol(dup(STDOUT_FILENO), std::ios::out);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  std::ostream out(&protocol);
  auto store = BlobStore::open(options.store);
  if (!store) return fail("pet-worker", store.error());
  const auto backend = backend_of(options);
  if (!backend) return fail("pet-worker", backend.error());
  serve(**backend, *store, {.build = build_digest(), .memory = machine_memory()}, std::cin, out);
  return kDone;
}

int run(int argc, char** argv) {
  WorkerOptions options;
  CLI::App app("pet-worker: runs and times programs for `pet`, which asks it in JSON lines");
  app.name("pet-worker");
  app.add_option("--backend", options.backend, "what programs run in")
      ->capture_default_str()
      ->check(CLI::IsMember({"ort", "reference", "cuda"}));
  app.add_flag("--emulate", options.emulate,
               "cuda without a GPU: everything is computed here, and nothing has a time");
  app.add_option("--device", options.device, "which GPU")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  app.add_option("--precision", options.precision, "of products on a GPU")
      ->capture_default_str()
      ->check(CLI::IsMember({"fp32", "tf32"}));
  app.add_option("--fusion", options.fusion,
                 "what is computed together on a GPU: all that can be, or none")
      ->capture_default_str()
      ->check(CLI::IsMember({"all", "none"}));
  app.add_option("--tune", options.tune,
                 "ways that are timed for a convolution: the likeliest ones, or all")
      ->capture_default_str()
      ->check(CLI::IsMember({"quick", "full"}));
  app.add_option("--memory", options.memory,
                 "that may be taken on a GPU, as 4G; by default four fifths of what is free")
      ->transform(CLI::AsSizeValue(false));
  app.add_option("--store", options.store,
                 "folder for what is sent here; by default one that is deleted in the end");
  app.add_flag("--version", options.version, "what would be served");
  if (const auto code = parse_or_tell(app, argc, argv)) return *code;
  if (options.backend == "ort") return become_python(options);
  if (options.version) {
    fmt::print("pet-worker, protocol {}, {} {}\n", kWorkerProtocol, options.backend, PET_VERSION);
    return kDone;
  }
  return work(options);
}

}  // namespace
}  // namespace pet::app

int main(int argc, char** argv) {
  return pet::app::guarded("pet-worker", [&] { return pet::app::run(argc, argv); });
}
