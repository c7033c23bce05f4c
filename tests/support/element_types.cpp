#include "tests/support/element_types.h"

#include <array>

#include "core/ir/infer.h"
#include "core/util/check.h"

namespace pet::test {
namespace {

constexpr std::array kTried = {DType::Float, DType::Bool, DType::Int64};
constexpr std::size_t kMostOperands = 4;

}  // namespace

std::vector<std::vector<DType>> element_types(const Op& op, const std::vector<Shape>& operands) {
  std::vector<DType> tried(operands.size(), DType::Float);
  if (op.def->element_type == nullptr) return {tried};
  PET_CHECK(operands.size() <= kMostOperands, "few enough to try all combinations");
  std::size_t combinations = 1;
  for (std::size_t i = 0; i < operands.size(); ++i) combinations *= kTried.size();
  std::vector<std::vector<DType>> out;
  for (std::size_t number = 0; number < combinations; ++number) {
    std::size_t rest = number;
    for (DType& dtype : tried) {
      dtype = kTried[rest % kTried.size()];
      rest /= kTried.size();
    }
    if (infer(op, operand_types(operands, tried), {})) out.push_back(tried);
  }
  return out;
}

TensorType operand_type(const std::vector<Shape>& operands, const std::vector<DType>& elements,
                        std::size_t place) {
  return {place < elements.size() ? elements[place] : DType::Float, operands[place]};
}

std::vector<TensorType> operand_types(const std::vector<Shape>& operands,
                                      const std::vector<DType>& elements) {
  std::vector<TensorType> out;
  for (std::size_t i = 0; i < operands.size(); ++i)
    out.push_back(operand_type(operands, elements, i));
  return out;
}

}  // namespace pet::test
