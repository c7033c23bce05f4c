// Over 400 lines: the same walk through a meaning for sums, functions and windows, with what they
// share.
#include "core/eval/rounding.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <mutex>
#include <numeric>
#include <ranges>
#include <span>
#include <type_traits>

#include "core/eval/double_range.h"
#include "core/eval/element_steps.h"
#include "core/eval/element_walk.h"
#include "core/eval/evaluate.h"
#include "core/eval/lattice.h"
#include "core/eval/rounding_numbers.h"
#include "core/util/parallel.h"

namespace pet {
namespace {

constexpr std::uint64_t kMostSteps = 1'000'000;  // of one element
constexpr unsigned kMostBits = 4096;
constexpr std::size_t kFewUndecided = 256;  // are done one by one
constexpr long kLargestOdd = 1L << 40;

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

// Every element is a multiple of 1 / (fineness · odd). Without elements: nothing is known.
template <class T>
struct Lattice {
  LaneTensor<T> fineness;  // a power of two is not below it
  long double odd = 1;
};

template <class T>
struct Bounds {
  LaneTensor<T> value;
  LaneTensor<T> error;  // how far the value may be from the exact one
};

using Elements = std::vector<std::size_t>;

bool is_view(const Meaning& meaning) {
  return is_data_movement(meaning) && meaning.sum.terms.size() == 1;
}

RealEvaluator<double> moving(std::size_t threads) {
  return {Signs::Signed, Functions::Computed, threads};
}

LaneTensor<double> as_doubles(const Tensor& tensor, std::size_t threads) {
  LaneTensor<double> out(tensor.shape(), 1);
  const std::span<const float> from = tensor.floats();
  for_each_part(out.size(), threads, {}, [&](std::size_t first, std::size_t last) {
    std::ranges::copy(from.subspan(first, last - first),
                      out.values().begin() + static_cast<std::ptrdiff_t>(first));
  });
  return out;
}

class Rounding {
 public:
  Rounding(const Graph& graph, NodeId node, std::size_t threads, const std::stop_token& stop)
      : graph_(graph), node_(node), threads_(threads), stop_(stop) {}

  Result<Tensor> run() {
    if (auto done = list_needed(); !done) return std::move(done).error();
    if (auto done = move_constants(); !done) return std::move(done).error();
    count_roundings();
    fits_long_doubles_ = fits_long_doubles(graph_, node_);
    count_steps();
    const Shape& shape = *graph_.node(node_).type.shape;
    std::vector<float> out(static_cast<std::size_t>(count(shape)));
    auto open = settle(out);
    if (!open) return std::move(open).error();
    const std::size_t pieces = open->size() > 256 ? 8 * threads_ : 1;
    std::mutex guard;
    std::optional<Error> first_error;
    parallel_for(pieces, threads_, [&](std::size_t piece) {
      const std::size_t from = piece * open->size() / pieces;
      const std::size_t to = (piece + 1) * open->size() / pieces;
      auto done = round(std::span(*open).subspan(from, to - from), out);
      if (done) return;
      const std::scoped_lock lock(guard);
      if (!first_error) first_error = std::move(done).error();
    });
    if (first_error) return *std::move(first_error);
    return Tensor::of_floats(shape, std::move(out));
  }

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

 private:
  // Views of constants, once for all evaluations.
  Status move_constants() {
    constants_.resize(node_.index() + 1);
    for (std::size_t i = 0; i <= node_.index(); ++i) {
      const Node& node = graph_.node(NodeId(i));
      if (needed_[i] == 0) continue;
      if (node.constant() != nullptr) {
        constants_[i] = as_doubles(*node.constant(), threads_);
        continue;
      }
      if (node.operands.size() != 1 || !constants_[node.operands[0].index()]) continue;
      const Meaning& meaning = graph_.meaning(NodeId(i));
      if (!is_view(meaning)) continue;
      auto moved =
          moving(threads_).evaluate(meaning, std::array{&*constants_[node.operands[0].index()]});
      if (!moved) return std::move(moved).error();
      constants_[i] = *std::move(moved);
    }
    return Done{};
  }

  // Which values are read by something else than a view of constants.
  std::vector<char> list_evaluated() const {
    std::vector<char> out(node_.index() + 1, 0);
    out[node_.index()] = 1;
    for (std::size_t i = node_.index() + 1; i-- > 0;) {
      if (out[i] == 0 || constants_[i]) continue;
      for (const NodeId operand : graph_.node(NodeId(i)).operands) out[operand.index()] = 1;
    }
    return out;
  }

  // Looks whether functions have exact arguments.
  Status include(const Meaning& meaning, const Node& node) {
    is_linear_ = is_linear_ && meaning.applications.empty();
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

  // Of one value, in any of the products that it consists of. What a factor has lost is lost once
  // for each time that it is multiplied: x x has every rounding of x twice.
  double roundings_of(const Node& node, const Meaning& meaning,
                      const std::vector<double>& operands) const {
    constexpr double kOfFunction = 16;
    double own = kOfFunction;
    double most = 0;  // of the factors of one product
    for (const Term& term : meaning.sum.terms) {
      own += static_cast<double>(count(term.reduce)) + 4.0 +
             2.0 * static_cast<double>(term.factors.size());
      double factors = 0;
      for (const Access& access : term.factors) {
        const auto k = static_cast<std::size_t>(access.operand);
        factors += k < node.operands.size() ? operands[node.operands[k].index()] : kOfFunction;
      }
      most = std::max(most, factors);
    }
    return own + most;
  }

  void count_roundings() {
    std::vector<double> roundings(node_.index() + 1, 0);
    for (std::size_t i = 0; i <= node_.index(); ++i) {
      const Node& node = graph_.node(NodeId(i));
      if (needed_[i] != 0 && node.constant() == nullptr)
        roundings[i] = roundings_of(node, graph_.meaning(NodeId(i)), roundings);
    }
    roundings_ = roundings.back();
  }

  // A step is one product of a sum.
  void count_steps() {
    steps_of_element_ = steps_of_element(graph_, node_);
    for (std::size_t i = 0; i <= node_.index(); ++i) {
      if (needed_[i] == 0 || graph_.node(NodeId(i)).constant() != nullptr) continue;
      const IndexedSum& sum = graph_.meaning(NodeId(i)).sum;
      for (const Term& term : sum.terms)
        steps_of_all_ +=
            static_cast<double>(count(term.reduce)) * static_cast<double>(count(sum.out));
    }
  }

  // What the constants enter an evaluation as, and the operators.
  enum class Kind { Value, Size, Fineness };

  template <class T, class Leaf>
  static LaneTensor<T> each(const LaneTensor<double>& constant, std::size_t threads, Leaf leaf) {
    LaneTensor<T> out(constant.shape, 1);
    for_each_part(out.size(), threads, {}, [&](std::size_t first, std::size_t last) {
      std::ranges::transform(constant.values().subspan(first, last - first),
                             out.values().subspan(first).begin(), leaf);
    });
    return out;
  }

  // Constants are floats.
  template <class T>
  static LaneTensor<T> leaves(const LaneTensor<double>& constant, Kind kind, std::size_t threads) {
    switch (kind) {
      case Kind::Value:
        return each<T>(constant, threads, [](double x) { return static_cast<T>(x); });
      case Kind::Size:
        return each<T>(constant, threads, [](double x) { return static_cast<T>(std::abs(x)); });
      case Kind::Fineness:
        break;
    }
    return each<T>(constant, threads,
                   [](double x) { return static_cast<T>(fineness_of(static_cast<float>(x))); });
  }

  template <class T>
  Result<LaneTensor<T>> evaluate(Kind kind, std::size_t threads) const {
    const Signs signs = kind == Kind::Value ? Signs::Signed : Signs::Absolute;
    const RealEvaluator<T> evaluator(signs, Functions::Computed, threads);
    std::vector<LaneTensor<T>> values(node_.index() + 1);
    const std::vector<char> evaluated = list_evaluated();
    for (std::size_t i = 0; i <= node_.index(); ++i) {
      if (evaluated[i] == 0) continue;
      if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
      const Node& node = graph_.node(NodeId(i));
      if (constants_[i]) {
        if (as_it_is<T>(NodeId(i), kind) == nullptr)
          values[i] = leaves<T>(*constants_[i], kind, threads);
        continue;
      }
      std::vector<const LaneTensor<T>*> operands;
      for (const NodeId operand : node.operands) {
        const LaneTensor<T>* constant = as_it_is<T>(operand, kind);
        operands.push_back(constant != nullptr ? constant : &values[operand.index()]);
      }
      Meaning meaning = graph_.meaning(NodeId(i));
      if (kind == Kind::Fineness) meaning = with_twos(std::move(meaning));
      auto value = evaluator.evaluate(meaning, operands);
      if (!value) return std::move(value).error();
      values[i] = *std::move(value);
    }
    return std::move(values[node_.index()]);
  }

  // A constant that enters an evaluation as it is held here; null: it does not.
  template <class T>
  const LaneTensor<T>* as_it_is(NodeId id, Kind kind) const {
    if constexpr (std::is_same_v<T, double>) {
      const auto& constant = constants_[id.index()];
      if (constant && kind == Kind::Value && id != node_) return &*constant;
    }
    return nullptr;
  }

  // Every operation errs by half a unit in the last place of its result at most, and no result is
  // larger than the sum of the absolute values of all products (Higham, Accuracy and Stability of
  // Numerical Algorithms, section 3.1). Counted as a whole unit each: that covers what these bounds
  // lose themselves, and that errors are multiplied, too.
  template <class T>
  Result<Bounds<T>> evaluate() const {
    std::array<Result<LaneTensor<T>>, 2> both = {LaneTensor<T>(), LaneTensor<T>()};
    const std::size_t threads_of_each = std::max<std::size_t>(1, threads_ / both.size());
    parallel_for(both.size(), threads_, [&](std::size_t i) {
      both[i] = evaluate<T>(i == 0 ? Kind::Value : Kind::Size, threads_of_each);
    });
    auto& [value, error] = both;
    if (!value) return std::move(value).error();
    if (!error) return std::move(error).error();
    const T share = static_cast<T>(roundings_) * std::numeric_limits<T>::epsilon();
    for (T& x : error->lane(0)) x *= share;
    return Bounds<T>{*std::move(value), *std::move(error)};
  }

  // Rounds what bounds decide; the elements that are left.
  Result<Elements> settle(std::vector<float>& out) const {
    if (!applies_functions_to_constants_ || !fits_long_doubles_) {
      Elements all(out.size());
      std::iota(all.begin(), all.end(), std::size_t{0});
      return all;
    }
    if (is_linear_ && fits_doubles(graph_, node_)) {
      auto open = settle_in<double>(out);
      if (!open || is_done_one_by_one(open->size())) return open;
    }
    return settle_in<long double>(out);
  }

  template <class T>
  Result<Elements> settle_in(std::vector<float>& out) const {
    const auto bounds = evaluate<T>();
    if (!bounds) return bounds.error();
    Elements open = filtered(std::views::iota(std::size_t{0}, out.size()), [&](std::size_t i) {
      return decided(bounds->value.lane(0)[i], bounds->error.lane(0)[i], out[i]);
    });
    if (!is_linear_ || is_done_one_by_one(open.size())) return open;
    const auto lattice = find_lattice<T>();
    if (!lattice) return lattice.error();
    if (lattice->fineness.size() == 0) return open;
    return filtered(open, [&](std::size_t i) {
      return on_lattice(bounds->value.lane(0)[i], bounds->error.lane(0)[i],
                        lattice->fineness.lane(0)[i], lattice->odd, out[i]);
    });
  }

  // Whether so many elements one by one take less than all of them at once.
  bool is_done_one_by_one(std::size_t elements) const {
    constexpr double kSlower = 64;  // a step of an element by itself
    const double alone = static_cast<double>(elements) * steps_of_element_;
    return elements < kFewUndecided ||
           (steps_of_element_ < kMostSteps && alone * kSlower < steps_of_all_);
  }

  // In order, those that `settles` does not take.
  template <class Numbers, class Settles>
  Elements filtered(const Numbers& elements, Settles&& settles) const {
    const std::size_t pieces = elements.size() > 4096 ? threads_ : 1;
    std::vector<Elements> left(pieces);
    parallel_for(pieces, pieces, [&](std::size_t piece) {
      const std::size_t end = (piece + 1) * elements.size() / pieces;
      for (std::size_t k = piece * elements.size() / pieces; k < end; ++k) {
        if (!settles(elements[k])) left[piece].push_back(elements[k]);
      }
    });
    for (std::size_t piece = 1; piece < pieces; ++piece)
      left[0].insert(left[0].end(), left[piece].begin(), left[piece].end());
    return std::move(left[0]);
  }

  // Sums of floats often lie exactly between two floats, where no error bound decides.
  template <class T>
  Result<Lattice<T>> find_lattice() const {
    std::vector<mpz_class> odd(graph_.nodes().size(), 1);
    for (std::size_t i = 0; i <= node_.index(); ++i) {
      const Node& node = graph_.node(NodeId(i));
      if (needed_[i] == 0 || node.constant() != nullptr) continue;
      std::vector<mpz_class> operands;
      for (const NodeId operand : node.operands) operands.push_back(odd[operand.index()]);
      odd[i] = odd_denominator(graph_.meaning(NodeId(i)), operands);
      if (odd[i] > kLargestOdd) return Lattice<T>{};
    }
    auto fineness = evaluate<T>(Kind::Fineness, threads_);
    if (!fineness) return std::move(fineness).error();
    return Lattice<T>{*std::move(fineness), static_cast<long double>(odd[node_.index()].get_d())};
  }

  Status round(std::span<const std::size_t> elements, std::vector<float>& out) const {
    ElementWalk<CheckedNumbers> checked(graph_, {}, kMostSteps);
    const auto share =
        static_cast<long double>(roundings_) * std::numeric_limits<long double>::epsilon();
    for (std::size_t k = 0; k < elements.size(); ++k) {
      if (k % 1024 == 0 && stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
      const std::size_t i = elements[k];
      if (fits_long_doubles_) {
        auto value = checked.value(node_, static_cast<Dim>(i));
        if (!value) return std::move(value).error();
        const long double size = std::abs(value->value);
        if (value->exact && (size == 0 || (size >= 0x1p-126L && size < 0x1p127L))) {
          out[i] = static_cast<float>(size == 0 ? 0 : value->value);
          continue;
        }
        if (decided(value->value, value->size * share, out[i])) continue;
      }
      auto rounded = exactly(static_cast<Dim>(i));
      if (!rounded) return std::move(rounded).error();
      out[i] = *rounded;
    }
    return Done{};
  }

  // Whether every number that close to `value` has the same nearest float.
  template <class T>
  static bool decided(T value, T error, float& out) {
    const T size = std::abs(value);
    if (!(size >= T{0x1p-125} && size < T{0x1p127} && error < size * T{0x1p-26})) return false;
    out = static_cast<float>(value);
    return static_cast<float>(value - error) == out && static_cast<float>(value + error) == out;
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
  std::vector<std::optional<LaneTensor<double>>> constants_;  // and what is a view of one
  double roundings_ = 0;         // that are in one of its products, at most
  double steps_of_element_ = 0;  // one by itself, what it reads computed for it alone
  double steps_of_all_ = 0;      // all elements, each value computed once
  bool applies_functions_to_constants_ = true;
  bool fits_long_doubles_ = true;
  bool is_linear_ = true;  // sums of products of constants all the way
};

// As many elements as one computed value has, which stand elsewhere.
bool is_view_of_computed(const Graph& graph, NodeId id) {
  const Node& node = graph.node(id);
  if (node.operands.size() != 1 || graph.node(node.operands[0]).op() == nullptr) return false;
  const Meaning& meaning = graph.meaning(id);
  const auto& shape = graph.node(node.operands[0]).type.shape;
  return is_view(meaning) && shape && count(*shape) == count(meaning.sum.out);
}

Result<Tensor> moved(const Graph& graph, NodeId view, const Tensor& operand, std::size_t threads) {
  const Meaning& meaning = graph.meaning(view);
  const LaneTensor<double> doubles = as_doubles(operand, threads);
  auto out = moving(threads).evaluate(meaning, std::array{&doubles});
  if (!out) return std::move(out).error();
  return Tensor::of_floats(meaning.sum.out, {out->lane(0).begin(), out->lane(0).end()});
}

}  // namespace

// Rounding and moving may be exchanged, and floats are moved faster: what lies behind views is
// rounded and then moved. Where that cannot be rounded the view of it may be.
Result<Tensor> correctly_rounded(const Graph& graph, NodeId node, std::size_t threads,
                                 const std::stop_token& stop) {
  if (auto done = Rounding(graph, node, threads, stop).list_needed(); !done)
    return std::move(done).error();
  std::vector<NodeId> views;
  while (is_view_of_computed(graph, node)) {
    views.push_back(node);
    node = graph.node(node).operands[0];
  }
  auto out = Rounding(graph, node, threads, stop).run();
  while (!views.empty()) {
    if (out) out = moved(graph, views.back(), *out, threads);
    if (!out) out = Rounding(graph, views.back(), threads, stop).run();
    views.pop_back();
  }
  return out;
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
