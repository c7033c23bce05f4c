// Files of another operator set than they are written in, as every command that reads a model takes
// it: --opset.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/backend/scratch_folder.h"

namespace pet::app {

struct OpsetFlag {
  std::optional<int> opset;
  // Where converted files lie, as long as any copy of this lives.
  std::shared_ptr<std::vector<ScratchFolder>> folders =
      std::make_shared<std::vector<ScratchFolder>>();
};

CLI::Option* add_opset_flag(CLI::App& command, OpsetFlag& flag);

// The file itself where the flag was not given; else one of that operator set, and what was done is
// said on stderr.
Result<std::string> at_opset(std::string_view program, const std::string& file,
                             const OpsetFlag& flag);

}  // namespace pet::app
