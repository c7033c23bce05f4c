#include "verify/all_sizes/products.h"

#include <algorithm>

namespace pet::all_sizes {
namespace {

constexpr std::size_t kMostOrders = 720;    // of factors that read the same leaves
constexpr std::size_t kMostPieces = 10000;  // that ranges are cut into

struct Range {
  Affine low;
  Affine high;
  auto operator<=>(const Range&) const = default;
};
using Box = std::vector<Range>;

// Factors with the variables of the sums named by where they stand, and the sums' ranges.
struct Form {
  std::vector<Factor> factors;
  Box box;
  auto operator<=>(const Form&) const = default;
};

void substitute(Var var, const Affine& value, std::vector<Factor>& factors) {
  for (Factor& factor : factors) {
    for (Affine& e : factor.index) e.put(var, value);
  }
}

bool reads(const Affine& e, const std::vector<Sum>& sums) {
  return std::any_of(sums.begin(), sums.end(),
                     [&](const Sum& sum) { return e.coefficient(sum.var) != 0; });
}

// Names the sums in the order in which the factors read them. A variable that an index reads by
// itself becomes that index, so that products that read the same elements have the same factors,
// whatever their sums begin at; any other counts from 0.
Form named(std::vector<Factor> factors, std::vector<Sum> sums) {
  Form out;
  const auto name = [&](std::vector<Sum>::iterator sum, const Affine* index) {
    const Var var = kSummed + static_cast<Var>(out.box.size());
    const Dim sign = index != nullptr ? index->coefficient(sum->var) : 1;
    // The old variable is sign · (new one - rest).
    const Affine rest = index != nullptr ? index->substitute(sum->var, 0) : sum->low * -1;
    const Affine low = sum->low * sign + rest;
    const Affine last = (sum->high - 1) * sign + rest;
    out.box.push_back(sign > 0 ? Range{low, last + 1} : Range{last, low + 1});
    const Var old = sum->var;
    sums.erase(sum);
    substitute(old, (Affine::of(var) - rest) * sign, factors);
  };
  for (std::size_t f = 0; f < factors.size(); ++f) {
    for (std::size_t d = 0; d < factors[f].index.size(); ++d) {
      for (;;) {
        const Affine index = factors[f].index[d];
        const auto sum = std::find_if(sums.begin(), sums.end(),
                                      [&](const Sum& s) { return index.coefficient(s.var) != 0; });
        if (sum == sums.end()) break;
        const bool alone = std::all_of(
            index.parts().begin(), index.parts().end(),
            [&](const auto& part) { return part.var == sum->var || part.var < kSummed; });
        const Dim step = index.coefficient(sum->var);
        name(sum, alone && (step == 1 || step == -1) ? &index : nullptr);
      }
    }
  }
  while (!sums.empty()) name(sums.begin(), nullptr);
  out.factors = std::move(factors);
  return out;
}

// A sum over one value is that value, in the factors and in the ranges of the other sums, which may
// become such sums by that.
void put_in_single_values(Product& product) {
  const auto single = [&] {
    return std::find_if(product.sums.begin(), product.sums.end(),
                        [](const Sum& sum) { return sum.high - sum.low == Affine(1); });
  };
  for (auto it = single(); it != product.sums.end(); it = single()) {
    const Sum sum = std::move(*it);
    product.sums.erase(it);
    substitute(sum.var, sum.low, product.factors);
    for (Sum& other : product.sums) {
      other.low.put(sum.var, sum.low);
      other.high.put(sum.var, sum.low);
    }
  }
}

// The least form over all orders of the factors that read the same leaf.
std::optional<Form> least_form(Product product, const Facts& facts, Open& open) {
  put_in_single_values(product);
  for (const Sum& sum : product.sums) {
    if (reads(sum.low, product.sums) || reads(sum.high, product.sums)) {
      open = {std::nullopt, "a sum's range depends on another sum"};
      return std::nullopt;
    }
    if (!facts.speak_of(sum.low) || !facts.speak_of(sum.high)) {
      open = {std::nullopt, "a sum's range depends on what is not known here"};
      return std::nullopt;
    }
  }
  for (std::size_t i = 0; i < product.sums.size(); ++i) {
    const Var unnamed = kUnnamed + static_cast<Var>(i);
    substitute(product.sums[i].var, Affine::of(unnamed), product.factors);
    product.sums[i].var = unnamed;
  }
  auto& factors = product.factors;
  const auto by_leaf = [](const Factor& a, const Factor& b) { return a.leaf < b.leaf; };
  std::vector<std::size_t> order(factors.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(factors.begin(), factors.end(), by_leaf);
  std::optional<Form> best;
  std::size_t orders = 0;
  do {
    std::vector<Factor> arranged;
    for (const std::size_t i : order) arranged.push_back(factors[i]);
    if (!std::is_sorted(arranged.begin(), arranged.end(), by_leaf)) continue;
    Form form = named(std::move(arranged), product.sums);
    if (!best || form < *best) best = std::move(form);
  } while (++orders < kMostOrders && std::next_permutation(order.begin(), order.end()));
  return best;
}

// Weights over boxes with common borders, cut at every border of any of them.
class Grid {
 public:
  // False: `open` says why.
  bool make(const std::vector<std::pair<Box, Rational>>& boxes, const Facts& facts, Open& open) {
    const std::size_t axes = boxes.front().first.size();
    borders_.resize(axes);
    std::size_t pieces = 1;
    for (std::size_t axis = 0; axis < axes; ++axis) {
      for (const auto& [box, weight] : boxes) {
        for (const Affine& border : {box[axis].low, box[axis].high}) {
          if (!insert(axis, border, facts, open)) return false;
        }
      }
      pieces *= borders_[axis].size();
      if (pieces > kMostPieces) {
        open = {std::nullopt, "sums in too many pieces"};
        return false;
      }
    }
    for (const auto& [box, weight] : boxes) put(box, weight);
    std::erase_if(weights_, [](const auto& entry) { return entry.second == 0; });
    for (std::size_t axis = 0; axis < axes; ++axis) join(axis);
    return true;
  }

  void put_products(const std::vector<Factor>& factors, Products& to) const {
    for (const auto& [place, weight] : weights_) {
      Product& product = to.emplace_back(Product{weight, {}, factors});
      for (std::size_t axis = 0; axis < place.size(); ++axis)
        product.sums.push_back({kSummed + static_cast<Var>(axis), borders_[axis][place[axis]],
                                borders_[axis][place[axis] + 1]});
    }
  }

 private:
  using Place = std::vector<std::size_t>;  // by axis: the number of the border that it begins at

  bool insert(std::size_t axis, const Affine& border, const Facts& facts, Open& open) {
    auto& sorted = borders_[axis];
    for (auto it = sorted.begin(); it != sorted.end(); ++it) {
      if (*it == border) return true;
      const auto after = decide(border - *it, facts, open);
      if (!after) return false;
      if (*after) {
        // Perhaps the same, in other words.
        const auto before = decide(*it - border, facts, open);
        if (!before) return false;
        if (*before) {
          same_.emplace(std::pair(axis, border), *it);
          return true;
        }
        continue;
      }
      sorted.insert(it, border);
      return true;
    }
    sorted.push_back(border);
    return true;
  }

  std::size_t number(std::size_t axis, const Affine& border) const {
    const auto alias = same_.find({axis, border});
    const Affine& own = alias == same_.end() ? border : alias->second;
    return static_cast<std::size_t>(std::find(borders_[axis].begin(), borders_[axis].end(), own) -
                                    borders_[axis].begin());
  }

  void put(const Box& box, const Rational& weight) {
    std::vector<Place> places = {{}};
    for (std::size_t axis = 0; axis < box.size(); ++axis) {
      std::vector<Place> longer;
      for (const Place& place : places) {
        for (std::size_t i = number(axis, box[axis].low); i < number(axis, box[axis].high); ++i) {
          longer.push_back(place);
          longer.back().push_back(i);
        }
      }
      places = std::move(longer);
    }
    for (const Place& place : places) weights_[place] += weight;
  }

  // Takes out the borders on both sides of which everything is the same.
  void join(std::size_t axis) {
    for (std::size_t border = borders_[axis].size() - 1; border-- > 1;) {
      std::map<Place, Rational> before;
      std::map<Place, Rational> after;
      for (const auto& [place, weight] : weights_) {
        Place elsewhere = place;
        elsewhere[axis] = 0;
        if (place[axis] == border - 1) before[elsewhere] = weight;
        if (place[axis] == border) after[elsewhere] = weight;
      }
      if (before != after) continue;
      borders_[axis].erase(borders_[axis].begin() + static_cast<std::ptrdiff_t>(border));
      std::map<Place, Rational> joined;
      for (const auto& [place, weight] : weights_) {
        Place moved = place;
        if (moved[axis] >= border) --moved[axis];
        joined[moved] = weight;
      }
      weights_ = std::move(joined);
    }
  }

  std::vector<std::vector<Affine>> borders_;  // by axis, ascending
  std::map<std::pair<std::size_t, Affine>, Affine> same_;
  std::map<Place, Rational> weights_;
};

}  // namespace

std::optional<bool> decide(const Affine& at_least_zero, const Facts& facts, Open& open) {
  const auto known = facts.holds(at_least_zero);
  if (!known) open = {at_least_zero, {}};
  return known;
}

std::optional<Products> canonical(const Products& products, const Facts& facts, Open& open) {
  // By factors and by the number of sums: there may be some that no factor reads.
  std::map<std::pair<std::vector<Factor>, std::size_t>, std::vector<std::pair<Box, Rational>>>
      groups;
  for (const Product& product : products) {
    const auto form = least_form(product, facts, open);
    if (!form) return std::nullopt;
    groups[{form->factors, form->box.size()}].emplace_back(form->box, product.weight);
  }
  Products out;
  for (const auto& [key, boxes] : groups) {
    Grid grid;
    if (!grid.make(boxes, facts, open)) return std::nullopt;
    grid.put_products(key.first, out);
  }
  return out;
}

}  // namespace pet::all_sizes
