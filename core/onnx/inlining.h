// Internal: what a node stands for that calls a function of the file, or chooses a nested graph by
// a constant: nodes in its place, under names that nobody else has.
#pragma once

#include <onnx/onnx_pb.h>

#include <optional>
#include <string>
#include <vector>

#include "core/ir/tensor.h"
#include "core/onnx/content.h"

namespace pet::onnx_io {

struct InPlace {
  std::vector<::onnx::TensorProto> constants;
  std::vector<::onnx::NodeProto> nodes;  // the last ones make the node's results
};

// All that one file is asked for: names differ, and bodies that call one another twice as often at
// each level come to an end.
class Bodies {
 public:
  // Nothing where the function has operator sets or defaults of its own, or too many were asked
  // for.
  std::optional<InPlace> of_call(const ::onnx::NodeProto& node,
                                 const ::onnx::FunctionProto& function, const OpsetTable& opsets);
  // Of an If by that condition the branch that it takes; nothing where it is none.
  std::optional<InPlace> of_choice(const ::onnx::NodeProto& node, const Tensor& condition);

 private:
  std::string prefix() const;
  std::optional<InPlace> within_limit(std::optional<InPlace> body);

  std::size_t nodes_ = 0;
};

}  // namespace pet::onnx_io
