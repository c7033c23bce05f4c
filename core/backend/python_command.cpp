#include "core/backend/python_command.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "core/util/installation.h"
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
Result<std::string> first_there(const std::string& what, const std::string& variable,
                                const std::vector<fs::path>& places, std::string_view advice) {
  if (const char* chosen = std::getenv(variable.c_str()); chosen != nullptr && *chosen != '\0') {
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

}  // namespace

Result<std::vector<std::string>> python_command(const PythonProgram& program) {
  auto python = first_there(
      "Python of the " + program.what, "PET_PYTHON",
      places_of({installed_data("pet/runtime_worker/.venv/bin/python"), ".venv/bin/python"}),
      program.advice);
  if (!python) return std::move(python).error();
  auto script =
      first_there(program.what, program.variable, places_of({program.installed, program.source}),
                  fmt::format("set {} to the one of this version", program.variable));
  if (!script) return std::move(script).error();
  return std::vector<std::string>{std::move(*python), std::move(*script)};
}

}  // namespace pet
