// The texts of element functions against their values.
#include "gpu/kernel/function_text.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "core/ops/ops.h"
#include "gpu/kernel/from_meaning.h"
#include "gpu/kernel/interpret.h"
#include "tests/conformance/instances.h"
#include "tests/support/seeded.h"

namespace pet::test {
namespace {

std::vector<Meaning> meanings() {
  std::vector<Meaning> out;
  const std::vector<const OpDef*> defs = {
#define OP(name) &ops::name(),
#include "core/ops/all_ops.def"
#undef OP
  };
  for (const OpDef* def : defs) {
    for (const Sample& sample : samples(*def)) {
      if (auto meaning = accepted(sample)) out.push_back(*std::move(meaning));
    }
  }
  return out;
}

// One window, or one element, of the function alone.
class Alone final : public gpu::Surroundings, public gpu::Memory {
 public:
  Alone(std::vector<float> window, std::vector<float> elements)
      : window_(std::move(window)), elements_(std::move(elements)) {}

  gpu::ExpressionRef read(std::size_t operand, std::span<const IndexExpr> index, const Shape&,
                          bool) override {
    return gpu::load(static_cast<int>(operand), {index.begin(), index.end()});
  }
  int keep(gpu::Body) override { return 0; }
  float read(int buffer, Dim offset) override {
    const auto at = static_cast<std::size_t>(offset);
    return buffer == 0 ? window_[at] : elements_[static_cast<std::size_t>(buffer) - 1];
  }
  void write(Dim, float value) override { result = value; }

  float result = 0;

 private:
  std::vector<float> window_, elements_;
};

constexpr Dim kWindow = 5;

// The function of elements of operands 1, 2, ... and of operand 0 as its window.
Meaning applied_alone(const Application& model) {
  Application one{model.function, model.parameters, {}, {}, std::nullopt};
  for (std::size_t i = 0; i < model.elements.size(); ++i)
    one.elements.push_back({static_cast<int>(i) + 1, {}});
  if (model.window) one.window = Window{{kWindow}, {}, {0, {v(0)}}, Symmetry::Ordered};
  const auto operands = static_cast<int>(model.elements.size()) + 1;
  return {{std::move(one)}, read_in_place(operands, {})};
}

// How far the value goes where what it is computed from is off by a few roundings: the logarithm of
// a sum that nearly cancels goes far.
Real sensitivity(const Application& model, std::vector<Real> window, std::vector<Real> elements,
                 Real expected, Rng& rng) {
  constexpr Real kRoundings = 1e-6L;
  Real out = 0;
  for (int i = 0; i < 8; ++i) {
    const auto off = [&](std::vector<Real> values) {
      for (Real& x : values) x += x * (rng.below(2) == 0 ? kRoundings : -kRoundings);
      return values;
    };
    const RowState row =
        model.window ? model.function->row(model.parameters, off(window)) : RowState{};
    const Real value = model.function->value(model.parameters, row, off(elements));
    if (std::isfinite(value)) out = std::max(out, std::abs(value - expected));
  }
  return out;
}

void check_text(const Application& model, Rng& rng) {
  const ElementFunction& function = *model.function;
  INFO(function.name << ": " << function.text);
  const auto draw = [&] { return static_cast<float>(rng.below(4) == 0 ? 0 : 2 * rng.normal()); };
  std::vector<float> window, elements;
  for (Dim i = 0; i < kWindow; ++i) window.push_back(draw());
  for (std::size_t i = 0; i < model.elements.size(); ++i) elements.push_back(draw());
  std::vector<Shape> shapes(model.elements.size() + 1);
  shapes[0] = {kWindow};
  const std::vector<Real> row_of(window.begin(), window.end());
  const std::vector<Real> values(elements.begin(), elements.end());
  const RowState row = model.window ? function.row(model.parameters, row_of) : RowState{};
  const Real expected = function.value(model.parameters, row, values);
  Alone alone(std::move(window), std::move(elements));
  auto body = gpu::body_of(applied_alone(model), shapes, alone);
  INFO((body ? "" : body.error().message));
  REQUIRE(body.ok());
  gpu::interpret(gpu::make_kernel(*std::move(body), shapes), alone);
  INFO(alone.result << " against " << static_cast<double>(expected));
  if (!std::isfinite(expected)) {
    CHECK(!std::isfinite(alone.result));
    return;
  }
  const Real scale = std::max<Real>(1, std::abs(expected));
  CHECK(std::abs(static_cast<Real>(alone.result) - expected) <=
        1e-5L * scale + sensitivity(model, row_of, values, expected, rng));
}

TEST_CASE("Every element function of every operator has a text that is its value") {
  Seeded rng;
  CAPTURE(rng.drawn);
  std::set<std::string_view> seen;
  for (const Meaning& meaning : meanings()) {
    for (const Application& application : meaning.applications) {
      seen.insert(application.function->name);
      for (int i = 0; i < 200; ++i) check_text(application, rng);
    }
  }
  CHECK(seen.size() > 60);
}

TEST_CASE("A text that is none is refused with what is wrong") {
  const std::vector<double> parameters = {2};
  const gpu::Words words{{gpu::number(1)}, parameters, {}, nullptr, nullptr};
  const auto [text, why] = GENERATE(table<std::string, std::string>({
      {"x0 +", "stands for nothing"},
      {"(x0", "an open bracket"},
      {"x1", "'x1' stands for nothing"},
      {"p1", "'p1' stands for nothing"},
      {"r0", "'r0' stands for nothing"},
      {"expf x0", "without operands"},
      {"powf(x0)", "powf of 1 operands"},
      {"x0 ? 1", "without an else"},
      {"x0 x0", "something is left"},
      {"", "stands for nothing"},
  }));
  const auto read = gpu::read_function_text(text, words);
  INFO(text);
  REQUIRE_FALSE(read.ok());
  CHECK_THAT(read.error().message, Catch::Contains(why));
}

TEST_CASE("A text is read as C reads it") {
  const std::vector<double> parameters = {0.5};
  const gpu::Words words{{gpu::load(0, {}), gpu::load(1, {})}, parameters, {}, nullptr, nullptr};
  const auto [text, reading] = GENERATE(table<std::string, std::string>({
      {"x0 + x1 * x0 - 1", "((b0[] + (b1[] * b0[])) - 1)"},
      {"x0 < 0 || x0 > 1 && x1 != x1 ? -x0 : p0",
       "(((b0[] < 0) || ((b0[] > 1) && (b1[] != b1[]))) ? (-b0[]) : 0.5)"},
      {"larger_of(x...)", "larger_of(b0[], b1[])"},
      {"p0 == 0 ? x0 : x1", "b1[]"},
      {"x0 ? x1 : x0 ? 1 : 2", "(b0[] ? b1[] : (b0[] ? 1 : 2))"},
  }));
  const auto read = gpu::read_function_text(text, words);
  REQUIRE(read.ok());
  CHECK(to_string(*read) == reading);
}

}  // namespace
}  // namespace pet::test
