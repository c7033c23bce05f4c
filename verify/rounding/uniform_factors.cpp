#include "verify/rounding/uniform_factors.h"

#include <algorithm>
#include <cmath>

namespace pet {
namespace {

constexpr Dim kMuchShorter = 4;

// A factor of a term, and what is left of its operand.
struct Factor {
  Access access;
  const Sizes* sizes = nullptr;
  LaneTensor<double> left = {};  // of one that is not the same everywhere, summed along some axes
  Shape shape = {};
};

// The sum along an axis, which stays, with extent 1.
LaneTensor<double> summed_along(const LaneTensor<double>& from, std::size_t axis) {
  Shape shape = from.shape;
  const Dim extent = shape[axis];
  shape[axis] = 1;
  std::size_t inner = 1;
  for (std::size_t a = axis + 1; a < shape.size(); ++a) inner *= static_cast<std::size_t>(shape[a]);
  LaneTensor<double> out(shape, 1);
  const auto read = from.lane(0);
  const auto sums = out.lane(0);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const std::size_t first = i / inner * inner * static_cast<std::size_t>(extent) + i % inner;
    double sum = 0;
    for (std::size_t k = 0; k < static_cast<std::size_t>(extent); ++k)
      sum += read[first + k * inner];
    sums[i] = sum;
  }
  return out;
}

// One term, axis after axis of what it sums over.
class Shortening {
 public:
  Shortening(const IndexedSum& sum, const Term& term, const std::vector<const Sizes*>& operands)
      : out_(sum.out), term_(term) {
    for (const Access& access : term.factors) {
      const Sizes* sizes = operands[static_cast<std::size_t>(access.operand)];
      factors_.push_back({.access = access, .sizes = sizes, .shape = sizes->shape()});
    }
  }

  // By how much it becomes shorter.
  Dim run() {
    Dim gained = 1;
    for (std::size_t r = 0; r < term_.reduce.size(); ++r) {
      if (term_.reduce[r] > 1 && shorten(r)) {
        gained *= term_.reduce[r];
        term_.reduce[r] = 1;
      }
    }
    return gained;
  }

  Result<LaneTensor<double>> evaluate(const RealEvaluator<double>& evaluator) {
    std::vector<LaneTensor<double>> held;
    held.reserve(factors_.size());
    std::vector<const LaneTensor<double>*> operands;
    term_.factors.clear();
    for (Factor& factor : factors_) {
      factor.access.operand = static_cast<int>(term_.factors.size());
      term_.factors.push_back(factor.access);
      if (const auto everywhere = factor.sizes->everywhere()) {
        LaneTensor<double>& all = held.emplace_back(factor.shape, 1);
        std::ranges::fill(all.values(), *everywhere);
        operands.push_back(&all);
      } else {
        operands.push_back(factor.left.size() > 0 ? &factor.left : &factor.sizes->of_elements());
      }
    }
    return evaluator.evaluate(Meaning{{}, {out_, {term_}}}, operands);
  }

 private:
  // Where factors that are the same everywhere mention the axis only inside of their operands, and
  // at most one other factor does, which reads by it alone, and by the whole of it, one axis of its
  // operand.
  bool shorten(std::size_t number) {
    const int axis = static_cast<int>(out_.size() + number);
    const Dim extent = term_.reduce[number];
    const auto mentions = [&](const Guard& guard) { return guard.expr.depends_on(axis); };
    const auto belongs = [&](const AxisTable& table) { return table.axis == axis; };
    if (std::ranges::any_of(term_.guards, mentions) ||
        std::ranges::any_of(term_.coef.tables, belongs))
      return false;
    std::vector<std::pair<Factor*, std::size_t>> read;
    std::size_t differing = 0;
    for (Factor& factor : factors_) {
      std::size_t times = 0;
      for (std::size_t a = 0; a < factor.access.index.size(); ++a) {
        if (!factor.access.index[a].depends_on(axis)) continue;
        if (factor.sizes->everywhere()) {
          if (!is_inside(factor, a)) return false;
          read.emplace_back(&factor, a);
          continue;
        }
        if (factor.access.index[a] != IndexExpr::of_axis(axis) || factor.shape[a] != extent ||
            ++times > 1)
          return false;
        read.emplace_back(&factor, a);
      }
      differing += times > 0 && !factor.sizes->everywhere() ? 1U : 0U;
    }
    if (differing > 1 || read.empty()) return false;
    if (differing == 0) term_.coef.scale *= Rational(extent);
    for (auto& [factor, a] : read) {
      if (factor->sizes->everywhere()) {
        factor->access.index[a] = IndexExpr(0);
      } else {
        factor->left =
            summed_along(factor->left.size() > 0 ? factor->left : factor->sizes->of_elements(), a);
      }
      factor->shape[a] = 1;
    }
    return true;
  }

  bool is_inside(const Factor& factor, std::size_t a) const {
    Shape extents = out_;
    extents.insert(extents.end(), term_.reduce.begin(), term_.reduce.end());
    const auto [low, high] = factor.access.index[a].bounds(extents);
    return low >= 0 && high < factor.shape[a];
  }

  const Shape& out_;
  Term term_;
  std::vector<Factor> factors_;
};

}  // namespace

Result<std::optional<LaneTensor<double>>> summed_beforehand(
    const IndexedSum& sum, const std::vector<const Sizes*>& operands,
    const RealEvaluator<double>& evaluator) {
  using Nothing = std::optional<LaneTensor<double>>;
  const auto has_uniform = [&](const Term& term) {
    return std::ranges::any_of(term.factors, [&](const Access& access) {
      return operands[static_cast<std::size_t>(access.operand)]->everywhere().has_value();
    });
  };
  if (std::ranges::none_of(sum.terms, has_uniform)) return Nothing{};
  std::vector<Shortening> terms;
  Dim gained = 1;
  for (const Term& term : sum.terms)
    gained = std::max(gained, terms.emplace_back(sum, term, operands).run());
  if (gained < kMuchShorter) return Nothing{};
  LaneTensor<double> out(sum.out, 1);
  for (Shortening& term : terms) {
    const auto part = term.evaluate(evaluator);
    if (!part) return part.error();
    std::ranges::transform(out.values(), part->values(), out.values().begin(), std::plus<>());
  }
  return Nothing(std::move(out));
}

}  // namespace pet
