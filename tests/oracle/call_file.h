// The text form of single ONNX nodes with their results (calls.py): a node as the importer would
// hand it to an operator definition, and what comes of it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/ir/op.h"
#include "core/util/result.h"
#include "tests/support/interpret.h"

namespace pet::test {

struct Call {
  std::string name;
  OnnxCall node;
  Real tolerance = 0;            // of a result, relative to its largest element
  std::vector<Values> operands;  // as the node's; of an absent one the values are empty
  std::vector<Values> results;
};

// REQUIRES: the file follows the format
std::vector<Call> read_calls(const std::filesystem::path& path);

// One result of the node: what it means over which operands.
struct Meant {
  Meaning meaning;
  std::vector<Values> operands;
};
Result<std::vector<Meant>> meanings(const Call& call);

}  // namespace pet::test
