// Internal: the rules of the standard for a node's results, as the ONNX library has them.
#pragma once

#include <onnx/defs/schema.h>
#include <onnx/defs/shape_inference.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/onnx/element_rules.h"

namespace pet::onnx_io {

struct Rules {
  const ::onnx::OpSchema* schema = nullptr;  // nullptr: nothing is known of the operator
  // Of the very operator set. Of a newer one than the library knows the last one that it knows:
  // then only what is said by type variables counts ("as its first operand"), which later versions
  // widen and do not turn round.
  bool is_of_that_set = false;
};

Rules rules_of(const ::onnx::NodeProto& node, const OpsetTable& opsets);

// Values of operands, by place; null: not known, or of no interest.
using Numbers = std::vector<std::shared_ptr<const ::onnx::TensorProto>>;

// A node, as its rules ask for it. Keeps references to the node and to its operands.
class NodeContext final : public ::onnx::InferenceContext {
 public:
  NodeContext(const ::onnx::NodeProto& node, const Types& operands, Numbers numbers,
              ReadNested read);
  // As far as the rules told.
  Types results() const;

  const ::onnx::AttributeProto* getAttribute(const std::string& name) const override;
  std::size_t getNumInputs() const override { return operands_.size(); }
  const ::onnx::TypeProto* getInputType(std::size_t at) const override;
  const ::onnx::TensorProto* getInputData(std::size_t at) const override;
  std::size_t getNumOutputs() const override { return results_.size(); }
  ::onnx::TypeProto* getOutputType(std::size_t at) override { return &results_.at(at); }
  ::onnx::GraphInferencer* getGraphAttributeInferencer(const std::string& name) override;
  const ::onnx::SparseTensorProto* getInputSparseData(std::size_t) const override {
    return nullptr;
  }
  const ::onnx::TensorShapeProto* getSymbolicInput(std::size_t) const override { return nullptr; }

 private:
  class NestedGraph;

  const Types& operands_;
  Numbers numbers_;
  std::vector<::onnx::TypeProto> results_;
  std::map<std::string, const ::onnx::AttributeProto*> attributes_;
  std::map<std::string, std::shared_ptr<NestedGraph>> nested_;
};

}  // namespace pet::onnx_io
