#include "verify/verdict/near_jumps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace pet {
namespace {

// Sums of numbers below this many units are exact in doubles.
constexpr double kMostUnits = 0x1p50;
constexpr int kMostFractionBits = 30;
// Steeper than this no function that jumps is between its jumps.
constexpr int kSteepest = 16;

bool jumps(const Meaning& meaning) {
  return std::ranges::any_of(meaning.applications, [](const Application& one) {
    return one.function->jumps != Jumps::Nowhere;
  });
}

// Of how many binary places the numbers are; what is no number does not count.
template <class T>
std::optional<int> fraction_bits(std::span<const T> values) {
  int bits = 0;
  for (const T x : values) {
    if (!std::isfinite(x)) continue;
    while (bits <= kMostFractionBits && std::trunc(std::ldexp(x, bits)) != std::ldexp(x, bits))
      ++bits;
    if (bits > kMostFractionBits) return std::nullopt;
  }
  return bits;
}

// The same of a coefficient, and its largest size.
struct Scale {
  int fraction_bits = 0;
  double size = 0;
};

std::optional<Scale> scale_of(const Coef& coef) {
  Scale out{0, 1};
  const auto times = [&](const auto& numbers) {
    double size = 0;
    int most = 0;
    for (const Rational& x : numbers) {
      const double value = to_double(x);
      const auto bits = fraction_bits(std::span<const double>(&value, 1));
      if (!bits || Rational(value) != x) return false;
      most = std::max(most, *bits);
      size = std::max(size, std::abs(value));
    }
    out.fraction_bits += most;
    out.size *= size;
    return true;
  };
  if (!times(std::span<const Rational>(&coef.scale, 1))) return std::nullopt;
  for (const AxisTable& table : coef.tables)
    if (!times(table.values)) return std::nullopt;
  return out;
}

template <class T>
double largest_finite(std::span<const T> values) {
  double out = 0;
  for (const T x : values)
    if (std::isfinite(x)) out = std::max(out, static_cast<double>(std::abs(x)));
  return out;
}

}  // namespace

template <class T>
NearJumps<T>::NearJumps(const Graph& graph, std::size_t runs) : graph_(graph) {
  const auto needed = graph.needed_by_outputs();
  are_possible_ = std::ranges::any_of(graph.ids(), [&](NodeId id) {
    return needed[id.index()] != 0 && graph.has_meaning(id) && jumps(graph.meaning(id));
  });
  if (are_possible_) known_.assign(graph.nodes().size(), std::vector<Known>(runs));
}

template <class T>
void NearJumps<T>::note_leaf(NodeId id, const LaneTensor<T>& value) {
  auto& known = known_[id.index()];
  for (std::size_t run = 0; run < known.size(); ++run) {
    const auto bits = fraction_bits(value.lane(run));
    known[run] = {true, bits.has_value(), bits.value_or(0)};
  }
}

template <class T>
Status NearJumps<T>::look(NodeId id, const MeaningCode& code,
                          const std::vector<const LaneTensor<T>*>& operands,
                          const RealEvaluator<T>& evaluator, const std::vector<T>& reach,
                          LaneTensor<T>& value) {
  const Meaning& meaning = graph_.meaning(id);
  const bool may_jump = jumps(meaning);
  if (may_jump) {
    if (auto done = blur(id, code, operands, evaluator, reach, value); !done) return done;
  }
  auto& known = known_[id.index()];
  for (std::size_t run = 0; run < known.size(); ++run) {
    const bool from_exact = std::ranges::all_of(
        graph_.node(id).operands, [&](NodeId operand) { return is_exact(operand, run); });
    if (is_linear(meaning)) {
      if (from_exact) known[run] = known_sum(id, operands, run);
    } else if (may_jump) {
      // Whole numbers that are left are certain.
      const auto bits = fraction_bits(std::as_const(value).lane(run));
      known[run] = {from_exact || bits == 0, bits.has_value(), bits.value_or(0)};
    }
  }
  return Done{};
}

template <class T>
Status NearJumps<T>::blur(NodeId id, const MeaningCode& code,
                          const std::vector<const LaneTensor<T>*>& operands,
                          const RealEvaluator<T>& evaluator, const std::vector<T>& reach,
                          LaneTensor<T>& value) {
  auto above = moved(id, code, operands, evaluator, reach, 1);
  if (!above) return std::move(above).error();
  auto below = moved(id, code, operands, evaluator, reach, -1);
  if (!below) return std::move(below).error();
  for (std::size_t run = 0; run < reach.size(); ++run) {
    const auto here = value.lane(run);
    const auto high = std::as_const(*above).lane(run);
    const auto low = std::as_const(*below).lane(run);
    const auto is_far = [&](T x, T y) { return !(std::abs(x - y) <= kSteepest * reach[run]); };
    for (std::size_t i = 0; i < here.size(); ++i) {
      if (is_far(here[i], high[i]) || is_far(here[i], low[i]))
        here[i] = std::numeric_limits<T>::quiet_NaN();
    }
  }
  return Done{};
}

// The first operand moved that way and the others the other way, as far as they are not exact:
// differences of two grow as well as single ones.
template <class T>
Result<LaneTensor<T>> NearJumps<T>::moved(NodeId id, const MeaningCode& code,
                                          const std::vector<const LaneTensor<T>*>& operands,
                                          const RealEvaluator<T>& evaluator,
                                          const std::vector<T>& reach, T direction) const {
  std::vector<LaneTensor<T>> copies;
  copies.reserve(operands.size());
  std::vector<const LaneTensor<T>*> read = operands;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    copies.push_back(*operands[k]);
    for (std::size_t run = 0; run < reach.size(); ++run) {
      if (is_exact(graph_.node(id).operands[k], run)) continue;
      for (T& x : copies.back().lane(run)) x += (k == 0 ? direction : -direction) * reach[run];
    }
    read[k] = &copies.back();
  }
  return evaluator.evaluate(code, read);
}

template <class T>
typename NearJumps<T>::Known NearJumps<T>::known_sum(
    NodeId id, const std::vector<const LaneTensor<T>*>& operands, std::size_t run) const {
  const Meaning& meaning = graph_.meaning(id);
  if (is_data_movement(meaning)) {
    Known out{true, true, 0};
    for (const NodeId operand : graph_.node(id).operands) {
      const Known& one = known_[operand.index()][run];
      out.has_unit = out.has_unit && one.has_unit;
      out.fraction_bits = std::max(out.fraction_bits, one.fraction_bits);
    }
    return out;
  }
  int bits = 0;
  double size = 0;
  for (const Term& term : meaning.sum.terms) {
    const auto scale = scale_of(term.coef);
    if (!scale) return {};
    int bits_of_term = scale->fraction_bits;
    double size_of_term = scale->size * static_cast<double>(count(term.reduce));
    for (const Access& access : term.factors) {
      const auto k = static_cast<std::size_t>(access.operand);
      const Known& one = known_[graph_.node(id).operands[k].index()][run];
      if (!one.has_unit) return {};
      bits_of_term += one.fraction_bits;
      size_of_term *= largest_finite(std::as_const(*operands[k]).lane(run));
    }
    bits = std::max(bits, bits_of_term);
    size += size_of_term;
  }
  if (bits > kMostFractionBits || !(std::ldexp(size, bits) < kMostUnits)) return {};
  return {true, true, bits};
}

template <class T>
bool NearJumps<T>::is_exact(NodeId id, std::size_t run) const {
  return graph_.node(id).type.dtype != DType::Float || known_[id.index()][run].is_exact;
}

template class NearJumps<double>;
template class NearJumps<long double>;

}  // namespace pet
