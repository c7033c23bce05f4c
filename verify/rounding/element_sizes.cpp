#include "verify/rounding/element_sizes.h"

#include <algorithm>

namespace pet {
namespace {

LaneTensor<double> shape_alone(Shape shape) {
  LaneTensor<double> out;
  out.shape = std::move(shape);
  return out;
}

std::optional<double> same_of(std::span<const double> sizes) {
  if (sizes.empty()) return std::nullopt;
  const bool same = std::ranges::all_of(sizes, [&](double x) { return x == sizes[0]; });
  return same ? std::optional(sizes[0]) : std::nullopt;
}

}  // namespace

Sizes::Sizes(Shape shape, double everywhere) : of_elements_(shape_alone(std::move(shape))) {
  if (count(of_elements_.shape) > 0) everywhere_ = everywhere;
}

Sizes::Sizes(LaneTensor<double> of_elements)
    : everywhere_(same_of(of_elements.values())), of_elements_(std::move(of_elements)) {}

Sizes Sizes::unread(Shape shape) {
  Sizes out;
  out.of_elements_ = shape_alone(std::move(shape));
  return out;
}

const LaneTensor<double>& Sizes::of_elements() const {
  if (everywhere_ && of_elements_.size() == 0) {
    of_elements_ = LaneTensor<double>(of_elements_.shape, 1);
    std::ranges::fill(of_elements_.values(), *everywhere_);
  }
  return of_elements_;
}

std::vector<const LaneTensor<double>*> written_out(const std::vector<const Sizes*>& operands) {
  std::vector<const LaneTensor<double>*> out;
  out.reserve(operands.size());
  for (const Sizes* operand : operands) out.push_back(&operand->of_elements());
  return out;
}

}  // namespace pet
