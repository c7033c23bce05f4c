#include "verify/region/sum_boxes.h"

#include <algorithm>

#include "verify/values/step_limit.h"

namespace pet::region {

Result<SumBoxes> sum_boxes(Expander& expander, NodeId value, const SumLimits& limits) {
  const Shape& shape = *expander.graph().node(value).type.shape;
  if (count(shape) == 0) return SumBoxes{DigitBasis::plain(shape), {}, {}, {}};
  Cutting cutting(shape, limits.boxes);
  const std::size_t before = expander.steps();
  std::vector<std::vector<Range>> boxes;
  std::size_t products = 0;
  for (;;) {
    auto box = cutting.next();
    if (!box) return box.error();
    if (!*box) return SumBoxes{cutting.basis(), std::move(boxes), cutting.cuts(), cutting.splits()};
    const auto expansion = expander.expand({{value, -1}, cutting.coordinates()}, **box);
    if (expander.steps() - before > limits.steps) return more_than_steps(limits.steps);
    if (const auto* why = std::get_if<GiveUp>(&expansion)) return Error{why->reason};
    if (const auto* need = std::get_if<Narrow>(&expansion)) {
      const auto goes = cutting.cut(**box, *need, 0);
      if (!goes) return goes.error();
      if (*goes == Cutting::Goes::Anew) boxes.clear();
      continue;
    }
    products += std::get<std::vector<Product>>(expansion).size();
    if (products > limits.products) return Error{"too many terms to write out"};
    boxes.push_back(**std::move(box));
  }
}

Result<TermList::Terms> sum_over(Expander& expander, NodeId value, const DigitBasis& basis,
                                 const std::vector<Range>& box) {
  auto expansion = expander.expand({{value, -1}, Cutting::coordinates_in(basis)}, box);
  if (const auto* why = std::get_if<GiveUp>(&expansion)) return Error{why->reason};
  if (!std::holds_alternative<std::vector<Product>>(expansion))
    return Error{"the box is not one sum of products"};
  // Whatever ranges over anything in the basis stays a variable.
  std::vector<Range> digits;
  for (const Dim extent : basis.flat()) digits.push_back({0, extent});
  TermList sum(box.size());
  for (Product& product : std::get<std::vector<Product>>(expansion)) {
    std::ranges::copy(digits, product.ranges.of.begin());
    sum.add(std::move(product), 1);
  }
  return sum.cancelled();
}

}  // namespace pet::region
