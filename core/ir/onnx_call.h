// How an operator definition talks to ONNX without knowing the ONNX library: a node as it stands in
// a file, what it means in our operators, and how to write one of ours.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/ir/attrs.h"
#include "core/ir/type.h"

namespace pet {

struct Op;

// The shape of an operand, which knows of each extent whether anybody looked at it. What a node is
// read as follows from those and from the rank; where the others change, it stays what it is.
// Copies share what they know.
class WatchedShape {
 public:
  WatchedShape(Shape extents = {})  // NOLINT: a shape is one that nobody looked at yet
      : extents_(std::move(extents)),
        looked_at_(std::make_shared<std::vector<char>>(extents_.size(), 0)) {}

  std::size_t rank() const { return extents_.size(); }
  Dim operator[](std::size_t axis) const {
    (*looked_at_)[axis] = 1;
    return extents_[axis];
  }
  const Shape& all() const {
    looked_at_->assign(extents_.size(), 1);
    return extents_;
  }
  // Not looked at: no proof speaks of sizes at which there is no element.
  bool is_empty() const { return count(extents_) == 0; }
  const std::vector<char>& looked_at() const { return *looked_at_; }  // by axis

 private:
  Shape extents_;
  std::shared_ptr<std::vector<char>> looked_at_;
};

struct OnnxOperand {
  bool present = false;
  DType dtype = DType::Undefined;
  WatchedShape shape;
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
