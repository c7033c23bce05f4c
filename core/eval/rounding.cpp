#include "core/eval/rounding.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>

#include "core/eval/element_walk.h"
#include "core/eval/evaluate.h"
#include "core/util/parallel.h"

namespace pet {
namespace {

constexpr std::uint64_t kMostSteps = 1'000'000;  // of one element
constexpr unsigned kMostBits = 4096;

static_assert(std::numeric_limits<long double>::digits == 64);

// Long doubles, and whether every operation so far was exact: sums of a few floats are, and they
// are what often lies exactly between two floats.
struct Checked {
  long double value = 0;
  bool exact = true;
};

// How many bits there are from the first to the last that is set.
int significant_bits(long double x) {
  std::uint64_t mantissa = 0;
  std::memcpy(&mantissa, &x, sizeof mantissa);
  return mantissa == 0 ? 0 : 64 - std::countr_zero(mantissa);
}

class CheckedNumbers {
 public:
  using Value = Checked;

  Value of(const Rational& x) const {
    const double nearest = to_double(x);
    return {nearest, std::isfinite(nearest) && exact(nearest) == x};
  }
  Value leaf(const Node& node, Dim flat) const {
    return {node.constant()->floats()[static_cast<std::size_t>(flat)], true};
  }
  void add(Value& a, const Value& b) const {
    const long double sum = a.value + b.value;
    const long double part = sum - a.value;
    const long double lost = (a.value - (sum - part)) + (b.value - part);  // Knuth: exactly
    a = {sum, a.exact && b.exact && lost == 0};
  }
  void multiply(Value& a, const Value& b) const {
    const long double product = a.value * b.value;
    const bool fits = significant_bits(a.value) + significant_bits(b.value) <= 64 &&
                      (std::isnormal(product) || a.value == 0 || b.value == 0);
    a = {product, a.exact && b.exact && fits};
  }
  Result<Value> apply(const Application&, std::span<const Value>) const { return Value{0, false}; }
};

class IntervalNumbers {
 public:
  using Value = Interval;

  explicit IntervalNumbers(unsigned bits) : bits_(bits) {}

  Value of(const Rational& x) const { return Interval::point(x); }
  Value leaf(const Node& node, Dim flat) const {
    const float x = node.constant()->floats()[static_cast<std::size_t>(flat)];
    return Interval::point(exact(static_cast<double>(x)));
  }
  void add(Value& a, const Value& b) const { a = a + b; }
  void multiply(Value& a, const Value& b) const { a = a * b; }
  Result<Value> apply(const Application& application, std::span<const Value> arguments) const {
    if (application.function->enclose == nullptr)
      return Error{fmt::format("{} has no enclosure", application.function->name),
                   ErrorKind::Unsupported};
    auto value = application.function->enclose(application.parameters, arguments, bits_);
    if (value) return *std::move(value);
    return Error{fmt::format("{} is undefined there", application.function->name)};
  }

 private:
  unsigned bits_;
};

// The nearest float, ties to even; infinite where the exact value would round beyond the largest.
float nearest_float(const Rational& x) {
  const double near = to_double(x);
  float out = static_cast<float>(near);
  if (!std::isfinite(near) || !std::isfinite(out)) return out;
  // Rounding twice goes wrong only where the first rounding met a tie of the second.
  const Rational distance = abs(x - exact(static_cast<double>(out)));
  for (const float other : {std::nextafterf(out, -INFINITY), std::nextafterf(out, INFINITY)}) {
    if (!std::isfinite(other)) continue;
    const Rational theirs = abs(x - exact(static_cast<double>(other)));
    const bool even = (std::bit_cast<std::uint32_t>(other) & 1U) == 0;
    if (theirs < distance || (theirs == distance && even)) return other;
  }
  return out;
}

// |s - e| <= 2^-24 |e|: neither overflow nor underflow has taken anything away.
bool holds_its_size(float s, const Rational& e) {
  return abs(exact(static_cast<double>(s)) - e) * (1 << 24) <= abs(e);
}

struct Bounds {
  LaneTensor<long double> value;
  LaneTensor<long double> error;  // how far the value may be from the exact one
};

class Rounding {
 public:
  Rounding(const Graph& graph, NodeId node, std::size_t threads, const std::stop_token& stop)
      : graph_(graph), node_(node), threads_(threads), stop_(stop) {}

  Result<Tensor> run() {
    if (auto done = list_needed(); !done) return std::move(done).error();
    const Shape& shape = *graph_.node(node_).type.shape;
    std::vector<float> out(static_cast<std::size_t>(count(shape)));
    std::optional<Bounds> bounds;
    if (applies_functions_to_constants_) {
      auto found = evaluate();
      if (!found) return std::move(found).error();
      bounds = *std::move(found);
    }
    const std::size_t pieces = out.size() > 256 ? 8 * threads_ : 1;
    std::mutex guard;
    std::optional<Error> first_error;
    parallel_for(pieces, threads_, [&](std::size_t piece) {
      const std::size_t from = piece * out.size() / pieces;
      const std::size_t to = (piece + 1) * out.size() / pieces;
      auto done = round(bounds, from, to, out);
      if (done) return;
      const std::scoped_lock lock(guard);
      if (!first_error) first_error = std::move(done).error();
    });
    if (first_error) return *std::move(first_error);
    return Tensor::of_floats(shape, std::move(out));
  }

 private:
  Status list_needed() {
    needed_.assign(graph_.nodes().size(), 0);
    needed_[node_.index()] = 1;
    for (std::size_t i = node_.index() + 1; i-- > 0;) {
      if (needed_[i] == 0) continue;
      const NodeId id(i);
      const Node& node = graph_.node(id);
      if (const Tensor* tensor = node.constant()) {
        if (tensor->type().dtype == DType::Float && tensor->all_finite()) continue;
        return Error{"a constant that is no tensor of finite floats", ErrorKind::Unsupported};
      }
      if (!graph_.has_meaning(id))
        return Error{"not computed from constants alone", ErrorKind::Unsupported};
      for (const NodeId operand : node.operands) needed_[operand.index()] = 1;
      if (auto done = include(graph_.meaning(id), node); !done) return done;
    }
    return Done{};
  }

  // Counts the roundings that a value goes through at most, and looks whether functions have exact
  // arguments.
  Status include(const Meaning& meaning, const Node& node) {
    roundings_ += 16;
    for (const Term& term : meaning.sum.terms) {
      roundings_ += static_cast<double>(count(term.reduce)) + 4.0 +
                    2.0 * static_cast<double>(term.factors.size());
    }
    for (const Application& application : meaning.applications) {
      if (application.window || application.function->enclose == nullptr) {
        return Error{fmt::format("{} has no enclosure", application.function->name),
                     ErrorKind::Unsupported};
      }
      for (const Access& access : application.elements) {
        const auto k = static_cast<std::size_t>(access.operand);
        if (k >= node.operands.size() || graph_.node(node.operands[k]).constant() == nullptr)
          applies_functions_to_constants_ = false;
      }
    }
    return Done{};
  }

  Result<LaneTensor<long double>> evaluate(Signs signs) const {
    const RealEvaluator<long double> evaluator(signs, Functions::Computed, threads_);
    std::vector<LaneTensor<long double>> values(node_.index() + 1);
    for (std::size_t i = 0; i <= node_.index(); ++i) {
      if (needed_[i] == 0) continue;
      if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
      const Node& node = graph_.node(NodeId(i));
      if (const Tensor* tensor = node.constant()) {
        values[i] = LaneTensor<long double>(tensor->shape(), 1);
        for (std::size_t k = 0; k < values[i].size(); ++k) {
          const auto x = static_cast<long double>(tensor->floats()[k]);
          values[i].lanes[0][k] = signs == Signs::Absolute ? std::abs(x) : x;
        }
        continue;
      }
      std::vector<const LaneTensor<long double>*> operands;
      for (const NodeId operand : node.operands) operands.push_back(&values[operand.index()]);
      auto value = evaluator.evaluate(graph_.meaning(NodeId(i)), operands);
      if (!value) return std::move(value).error();
      values[i] = *std::move(value);
    }
    return std::move(values[node_.index()]);
  }

  // Every operation errs by 2^-64 of its result at most, and no result is larger than the sum of
  // the absolute values of all products.
  Result<Bounds> evaluate() const {
    auto value = evaluate(Signs::Signed);
    if (!value) return std::move(value).error();
    auto error = evaluate(Signs::Absolute);
    if (!error) return std::move(error).error();
    const auto share = static_cast<long double>(roundings_) * 0x1p-62L;
    for (long double& x : error->lanes[0]) x *= share;
    return Bounds{*std::move(value), *std::move(error)};
  }

  Status round(const std::optional<Bounds>& bounds, std::size_t from, std::size_t to,
               std::vector<float>& out) const {
    ElementWalk<CheckedNumbers> checked(graph_, {}, kMostSteps);
    for (std::size_t i = from; i < to; ++i) {
      if (i % 1024 == 0 && stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
      if (bounds && decided(bounds->value.lanes[0][i], bounds->error.lanes[0][i], out[i])) continue;
      auto value = checked.value(node_, static_cast<Dim>(i));
      if (!value) return std::move(value).error();
      const long double size = std::abs(value->value);
      if (value->exact && (size == 0 || (size >= 0x1p-126L && size < 0x1p127L))) {
        out[i] = static_cast<float>(size == 0 ? 0 : value->value);
        continue;
      }
      auto rounded = exactly(static_cast<Dim>(i));
      if (!rounded) return std::move(rounded).error();
      out[i] = *rounded;
    }
    return Done{};
  }

  // Whether every number that close to `value` has the same nearest float.
  static bool decided(long double value, long double error, float& out) {
    const long double size = std::abs(value);
    if (!(size >= 0x1p-125L && size < 0x1p127L && error < size * 0x1p-26L)) return false;
    out = static_cast<float>(value);
    return static_cast<float>(value - error) == out && static_cast<float>(value + error) == out &&
           static_cast<float>(value - 2 * error) == out &&
           static_cast<float>(value + 2 * error) == out;
  }

  Result<float> exactly(Dim flat) const {
    for (unsigned bits = 128; bits <= kMostBits; bits *= 4) {
      ElementWalk<IntervalNumbers> walk(graph_, IntervalNumbers(bits), kMostSteps);
      const auto e = walk.value(node_, flat);
      if (!e) return e.error();
      const float low = nearest_float(e->low);
      const float high = nearest_float(e->high);
      if (low != high) continue;
      if (!std::isfinite(low)) return failed(flat, "overflows");
      if (!holds_its_size(low, e->low) || !holds_its_size(high, e->high)) {
        if (e->is_point()) return failed(flat, "is too small for a float");
        continue;
      }
      return low;
    }
    return failed(flat, "cannot be rounded: too small, or too close to the middle of two floats");
  }

  Error failed(Dim flat, const char* why) const {
    return Error{fmt::format("element {} {}", flat, why)};
  }

  const Graph& graph_;
  NodeId node_;
  std::size_t threads_;
  const std::stop_token& stop_;
  std::vector<char> needed_;
  double roundings_ = 0;
  bool applies_functions_to_constants_ = true;
};

}  // namespace

Result<Tensor> correctly_rounded(const Graph& graph, NodeId node, std::size_t threads,
                                 const std::stop_token& stop) {
  return Rounding(graph, node, threads, stop).run();
}

Result<bool> is_exactly_a_float(const Graph& graph, NodeId node, Dim flat) {
  ElementWalk<IntervalNumbers> walk(graph, IntervalNumbers(128), kMostSteps);
  const auto e = walk.value(node, flat);
  if (!e) return e.error();
  if (!e->is_point()) return false;
  const float s = nearest_float(e->low);
  return std::isfinite(s) && exact(static_cast<double>(s)) == e->low;
}

}  // namespace pet
