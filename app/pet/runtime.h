// The measuring runtime as the subcommands start it.
#pragma once

#include <memory>

#include "core/backend/runtime.h"

namespace pet::app {

// PET_WORKER_TIMEOUT (90s, 2m) is how long the worker may take to start or to answer; machines that
// are slow at loading large models need more than the usual two minutes.
Result<std::unique_ptr<Runtime>> start_runtime(std::stop_token stop);

// Loads the file and forgets it: whether the runtime takes it is known before work is put into it.
Status check_runs(Runtime& runtime, const std::filesystem::path& file, const LoadOptions& options,
                  std::stop_token stop);

}  // namespace pet::app
