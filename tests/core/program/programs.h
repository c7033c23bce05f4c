// Small programs, written down briefly, for the tests of core/program.
#pragma once

#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "core/util/rng.h"

namespace pet::test {

class Programs {
 public:
  explicit Programs(std::uint64_t seed = 1) : rng_(seed) {}

  NodeId input(const Shape& shape) {
    return builder_.add_input("x" + std::to_string(inputs_++), float_tensor(shape));
  }
  NodeId weight(const Shape& shape) {
    std::vector<float> values(static_cast<std::size_t>(count(shape)));
    for (float& value : values) value = static_cast<float>(rng_.normal());
    return builder_.add_constant(
        std::make_shared<const Tensor>(Tensor::of_floats(shape, std::move(values))));
  }
  NodeId number(float value) { return builder_.add_scalar(value); }
  NodeId op(const OpDef& def, std::vector<NodeId> operands, Attrs attrs = {}) {
    auto made = builder_.add(def, std::move(attrs), std::move(operands));
    INFO((made ? "" : made.error().message));
    REQUIRE(made.ok());
    return *made;
  }
  // A 3x3 convolution that keeps the map, with a weight of its own.
  NodeId conv(NodeId x, Dim filters) {
    const Dim channels = (*builder_.type(x).shape)[1];
    return op(ops::conv(), {x, weight({filters, channels, 3, 3})}, {{"pads", Ints{1, 1, 1, 1}}});
  }
  NodeId matmul(NodeId x, Dim results) {
    return op(ops::mat_mul(), {x, weight({builder_.type(x).shape->back(), results})});
  }
  NodeId relu(NodeId x) { return op(ops::relu(), {x}); }
  NodeId add(NodeId a, NodeId b) { return op(ops::add(), {a, b}); }
  void output(NodeId id) { builder_.add_output(id); }
  Graph build() && { return std::move(builder_).build(); }

 private:
  GraphBuilder builder_;
  Rng rng_;
  int inputs_ = 0;
};

}  // namespace pet::test
