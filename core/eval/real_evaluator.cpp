#include <algorithm>

#include "core/eval/evaluate.h"
#include "core/eval/side_by_side.h"
#include "core/eval/term_eval.h"
#include "core/util/parallel.h"

namespace pet {
namespace {

template <class T>
std::vector<RowState> row_states(const Application& application, const WindowPlan& plan,
                                 std::span<const T> operand) {
  std::vector<RowState> states(plan.windows);
  std::vector<Real> values;
  for (std::size_t w = 0; w < plan.windows; ++w) {
    values.clear();
    for (std::size_t i = 0; i < plan.width; ++i) {
      const Dim offset = plan.offsets[w * plan.width + i];
      if (offset >= 0)
        values.push_back(static_cast<Real>(operand[static_cast<std::size_t>(offset)]));
    }
    const RowState state = application.function->row(application.parameters, values);
    states[w] = {static_cast<T>(state.first), static_cast<T>(state.second)};
  }
  return states;
}

}  // namespace

template <class T>
LaneTensor<T> RealEvaluator<T>::argument(const Application& application,
                                         const ApplicationCode& code, std::size_t k,
                                         std::span<const LaneTensor<T>* const> operands) const {
  const auto& operand = *operands[static_cast<std::size_t>(application.elements[k].operand)];
  const auto offsets = read_offsets(code.elements[k]);
  LaneTensor<T> out(application.out, ring_.lanes());
  for (std::size_t lane = 0; lane < ring_.lanes(); ++lane) {
    const auto from = operand.lane(lane);
    const auto to = out.lane(lane);
    for (std::size_t i = 0; i < offsets.size(); ++i)
      to[i] = offsets[i] < 0 ? T{0} : from[static_cast<std::size_t>(offsets[i])];
  }
  return out;
}

template <class T>
LaneTensor<T> RealEvaluator<T>::apply(const Application& application, const ApplicationCode& code,
                                      std::span<const LaneTensor<T>* const> operands) const {
  LaneTensor<T> out(application.out, ring_.lanes());
  if (functions_ == Functions::One) {
    std::ranges::fill(out.values(), T{1});
    return out;
  }
  std::vector<std::vector<Dim>> offsets;
  for (const TermPlan& read : code.elements) offsets.push_back(read_offsets(read));
  std::vector<std::vector<RowState>> rows;  // by lane
  WindowPlan plan;
  if (application.window) {
    const LaneTensor<T>& operand =
        *operands[static_cast<std::size_t>(application.window->read.operand)];
    plan = plan_windows(*code.window, application.out);
    for (std::size_t lane = 0; lane < operand.lanes(); ++lane)
      rows.push_back(row_states<T>(application, plan, operand.lane(lane)));
  }
  const std::size_t size = out.size();
  const std::size_t pieces = size > 4096 ? threads_ : 1;
  parallel_for(pieces, pieces, [&](std::size_t piece) {
    std::vector<Real> elements(offsets.size());
    std::vector<std::span<const T>> read(offsets.size());
    for (std::size_t lane = 0; lane < ring_.lanes(); ++lane) {
      for (std::size_t k = 0; k < read.size(); ++k)
        read[k] = operands[static_cast<std::size_t>(application.elements[k].operand)]->lane(lane);
      const auto to = out.lane(lane);
      for (std::size_t i = piece * size / pieces; i < (piece + 1) * size / pieces; ++i) {
        for (std::size_t k = 0; k < elements.size(); ++k) {
          const Dim offset = offsets[k][i];
          elements[k] =
              offset < 0 ? Real{0} : static_cast<Real>(read[k][static_cast<std::size_t>(offset)]);
        }
        const RowState state = rows.empty() ? RowState{} : rows[lane][plan.of_output[i]];
        to[i] =
            static_cast<T>(application.function->value(application.parameters, state, elements));
      }
    }
  });
  return out;
}

template <class T>
Result<LaneTensor<T>> RealEvaluator<T>::evaluate(
    const MeaningCode& code, std::span<const LaneTensor<T>* const> operands) const {
  if (count(code.meaning().sum.out) == 0)
    return LaneTensor<T>(code.meaning().sum.out, ring_.lanes());
  std::vector<LaneTensor<T>> applied;
  applied.reserve(code.applications().size());
  std::vector<const LaneTensor<T>*> all(operands.begin(), operands.end());
  for (std::size_t k = 0; k < code.applications().size(); ++k) {
    applied.push_back(result(code, k, all));
    all.push_back(&applied.back());
  }
  if (code.is_result_in_place()) return std::move(applied.back());
  return sum(code, all);
}

template <class T>
LaneTensor<T> RealEvaluator<T>::result(const MeaningCode& code, std::size_t number,
                                       std::span<const LaneTensor<T>* const> operands) const {
  return apply(code.meaning().applications[number], code.applications()[number], operands);
}

template <class T>
Result<LaneTensor<T>> RealEvaluator<T>::sum(const MeaningCode& code,
                                            std::span<const LaneTensor<T>* const> operands) const {
  if (suits_side_by_side(code, ring_.lanes())) return sum_side_by_side(ring_, code, operands);
  LaneTensor<T> out(code.out(), ring_.lanes());
  for (const TermCode& term : code.terms()) {
    if (auto done = add_term(ring_, term, operands, out, threads_, stop_); !done)
      return std::move(done).error();
  }
  return out;
}

template <class T>
Result<LaneTensor<T>> RealEvaluator<T>::evaluate(
    const Meaning& meaning, std::span<const LaneTensor<T>* const> operands) const {
  return evaluate(MeaningCode(meaning, shapes_of(operands)), operands);
}

template class RealEvaluator<float>;
template class RealEvaluator<double>;
template class RealEvaluator<long double>;

}  // namespace pet
