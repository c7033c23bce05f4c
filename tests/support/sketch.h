// Programs for tests in few words. Whatever a definition refuses aborts the test.
#pragma once

#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "core/util/check.h"
#include "tests/support/weights.h"

namespace pet::test {

class Sketch {
 public:
  NodeId input(const std::string& name, Shape shape) {
    return builder_.add_input(name, float_tensor(std::move(shape)));
  }
  NodeId constant(Shape shape, std::vector<float> values) {
    return builder_.add_constant(float_constant(std::move(shape), std::move(values)));
  }
  // 1, 2, 3, ... times `step`: no two elements are equal.
  NodeId ramp(Shape shape, float step = 1) {
    std::vector<float> values(static_cast<std::size_t>(count(shape)));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = step * static_cast<float>(i + 1);
    return constant(std::move(shape), std::move(values));
  }
  NodeId scalar(float value) { return builder_.add_scalar(value); }
  NodeId op(std::string_view name, Attrs attrs, std::vector<NodeId> operands) {
    const OpDef* def = ops::find(name);
    PET_CHECK(def != nullptr, name);
    auto id = builder_.add(*def, std::move(attrs), std::move(operands));
    PET_CHECK(id.ok(), id.error().message);
    return *id;
  }
  NodeId op(std::string_view name, std::vector<NodeId> operands) {
    return op(name, {}, std::move(operands));
  }
  NodeId opaque(const std::string& what, std::vector<NodeId> operands, TensorType type) {
    const Digest content = digest_of("opaque operator of a test", what);
    return builder_.add_opaque(what, content, std::move(operands), std::move(type));
  }
  NodeId slice(NodeId x, std::size_t axis, Dim begin, Dim end) {
    return op("Split", {{"axis", static_cast<Dim>(axis)}, {"begin", begin}, {"end", end}}, {x});
  }
  NodeId concat(std::vector<NodeId> pieces, std::size_t axis) {
    return op("Concat", {{"axis", static_cast<Dim>(axis)}}, std::move(pieces));
  }
  NodeId reshape(NodeId x, Shape shape) {
    return op("Reshape", {{"shape", std::move(shape)}}, {x});
  }
  NodeId transpose(NodeId x, Ints perm) {
    return op("Transpose", {{"perm", std::move(perm)}}, {x});
  }

  const Shape& shape(NodeId id) const { return *builder_.type(id).shape; }
  const Node& node(NodeId id) const { return builder_.node(id); }
  Graph finish(const std::vector<NodeId>& outputs) && {
    for (const NodeId id : outputs) builder_.add_output(id);
    return std::move(builder_).build();
  }

 private:
  GraphBuilder builder_;
};

}  // namespace pet::test
