#include "app/pet-verify/check_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "app/common/command_line.h"
#include "core/backend/python_command.h"

namespace pet::app {

int check_command(int argc, char** argv) {
  auto command = python_command(
      {.what = "checker of certificates",
       .variable = "PET_CERTIFICATE_CHECKER",
       .installed = "bin/pet-check-certificate",
       .source = "verify/certificate_checker/pet-check-certificate",
       .advice = "run tools/setup, or set PET_PYTHON to a Python that has numpy and onnx"});
  if (!command) return fail("pet-verify", command.error());
  std::vector<char*> arguments;
  for (std::string& part : *command) arguments.push_back(part.data());
  for (int i = 1; i < argc; ++i) arguments.push_back(argv[i]);
  arguments.push_back(nullptr);
  ::execv(arguments[0], arguments.data());
  return fail("pet-verify",
              Error{fmt::format("cannot start {}: {}", (*command)[0], std::strerror(errno)),
                    ErrorKind::Tool});
}

}  // namespace pet::app
