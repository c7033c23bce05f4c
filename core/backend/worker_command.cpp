#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "core/backend/runtime.h"
#include "core/util/printable.h"

namespace pet {
namespace {

namespace fs = std::filesystem;

// Not where it lies in a folder that we may not enter.
bool is_there(const fs::path& place) {
  std::error_code failed;
  return fs::exists(place, failed);
}

// The first of `places` that exists, else an Error that names them all.
Result<std::string> first_there(std::string_view what, const char* variable,
                                const std::vector<fs::path>& places, std::string_view advice) {
  if (const char* chosen = std::getenv(variable); chosen != nullptr && *chosen != '\0') {
    if (is_there(chosen)) return std::string(chosen);
    return Error{
        fmt::format("{}: there is no {}, which {} names", what, printable(chosen), variable),
        ErrorKind::Tool};
  }
  std::string tried;
  for (const fs::path& place : places) {
    if (is_there(place)) return place.string();
    tried += (tried.empty() ? "" : ", ") + place.string();
  }
  return Error{fmt::format("{}: tried {}; {}", what, tried, advice), ErrorKind::Tool};
}

// <prefix> of an installed program <prefix>/bin/x.
fs::path install_prefix() {
  std::error_code failure;
  const fs::path program = fs::read_symlink("/proc/self/exe", failure);
  return failure ? fs::path(PET_INSTALL_PREFIX) : program.parent_path().parent_path();
}

}  // namespace

Result<std::vector<std::string>> worker_command() {
  const fs::path source = PET_SOURCE_DIR;
  const fs::path prefix = install_prefix();
  const fs::path installed = prefix / PET_INSTALL_DATADIR / "pet/runtime_worker";
  auto python = first_there("Python of the measuring worker", "PET_PYTHON",
                            {installed / ".venv/bin/python", source / ".venv/bin/python"},
                            "run tools/setup, or set PET_PYTHON to a Python that has "
                            "onnxruntime and that you may run; --target reference needs none");
  if (!python) return std::move(python).error();
  auto worker = first_there("measuring worker", "PET_WORKER",
                            {prefix / "bin/pet-worker", source / "app/runtime_worker/worker.py"},
                            "set PET_WORKER to the worker.py of this version");
  if (!worker) return std::move(worker).error();
  return std::vector<std::string>{std::move(*python), std::move(*worker)};
}

}  // namespace pet
