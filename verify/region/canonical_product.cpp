#include "verify/region/canonical_product.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>

namespace pet::region {
namespace {

constexpr std::size_t kMostOrders = 120;  // of factors that look alike
constexpr std::size_t kFewFactors = 8;    // of more, fewer orders are tried: each takes longer

// Sorted, each once.
std::vector<Var> variables_of(const Product& product) {
  std::vector<Var> out;
  for (const Factor& factor : product.factors) {
    for (const Affine& e : factor.index) {
      for (const auto& part : e.parts()) out.push_back(part.var);
    }
  }
  std::ranges::sort(out);
  out.erase(std::ranges::unique(out).begin(), out.end());
  return out;
}

// Two sums that are the outer and the inner digit of one wherever they appear become one.
bool merge_digits(Product& product) {
  auto& ranges = product.ranges;
  std::vector<Var> sums = variables_of(product);
  std::erase_if(sums, [&](Var var) { return ranges.is_digit(var); });
  for (const Var outer : sums) {
    for (const Var inner : sums) {
      if (outer == inner || ranges[inner].low != 0) continue;
      const Dim factor = ranges[inner].extent();
      const bool always =
          std::all_of(product.factors.begin(), product.factors.end(), [&](const Factor& f) {
            return std::all_of(f.index.begin(), f.index.end(), [&](const Affine& e) {
              return e.coefficient(outer) == factor * e.coefficient(inner);
            });
          });
      if (!always) continue;
      // outer·factor + inner is one variable: it takes the place of `inner`.
      const Range range = ranges[outer];
      substitute(product.factors, outer, 0);
      ranges.of[static_cast<std::size_t>(inner)] = {range.low * factor, range.high * factor};
      ranges.of[static_cast<std::size_t>(outer)] = {0, 1};
      return true;
    }
  }
  return false;
}

// A coordinate but for the names and offsets of its sums.
using Look = std::tuple<std::vector<std::pair<Var, Dim>>, std::vector<Dim>, Dim>;

std::pair<Leaf, std::vector<Look>> look_of(const Factor& factor, const Ranges& ranges) {
  std::vector<Look> looks;
  for (const Affine& e : factor.index) {
    auto& [digits, sums, constant] = looks.emplace_back();
    for (const auto& [var, coefficient] : e.parts()) {
      if (ranges.is_digit(var)) {
        digits.emplace_back(var, coefficient);
      } else {
        sums.push_back(std::abs(coefficient));
      }
    }
    std::sort(sums.begin(), sums.end());
    constant = sums.empty() ? e.constant() : 0;
  }
  return {factor.leaf, std::move(looks)};
}

auto key_of(const CanonicalProduct& product) {
  std::vector<Dim> ends;
  for (const Range& range : product.sums) ends.insert(ends.end(), {range.low, range.high});
  return std::pair(product.factors, ends);
}

// Names the sums by first appearance, has each grow at its first place, and begin there at the
// least value that is not negative.
CanonicalProduct named(std::vector<Factor> factors, const Ranges& ranges) {
  std::vector<std::pair<Var, std::pair<std::size_t, std::size_t>>> order;
  for (std::size_t f = 0; f < factors.size(); ++f) {
    for (std::size_t d = 0; d < factors[f].index.size(); ++d) {
      auto parts = factors[f].index[d].parts();
      std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
        return std::abs(a.coefficient) > std::abs(b.coefficient);
      });
      for (const auto& [var, coefficient] : parts) {
        const bool known = ranges.is_digit(var) ||
                           std::any_of(order.begin(), order.end(),
                                       [&, v = var](const auto& o) { return o.first == v; });
        if (!known) order.emplace_back(var, std::pair(f, d));
      }
    }
  }
  // Out of the way of the new names.
  const auto fresh = static_cast<Var>(ranges.of.size());
  CanonicalProduct out;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto& [var, place] = order[i];
    const Affine& at = factors[place.first].index[place.second];
    const Dim coefficient = at.coefficient(var);
    const Dim sign = coefficient < 0 ? -1 : 1;
    const Dim shift = floor_div(at.constant(), std::abs(coefficient));
    const Range range = ranges[var];
    const Range turned = sign > 0 ? range : Range{1 - range.high, 1 - range.low};
    substitute(factors, var, Affine::of(fresh + static_cast<Var>(i), sign) + Affine(-shift * sign));
    out.sums.push_back({turned.low + shift, turned.high + shift});
  }
  for (std::size_t i = 0; i < order.size(); ++i) {
    substitute(factors, fresh + static_cast<Var>(i),
               Affine::of(static_cast<Var>(ranges.digits + i)));
  }
  out.factors = std::move(factors);
  return out;
}

CanonicalProduct best_order(Product product) {
  const Ranges& ranges = product.ranges;
  std::ranges::sort(product.factors, {}, &Factor::leaf);
  const bool is_twice =
      std::ranges::adjacent_find(product.factors, {}, &Factor::leaf) != product.factors.end();
  if (!is_twice) return named(std::move(product.factors), ranges);  // the only order by looks
  std::vector<std::pair<std::pair<Leaf, std::vector<Look>>, Factor>> looks;
  for (const Factor& factor : product.factors) looks.emplace_back(look_of(factor, ranges), factor);
  std::sort(looks.begin(), looks.end());
  std::vector<std::size_t> order(looks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::optional<CanonicalProduct> best;
  std::size_t tried = 0;
  const std::size_t most = kMostOrders * kFewFactors / std::max(kFewFactors, order.size());
  // All orders in which factors of one look stand together: their places are permuted within.
  do {
    const bool in_place = std::is_sorted(order.begin(), order.end(), [&](auto a, auto b) {
      return looks[a].first < looks[b].first;
    });
    if (!in_place) continue;
    std::vector<Factor> factors;
    for (const std::size_t i : order) factors.push_back(looks[i].second);
    CanonicalProduct next = named(std::move(factors), ranges);
    if (!best || key_of(next) < key_of(*best)) best = std::move(next);
  } while (++tried < most && std::next_permutation(order.begin(), order.end()));
  return *std::move(best);
}

}  // namespace

CanonicalProduct canonical(Product product) {
  const auto& ranges = product.ranges;
  while (merge_digits(product)) {
  }
  // What is summed over and read by nobody counts as often as it is long.
  const std::vector<Var> read = variables_of(product);
  Rational weight = product.coef.value();
  for (std::size_t var = ranges.digits; var < ranges.of.size(); ++var) {
    if (!std::ranges::binary_search(read, static_cast<Var>(var)))
      weight *= Rational(ranges.of[var].extent());
  }
  CanonicalProduct out = best_order(std::move(product));
  out.weight = std::move(weight);
  return out;
}

}  // namespace pet::region
