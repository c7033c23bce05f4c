// Choices by what is compared: what is not chosen may be infinite, and masks are made by such.
#include <cmath>
#include <limits>

#include "tests/verify/files_of_x.h"

namespace pet {
namespace {

using testing::OnnxBuilder;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr int kBool = 9;

// y[2,3] of w = Where(c, x, m), by what `fill` adds.
template <class Fill>
OnnxBuilder of_masked(float mask, Fill&& fill) {
  return testing::files::of_x([&](OnnxBuilder& b) {
    b.input("c", {2, 3}, kBool);
    b.floats("m", {}, {mask});
    b.node("Where", {"c", "x", "m"}, {"w"});
    fill(b);
  });
}

void kept(OnnxBuilder& b) { b.node("Identity", {"w"}, {"y"}); }

void doubled_and_taken_away(OnnxBuilder& b) {
  b.node("Add", {"w", "w"}, {"d"});
  b.node("Sub", {"d", "w"}, {"y"});
}

void in_softmax(OnnxBuilder& b) { b.node("Softmax", {"w"}, {"y"}); }

void in_softmax_of_the_opposite(OnnxBuilder& b) {
  b.node("Not", {"c"}, {"n"});
  b.node("Where", {"n", "x", "m"}, {"v"});
  b.node("Softmax", {"v"}, {"y"});
}

}  // namespace

TEST_CASE("What may be infinite by a choice is not computed with") {
  for (const float mask : {-kInfinity, kInfinity, std::nanf(""), -3e38F}) {
    CAPTURE(mask);
    const auto verdict =
        testing::files::prove(of_masked(mask, kept), of_masked(mask, doubled_and_taken_away));
    CHECK(verdict.outcome != Outcome::Equivalent);
    CHECK(verdict.outcome != Outcome::Partial);
  }
  CHECK(testing::files::prove(of_masked(0, kept), of_masked(0, doubled_and_taken_away)).outcome ==
        Outcome::Equivalent);
}

TEST_CASE("What is masked by an infinity before a softmax is the same, or another thing") {
  const auto masked = of_masked(-kInfinity, in_softmax);
  CHECK(testing::files::prove(masked, masked).outcome == Outcome::Equivalent);
  CHECK(testing::files::prove(masked, of_masked(-kInfinity, in_softmax_of_the_opposite)).outcome !=
        Outcome::Equivalent);
  // Transposed, masked and transposed again.
  const auto turned = testing::files::of_x([](OnnxBuilder& b) {
    b.input("c", {2, 3}, kBool);
    b.floats("m", {}, {-kInfinity});
    b.node("Transpose", {"x"}, {"a"});
    b.node("Transpose", {"c"}, {"t"});
    b.node("Where", {"t", "a", "m"}, {"v"});
    b.node("Transpose", {"v"}, {"w"});
    in_softmax(b);
  });
  CHECK(testing::files::prove(masked, turned).outcome == Outcome::Equivalent);
}

}  // namespace pet
