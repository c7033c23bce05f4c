// Programs of this project that are written in Python: how they are started, from the source tree
// or installed.
#pragma once

#include <string>
#include <vector>

#include "core/util/result.h"

namespace pet {

struct PythonProgram {
  std::string what;       // in errors: "measuring worker"
  std::string variable;   // of the environment: names another one
  std::string installed;  // below the prefix: bin/x
  std::string source;     // in the source tree
  std::string advice;     // where there is no Python for it
};

// Python and the program. An Error that names every place where one was looked for.
Result<std::vector<std::string>> python_command(const PythonProgram& program);

}  // namespace pet
