// What models are run and timed in, as the programs start it.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/onnx/model.h"

namespace pet::app {

struct Target {
  std::unique_ptr<Backend> backend;
  std::vector<std::string> command;  // how it was started: the files it names decide on its times
};

// What was asked for: a runtime by its name, or a worker by the command that starts it.
struct TargetFlags {
  std::string name = "ort";
  std::string worker;
  std::string precision = {};  // of products on the GPU of this machine; empty: fp32
};
void add_target_options(CLI::App& command, TargetFlags& target);
void add_precision_option(CLI::App& command, std::string& precision);
// Of a GPU there are no threads to choose: an Error where some were.
Status check_threads(const TargetFlags& target, int threads);

// Where a worker is named it is started, wherever it runs: what it needs is sent to it. Else:
// "ort": ONNX Runtime in a worker; PET_WORKER_TIMEOUT (90s, 2m) is how long that may take to start
// or to answer, machines that are slow at loading large models need more than the usual two
// minutes. "reference": in this process. "cuda": the worker that PET_CUDA_WORKER names, or the one
// beside this program with the GPU of this machine.
Result<Target> start_target(const TargetFlags& target, std::stop_token stop);
inline Result<Target> start_target(const std::string& name, std::stop_token stop) {
  return start_target(TargetFlags{.name = name, .worker = {}}, std::move(stop));
}

// The GPU that is emulated: it computes, and knows no times.
Result<Target> start_emulated(std::stop_token stop);

// Another worker of the same protocol, on this machine.
Result<Target> start_worker(std::vector<std::string> command, std::stop_token stop);

// Loads the file and forgets it: why the runtime refuses it, so that this is known before work is
// put into it. An Error where the runtime itself fails.
Result<std::optional<std::string>> refusal_of(Backend& backend, const std::filesystem::path& file,
                                              const LoadOptions& options, std::stop_token stop);

// The same where nothing can be done about a file that it refuses.
Status check_runs(Backend& backend, const std::filesystem::path& file, const LoadOptions& options,
                  std::stop_token stop);

}  // namespace pet::app
