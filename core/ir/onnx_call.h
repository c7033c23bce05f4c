// How an operator definition talks to ONNX without knowing the ONNX library: a node as it stands in
// a file, what it means in our operators, and how to write one of ours.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/ir/attrs.h"
#include "core/ir/type.h"

namespace pet {

struct Op;

struct OnnxOperand {
  bool present = false;
  TensorType type;
  // Its value (row-major), where it is a small integer constant that no caller can override.
  std::optional<Ints> ints;
  std::optional<std::vector<double>> floats;  // the same of a small float constant
  std::optional<double> scalar;               // the same of a float constant of one element
};

struct OnnxCall {
  std::string op_type;
  int opset = 0;
  Attrs attrs;
  std::vector<OnnxOperand> operands;
  std::size_t num_outputs = 1;

  bool has(std::size_t operand) const {
    return operand < operands.size() && operands[operand].present;
  }
};

// An operand of ours: one of the node's, or a float constant that stands for an absent one.
using OnnxSource = std::variant<std::size_t, double>;

// One output of the node in our operators.
struct OnnxImported;

// A float constant with the same value everywhere.
struct Filled {
  Shape shape;
  float value = 0;
};

// An integer constant of any rank, row-major; a plain list is of rank 1.
struct IntTensor {
  Shape shape;
  Ints values;
};

// An operator of ours as an ONNX node: operands are ours by number, or constants to be written
// beside it.
struct OnnxEmitted {
  std::string op_type;
  Attrs attrs;
  std::vector<std::variant<std::size_t, Ints, IntTensor, Filled>> operands;
  std::size_t output = 0;  // which of the node's results is ours; the others go unused
};

}  // namespace pet
