#include "verify/rounding/alike_sums.h"

#include <algorithm>
#include <cmath>

namespace pet {
namespace {

std::vector<const Alike*> alike_of(const std::vector<const Sizes*>& operands) {
  std::vector<const Alike*> out;
  for (const Sizes* operand : operands) out.push_back(&operand->alike());
  return out;
}

// Whether each index and guard is a sum of what single axes add.
bool is_separable(const IndexedSum& sum) {
  const auto all = [](const std::vector<IndexExpr>& index) {
    return std::ranges::all_of(index, [](const IndexExpr& e) { return e.is_separable(); });
  };
  return std::ranges::all_of(sum.terms, [&](const Term& term) {
    return std::ranges::all_of(term.factors, [&](const Access& a) { return all(a.index); }) &&
           std::ranges::all_of(term.guards,
                               [](const Guard& guard) { return guard.expr.is_separable(); });
  });
}

// Walks along the first positions of all classes, row-major.
class FirstPositions {
 public:
  explicit FirstPositions(const Alike& alike)
      : positions_(alike.firsts()), extents_(alike.classes()), number_(extents_.size(), 0) {
    for (const auto& along : positions_) at_.push_back(along.empty() ? 0 : along.front());
  }
  const Shape& axes() const { return at_; }
  void advance() {
    for (std::size_t axis = at_.size(); axis-- > 0;) {
      const bool is_over = ++number_[axis] == extents_[axis];
      if (is_over) number_[axis] = 0;
      const auto i = static_cast<std::size_t>(number_[axis]);
      at_[axis] = positions_[axis].empty() ? number_[axis] : positions_[axis][i];
      if (!is_over) return;
    }
  }

 private:
  Positions positions_;
  const Shape& extents_;
  Shape number_;  // of the class along each axis
  Shape at_;
};

// Reads an operand where it stands for the elements that are alike.
class AccessOfClasses {
 public:
  AccessOfClasses(const Access& access, const std::vector<const Sizes*>& operands)
      : access_(access),
        operand_(*operands[static_cast<std::size_t>(access.operand)]),
        strides_(row_major_strides(operand_.alike().classes())),
        from_(operand_.of_classes().lane(0)) {}
  double at(const Shape& axes) const {
    Dim flat = 0;
    for (std::size_t d = 0; d < access_.index.size(); ++d) {
      const Dim index = access_.index[d].value(axes);
      if (index < 0 || index >= operand_.shape()[d]) return 0;
      flat += strides_[d] * operand_.alike().class_of(d, index);
    }
    return from_[static_cast<std::size_t>(flat)];
  }

 private:
  const Access& access_;
  const Sizes& operand_;
  Shape strides_;
  std::span<const double> from_;
};

// Sums of single elements, none of which is summed over: moved, padded, put together.
bool reads_single_elements(const IndexedSum& sum) {
  return std::ranges::all_of(sum.terms, [](const Term& term) {
    return count(term.reduce) == 1 && term.factors.size() == 1 && term.coef.tables.empty();
  });
}

LaneTensor<double> one_by_one(const IndexedSum& sum, const Alike& alike,
                              const std::vector<const Sizes*>& operands) {
  LaneTensor<double> out(alike.classes(), 1);
  for (const Term& term : sum.terms) {
    const double scale = std::abs(to_double(term.coef.scale));
    const AccessOfClasses read(term.factors[0], operands);
    FirstPositions at(alike);
    std::vector<Dim> axes(sum.out.size() + term.reduce.size(), 0);
    for (double& size : out.lane(0)) {
      std::ranges::copy(at.axes(), axes.begin());
      if (all_hold(term.guards, axes)) size += scale * read.at(axes);
      at.advance();
    }
  }
  return out;
}

}  // namespace

bool is_same_in_a_row(const MeaningCode& code) {
  if (code.terms().size() != 1) return false;
  const TermPlan& plan = code.terms()[0].plan;
  if (plan.reads.size() != 1 || plan.is_dense() || !plan.guards.empty() || !plan.tables.empty() ||
      plan.scale != 1 || plan.out_loops != plan.extents.size() || plan.reads[0].operand == kOne ||
      !plan.reads[0].checks.empty())
    return false;
  const AxisSum& from = plan.reads[0].offset;
  const AxisSum& to = plan.out_offset;
  return from.base == to.base && from.steps == to.steps && from.tables.empty() &&
         to.tables.empty() && count(plan.extents) == count(code.out());
}

LaneTensor<double> at_classes(const LaneTensor<double>& elements, const Alike& alike) {
  LaneTensor<double> out(alike.classes(), 1);
  const auto positions = alike.firsts();
  const auto strides = row_major_strides(elements.shape);
  Shape at(alike.classes().size(), 0);
  for (double& size : out.lane(0)) {
    Dim flat = 0;
    for (std::size_t axis = 0; axis < at.size(); ++axis) {
      const auto i = static_cast<std::size_t>(at[axis]);
      flat += strides[axis] * (positions[axis].empty() ? at[axis] : positions[axis][i]);
    }
    size = elements.lane(0)[static_cast<std::size_t>(flat)];
    for (std::size_t axis = at.size(); axis-- > 0 && ++at[axis] == alike.classes()[axis];)
      at[axis] = 0;
  }
  return out;
}

Alike alike_results(const Application& application, const std::vector<const Sizes*>& operands) {
  const auto all = alike_of(operands);
  return alike_results(application, std::span(all));
}

Result<Summed> summed(const MeaningCode& code, const std::vector<const Sizes*>& operands,
                      const RealEvaluator<double>& evaluator) {
  const IndexedSum& sum = code.meaning().sum;
  const auto all = alike_of(operands);
  Alike alike = alike_results(sum, all);
  // Nothing is written out for the sake of few elements.
  constexpr Dim kSlower = 8;
  Dim read_elements = 0;
  for (const Sizes* operand : operands) read_elements += count(operand->shape());
  if (reads_single_elements(sum) && count(alike.classes()) * kSlower < read_elements) {
    LaneTensor<double> of_classes = one_by_one(sum, alike, operands);
    return Summed{std::move(alike), std::move(of_classes)};
  }
  const WrittenOut read(operands);
  if (alike.is_nowhere() || !is_separable(sum)) {
    auto out = evaluator.sum(code, read.all());
    if (!out) return std::move(out).error();
    if (alike.is_nowhere()) return Summed{std::move(alike), *std::move(out)};
    LaneTensor<double> of_classes = at_classes(*out, alike);
    return Summed{std::move(alike), std::move(of_classes)};
  }
  std::vector<Shape> shapes;
  for (const Sizes* operand : operands) shapes.push_back(operand->shape());
  const Meaning alone{{}, sum};
  const MeaningCode there(alone, std::move(shapes), alike.firsts());
  auto out = evaluator.sum(there, read.all());
  if (!out) return std::move(out).error();
  return Summed{std::move(alike), *std::move(out)};
}

std::vector<LaneTensor<double>> arguments_at(const Application& application, const Alike& alike,
                                             const std::vector<const Sizes*>& operands) {
  std::vector<LaneTensor<double>> out;
  for (const Access& access : application.elements) {
    const AccessOfClasses read(access, operands);
    LaneTensor<double>& argument = out.emplace_back(alike.classes(), 1);
    FirstPositions at(alike);
    for (double& size : argument.lane(0)) {
      size = read.at(at.axes());
      at.advance();
    }
  }
  return out;
}

}  // namespace pet
