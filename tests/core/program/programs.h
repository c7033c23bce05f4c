// Small programs, written down briefly, for the tests of core/program.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/ir/builder.h"
#include "core/ops/ops.h"
#include "core/util/rng.h"
#include "tests/support/weights.h"

namespace pet::test {

class Programs {
 public:
  explicit Programs(std::uint64_t seed = 1) : rng_(seed) {}

  NodeId input(const Shape& shape) {
    return builder_.add_input("x" + std::to_string(inputs_++), float_tensor(shape));
  }
  NodeId weight(const Shape& shape) { return normal_weight(builder_, shape, rng_); }
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

// Convolutions side by side, each of its own data and weight, all of them inputs.
inline Graph convs(const std::vector<Shape>& data, const std::vector<Shape>& weights,
                   const Attrs& attrs) {
  GraphBuilder b;
  std::vector<NodeId> results;
  std::vector<NodeId> in;
  for (std::size_t i = 0; i < data.size(); ++i)
    in.push_back(b.add_input("x" + std::to_string(i), float_tensor(data[i])));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const NodeId w = b.add_input("w" + std::to_string(i), float_tensor(weights[i]));
    results.push_back(*b.add(ops::conv(), attrs, {in[i % in.size()], w}));
  }
  for (const NodeId result : results) b.add_output(result);
  return std::move(b).build();
}

}  // namespace pet::test
