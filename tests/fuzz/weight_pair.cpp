#include "tests/fuzz/weight_pair.h"

#include <cmath>

#include "core/program/subprogram.h"
#include "tests/fuzz/weight_steps.h"

namespace pet::fuzz {
namespace {

constexpr Dim kMostElements = 48;

struct Value {
  NodeId original;
  NodeId mutant;
};

using Make = Step (*)(const Shape&, Rng&);
const std::vector<Make> kOfWeights = {
    transposed, reshaped,       sliced, concatenated, padded,
    sums,       products,       scaled, reduced,      convolution,
    batch_norm, matrix_product, sums,   average_pool, divided_by_number,
    quotient,   undefined_part};
const std::vector<Make> kMeetings = {scaled_by, scaled_by, shifted_by, contracted, hidden};
const std::vector<Make> kOfData = {transposed, reshaped,   sliced,     concatenated, padded,
                                   sums,       scaled,     reduced,    convolution,  scaled_by,
                                   shifted_by, weightless, contracted, hidden};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : rng_(seed) {}

  Pair run() {
    Pair pair;
    const int of_weights = static_cast<int>(rng_.between(1, 4));
    const int of_data = static_cast<int>(rng_.between(0, 2));
    const int steps = of_weights + 1 + of_data;
    const auto any = [&] {
      return static_cast<int>(rng_.below(static_cast<std::uint64_t>(steps)));
    };
    const int wrong_step = rng_.below(5) < 2 ? any() : -1;
    last_ = weight(random_shape(rng_, 4, 1, 24));
    for (int i = 0; i < of_weights; ++i) take(kOfWeights, i == wrong_step, pair.steps);
    folded_ = last_;
    last_ = input(a_.shape(last_.original));
    meet(of_weights == wrong_step, pair.steps);
    for (int i = of_weights + 1; i < steps; ++i) take(kOfData, i == wrong_step, pair.steps);
    // At the end alone: there the sizes of its arguments are those of its results.
    if (rng_.below(4) == 0)
      last_ = {a_.op("Relu", {last_.original}), b_.op("Relu", {last_.mutant})};
    std::vector<NodeId> a = {last_.original};
    std::vector<NodeId> b = {last_.mutant};
    if (rng_.below(4) == 0) {
      a.push_back(folded_.original);
      b.push_back(folded_.mutant);
    }
    // The weights of a file are those that it uses.
    pair.original = without_unused(std::move(a_).finish(a));
    pair.mutant = without_unused(std::move(b_).finish(b));
    return pair;
  }

 private:
  Value weight(Shape shape) {
    auto values = random_weights(shape, rng_);
    const int exponent = rng_.below(4) == 0 ? static_cast<int>(rng_.between(-12, 12)) : 0;
    for (float& x : values) x = std::ldexp(x, exponent);
    if (rng_.below(6) == 0) {
      for (float& x : values)
        if (rng_.below(3) == 0) x = extreme();
    }
    const Value out{weights(a_, shape, values), weights(b_, shape, values)};
    weights_.push_back(out);
    return out;
  }

  // Where rounding has ties, and floats have ends.
  float extreme() {
    constexpr float kExtremes[] = {-0.0F,    0x1p-149F,   0x1p-126F,      0x1.fffffep127F, 1e30F,
                                   0x1p-24F, 16777215.0F, 0x1.000002p+0F, 0x1p24F,         -1e-30F};
    return kExtremes[rng_.below(std::size(kExtremes))];
  }

  // By value: what a sketch holds moves when it grows.
  Value input(Shape shape) {
    const std::string name = "x" + std::to_string(inputs_++);
    return {a_.input(name, shape), b_.input(name, shape)};
  }

  // A weight, or a value that is computed from weights.
  Value companion(Shape shape) {
    std::vector<Value> same;
    for (const Value& value : weights_) {
      if (a_.shape(value.original) == shape) same.push_back(value);
    }
    return same.empty() || rng_.below(3) == 0 ? weight(shape) : any_of(same, rng_);
  }

  Value stepped(const Step& step, const Value& x, const Value& y, bool goes_wrong,
                std::vector<std::string>& names) {
    goes_wrong = goes_wrong && !step.wrong.empty();
    names.push_back(step.name + (goes_wrong ? " (wrong)" : ""));
    const Form& form = any_of(step.right, rng_);
    const Form& other = goes_wrong ? any_of(step.wrong, rng_) : any_of(step.right, rng_);
    const Value next{form(a_, x.original, y.original), other(b_, x.mutant, y.mutant)};
    PET_CHECK(a_.shape(next.original) == b_.shape(next.mutant),
              "the forms of " + step.name + " differ in shape");
    return next;
  }

  void take(const std::vector<Make>& makes, bool goes_wrong, std::vector<std::string>& names) {
    const Shape shape = a_.shape(last_.original);
    Step step;
    do step = any_of(makes, rng_)(shape, rng_);
    while (step.right.empty());
    const bool of_weights = &makes == &kOfWeights;
    const Value next = stepped(step, last_, companion(shape), goes_wrong, names);
    if (of_weights) weights_.push_back(next);
    if (count(a_.shape(next.original)) <= kMostElements) last_ = next;
  }

  void meet(bool goes_wrong, std::vector<std::string>& names) {
    const Step step = any_of(kMeetings, rng_)(a_.shape(last_.original), rng_);
    last_ = stepped(step, last_, folded_, goes_wrong, names);
  }

  Rng rng_;
  Sketch a_;
  Sketch b_;
  int inputs_ = 0;
  Value last_;
  Value folded_;
  std::vector<Value> weights_;
};

}  // namespace

Pair random_weight_pair(std::uint64_t seed) { return Generator(seed).run(); }

}  // namespace pet::fuzz
