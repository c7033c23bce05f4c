#include "verify/inspect/inspected_terms.h"

namespace pet {
namespace {

InspectedTerm::Index index_of(const region::Affine& e, std::size_t digits) {
  InspectedTerm::Index out{e.constant(), {}, {}};
  for (const region::Affine::Part& part : e.parts()) {
    const auto var = static_cast<std::size_t>(part.var);
    if (var < digits)
      out.of_digits.emplace_back(var, part.coefficient);
    else
      out.of_sums.emplace_back(var - digits, part.coefficient);
  }
  return out;
}

}  // namespace

InspectedTerm term_of(const region::Pair& pair, const region::TermList::Kind& factors,
                      const region::WeightedBox& box, std::size_t digits) {
  InspectedTerm out;
  out.is_of_original = box.weight > 0;
  out.coefficient = to_string(out.is_of_original ? box.weight : Rational(-box.weight));
  for (const region::Factor& factor : factors) {
    InspectedTerm::Factor& read = out.factors.emplace_back();
    if (const auto value = pair.value_of(factor.leaf)) read.value = pair.values().node(*value).name;
    for (const region::Affine& e : factor.index) read.index.push_back(index_of(e, digits));
  }
  for (const region::Range& range : box.sums) out.sums.emplace_back(range.low, range.high);
  return out;
}

}  // namespace pet
