#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "app/common/command_line.h"
#include "app/pet-verify/commands.h"
#include "core/backend/python_command.h"

namespace pet::app {
namespace {

// The exit code where it could not be started; else does not return.
int start_checker(std::vector<std::string> flags) {
  auto command = python_command(
      {.what = "checker of certificates",
       .variable = "PET_CERTIFICATE_CHECKER",
       .installed = "bin/pet-check-certificate",
       .source = "verify/certificate_checker/pet-check-certificate",
       .advice = "run tools/setup, or set PET_PYTHON to a Python that has numpy and onnx"});
  if (!command) return fail("pet-verify", command.error());
  std::vector<char*> arguments;
  for (std::string& part : *command) arguments.push_back(part.data());
  for (std::string& flag : flags) arguments.push_back(flag.data());
  arguments.push_back(nullptr);
  ::execv(arguments[0], arguments.data());
  return fail("pet-verify",
              Error{fmt::format("cannot start {}: {}", (*command)[0], std::strerror(errno)),
                    ErrorKind::Tool});
}

}  // namespace

Command add_check(CLI::App& parent) {
  auto* app = parent.add_subcommand(
      "check", "Does a certificate hold for two files? pet-verify check CERT.json A.onnx B.onnx");
  // Whatever stands behind it, --help included, is the checker's.
  app->set_help_flag();
  app->set_help_all_flag();
  app->prefix_command();
  return [app] { return start_checker(app->remaining()); };
}

}  // namespace pet::app
