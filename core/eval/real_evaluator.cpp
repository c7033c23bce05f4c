#include <algorithm>

#include "core/eval/evaluate.h"
#include "core/eval/in_place.h"
#include "core/eval/term_eval.h"
#include "core/eval/windows.h"
#include "core/util/parallel.h"

namespace pet {
namespace {

template <class T>
std::vector<RowState> row_states(const Application& application, const WindowPlan& plan,
                                 const LaneTensor<T>& operand) {
  std::vector<RowState> states(plan.windows);
  std::vector<Real> values;
  for (std::size_t w = 0; w < plan.windows; ++w) {
    values.clear();
    for (std::size_t i = 0; i < plan.width; ++i) {
      const Dim offset = plan.offsets[w * plan.width + i];
      if (offset >= 0)
        values.push_back(static_cast<Real>(operand.lanes[0][static_cast<std::size_t>(offset)]));
    }
    states[w] = application.function->row(application.parameters, values);
  }
  return states;
}

}  // namespace

template <class T>
LaneTensor<T> RealEvaluator<T>::argument(const Access& access, const std::vector<Guard>& guards,
                                         const Shape& loops,
                                         std::span<const LaneTensor<T>* const> operands) const {
  const LaneTensor<T>& operand = *operands[static_cast<std::size_t>(access.operand)];
  const auto offsets = read_offsets(access, guards, loops, operand.shape);
  LaneTensor<T> out(loops, 1);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    out.lanes[0][i] =
        offsets[i] < 0 ? T{0} : operand.lanes[0][static_cast<std::size_t>(offsets[i])];
  }
  return out;
}

template <class T>
LaneTensor<T> RealEvaluator<T>::apply(const Application& application,
                                      std::span<const LaneTensor<T>* const> operands) const {
  LaneTensor<T> out(application.out, 1);
  if (functions_ == Functions::One) {
    std::fill(out.lanes[0].begin(), out.lanes[0].end(), T{1});
    return out;
  }
  std::vector<LaneTensor<T>> arguments;
  for (const Access& access : application.elements)
    arguments.push_back(argument(access, {}, application.out, operands));
  std::vector<RowState> rows;
  WindowPlan plan;
  if (application.window) {
    const LaneTensor<T>& operand =
        *operands[static_cast<std::size_t>(application.window->read.operand)];
    plan = plan_windows(application, operand.shape);
    rows = row_states(application, plan, operand);
  }
  const std::size_t size = out.size();
  const std::size_t pieces = size > 4096 ? threads_ : 1;
  parallel_for(pieces, pieces, [&](std::size_t piece) {
    std::vector<Real> elements(arguments.size());
    for (std::size_t i = piece * size / pieces; i < (piece + 1) * size / pieces; ++i) {
      for (std::size_t k = 0; k < elements.size(); ++k)
        elements[k] = static_cast<Real>(arguments[k].lanes[0][i]);
      const RowState state = rows.empty() ? RowState{} : rows[plan.of_output[i]];
      out.lanes[0][i] =
          static_cast<T>(application.function->value(application.parameters, state, elements));
    }
  });
  return out;
}

template <class T>
Result<LaneTensor<T>> RealEvaluator<T>::evaluate(
    const Meaning& meaning, std::span<const LaneTensor<T>* const> operands) const {
  if (count(meaning.sum.out) == 0)  // its other extents may be too large to walk along
    return LaneTensor<T>(meaning.sum.out, 1);
  std::vector<LaneTensor<T>> applied;
  applied.reserve(meaning.applications.size());
  std::vector<const LaneTensor<T>*> all(operands.begin(), operands.end());
  for (const Application& application : meaning.applications) {
    applied.push_back(apply(application, all));
    all.push_back(&applied.back());
  }
  if (!applied.empty() && is_result_in_place(meaning, operands.size()))
    return std::move(applied.back());
  std::vector<Shape> shapes;
  for (const auto* tensor : all) shapes.push_back(tensor->shape);
  LaneTensor<T> out(meaning.sum.out, 1);
  for (const Term& term : meaning.sum.terms) {
    if (count(term.reduce) == 0) continue;
    auto done =
        add_term(ring_, compile_term(term, meaning.sum.out, shapes), all, out, threads_, stop_);
    if (!done) return std::move(done).error();
  }
  return out;
}

template class RealEvaluator<double>;
template class RealEvaluator<long double>;

}  // namespace pet
