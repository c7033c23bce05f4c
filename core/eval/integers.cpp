#include "core/eval/integers.h"

#include <algorithm>

#include "core/ir/read.h"

namespace pet {
namespace {

constexpr Dim kMostWork = Dim{1} << 16;

Error refused(const char* why) { return {why, ErrorKind::Unsupported}; }

bool has_integer_factors(const Term& term) {
  const auto is_integer = [](const Rational& x) { return x.get_den() == 1; };
  return is_integer(term.coef.scale) &&
         std::all_of(term.coef.tables.begin(), term.coef.tables.end(), [&](const AxisTable& t) {
           return std::all_of(t.values.begin(), t.values.end(), is_integer);
         });
}

Result<Integers> element_by_element(const OpDef& def, std::span<const Integers> operands) {
  Integers out;
  for (const Integers& operand : operands) {
    const auto both = broadcast(out.shape, operand.shape);
    if (!both) return refused("shapes that do not broadcast");
    out.shape = *both;
  }
  if (!checked_volume(out.shape, kMostWork)) return refused("too large for shape arithmetic");
  bool defined = true;
  for_each_index({}, out.shape, [&](std::span<const Dim> o) {
    std::vector<std::int64_t> elements;
    for (const Integers& operand : operands)
      elements.push_back(operand.at(broadcast_index(operand.shape, out.shape), o));
    const auto value = def.on_integers(elements);
    defined = defined && value;
    out.values.push_back(value.value_or(0));
  });
  if (!defined) return refused("not defined for these integers");
  return out;
}

}  // namespace

std::int64_t Integers::at(const std::vector<IndexExpr>& index, std::span<const Dim> axes) const {
  const auto flat = position_read(index, shape, axes);
  return flat ? values[static_cast<std::size_t>(*flat)] : 0;
}

Result<Integers> evaluate_integers(const Op& op, std::span<const Integers> operands) {
  const OpDef& def = *op.def;
  if (operands.size() < def.arity.min || operands.size() > def.arity.max)
    return refused("another number of operands");
  if (def.on_integers != nullptr) return element_by_element(def, operands);
  std::vector<Shape> shapes;
  for (const Integers& operand : operands) shapes.push_back(operand.shape);
  const auto meaning = meaning_of(op, shapes, {});
  if (!meaning) return meaning.error();
  if (!meaning->applications.empty()) return refused("not interpreted on integers");
  const IndexedSum& sum = meaning->sum;
  for (const Term& term : sum.terms) {
    Shape loops = sum.out;
    loops.insert(loops.end(), term.reduce.begin(), term.reduce.end());
    if (!checked_volume(loops, kMostWork)) return refused("too large for shape arithmetic");
    if (!has_integer_factors(term)) return refused("not interpreted on integers");
  }
  if (!checked_volume(sum.out, kMostWork)) return refused("too large for shape arithmetic");
  Integers out{sum.out, {}};
  bool fits = true;
  for_each_index({}, sum.out, [&](std::span<const Dim> o) {
    mpz_class total = 0;
    for (const Term& term : sum.terms) {
      for_each_index(o, term.reduce, [&](std::span<const Dim> axes) {
        const bool counts = std::all_of(term.guards.begin(), term.guards.end(),
                                        [&](const Guard& guard) { return guard.holds(axes); });
        if (!counts) return;
        mpz_class product = term.coef.at(axes).get_num();
        for (const Access& factor : term.factors) {
          product *= static_cast<long>(
              operands[static_cast<std::size_t>(factor.operand)].at(factor.index, axes));
        }
        total += product;
      });
    }
    fits = fits && total.fits_slong_p();
    out.values.push_back(fits ? std::int64_t{total.get_si()} : 0);
  });
  if (!fits) return refused("an integer overflows");
  return out;
}

}  // namespace pet
