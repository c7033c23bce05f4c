// PRelu: its slope is broadcast to the operand and never the other way round.
#include <catch2/catch.hpp>

#include "core/ir/builder.h"
#include "core/ops/ops.h"

using namespace pet;

namespace {

Result<NodeId> p_relu_of(const Shape& x, const Shape& slope) {
  GraphBuilder b;
  const NodeId operand = b.add_input("x", float_tensor(x));
  return b.add(ops::p_relu(), {}, {operand, b.add_input("slope", float_tensor(slope))});
}

}  // namespace

TEST_CASE("a slope is broadcast to what it is the slope of") {
  for (const Shape& slope : {Shape{}, Shape{1}, Shape{3}, Shape{2, 1}, Shape{2, 3}}) {
    CAPTURE(to_string(slope));
    CHECK(p_relu_of({2, 3}, slope).ok());
  }
  for (const Shape& slope : {Shape{2}, Shape{4, 2, 3}, Shape{1, 2, 3}}) {
    CAPTURE(to_string(slope));
    const auto refused = p_relu_of({2, 3}, slope);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().message.find("does not broadcast") != std::string::npos);
  }
  CHECK_FALSE(p_relu_of({1, 3}, {2, 3}).ok());
}
