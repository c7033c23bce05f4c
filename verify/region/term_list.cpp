#include "verify/region/term_list.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <tuple>

namespace pet::region {

void substitute(std::vector<Factor>& factors, Var var, const Affine& value) {
  for (Factor& factor : factors) {
    for (Affine& e : factor.index) e = e.substitute(var, value);
  }
}

namespace {

constexpr std::size_t kMostCells = 1 << 16;  // of a grid of boxes of one kind
constexpr std::size_t kMostPairs = 4096;     // of products that are compared
constexpr std::size_t kMostOrders = 120;     // of factors that look alike
constexpr Dim kMostResidues = 64;
constexpr Dim kMostWrittenOut = 1 << 13;  // products

// Two sums that are the outer and the inner digit of one wherever they appear become one.
bool merge_digits(Product& product) {
  auto& ranges = product.ranges;
  std::set<Var> sums;
  for (const Factor& factor : product.factors) {
    for (const Affine& e : factor.index) {
      for (const auto& [var, coefficient] : e.parts()) {
        if (!ranges.is_digit(var)) sums.insert(var);
      }
    }
  }
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

struct Canonical {
  std::vector<Factor> factors;
  std::vector<Range> sums;
  auto key() const {
    std::vector<Dim> ends;
    for (const Range& range : sums) ends.insert(ends.end(), {range.low, range.high});
    return std::pair(factors, ends);
  }
};

// Names the sums by first appearance, has each grow at its first place, and begin there at the
// least value that is not negative.
Canonical named(std::vector<Factor> factors, const Ranges& ranges) {
  std::vector<std::pair<Var, std::pair<std::size_t, std::size_t>>> order;
  for (std::size_t f = 0; f < factors.size(); ++f) {
    for (std::size_t d = 0; d < factors[f].index.size(); ++d) {
      auto parts = factors[f].index[d].parts();
      std::stable_sort(parts.begin(), parts.end(), [](const auto& a, const auto& b) {
        return std::abs(a.second) > std::abs(b.second);
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
  Canonical out;
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

Canonical canonical(const Product& product) {
  const Ranges& ranges = product.ranges;
  std::vector<std::pair<std::pair<Leaf, std::vector<Look>>, Factor>> looks;
  for (const Factor& factor : product.factors) looks.emplace_back(look_of(factor, ranges), factor);
  std::sort(looks.begin(), looks.end());
  std::vector<std::size_t> order(looks.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::optional<Canonical> best;
  std::size_t tried = 0;
  // All orders in which factors of one look stand together: their places are permuted within.
  do {
    const bool in_place = std::is_sorted(order.begin(), order.end(), [&](auto a, auto b) {
      return looks[a].first < looks[b].first;
    });
    if (!in_place) continue;
    std::vector<Factor> factors;
    for (const std::size_t i : order) factors.push_back(looks[i].second);
    Canonical next = named(std::move(factors), ranges);
    if (!best || next.key() < best->key()) best = std::move(next);
  } while (++tried < kMostOrders && std::next_permutation(order.begin(), order.end()));
  return *std::move(best);
}

// The boxes of one kind as cells of a grid on which every weight is constant.
std::vector<WeightedBox> added_up(const std::vector<WeightedBox>& boxes) {
  const std::size_t rank = boxes.front().sums.size();
  std::vector<std::vector<Dim>> cuts(rank);
  std::size_t cells = 1;
  for (std::size_t d = 0; d < rank; ++d) {
    for (const WeightedBox& box : boxes)
      cuts[d].insert(cuts[d].end(), {box.sums[d].low, box.sums[d].high});
    std::sort(cuts[d].begin(), cuts[d].end());
    cuts[d].erase(std::unique(cuts[d].begin(), cuts[d].end()), cuts[d].end());
    cells *= cuts[d].size() - 1;
    if (cells > kMostCells) return boxes;
  }
  std::vector<WeightedBox> out;
  for (std::size_t cell = 0; cell < cells; ++cell) {
    WeightedBox sum;
    std::size_t rest = cell;
    for (std::size_t d = 0; d < rank; ++d) {
      const std::size_t i = rest % (cuts[d].size() - 1);
      rest /= cuts[d].size() - 1;
      sum.sums.push_back({cuts[d][i], cuts[d][i + 1]});
    }
    for (const WeightedBox& box : boxes) {
      bool inside = true;
      for (std::size_t d = 0; d < rank; ++d)
        inside = inside && box.sums[d].low <= sum.sums[d].low && sum.sums[d].low < box.sums[d].high;
      if (inside) sum.weight += box.weight;
    }
    if (sum.weight != 0) out.push_back(std::move(sum));
  }
  return out;
}

}  // namespace

void TermList::add(Product product, int sign) {
  for (std::size_t var = 0; var < product.ranges.of.size(); ++var) {
    Range& range = product.ranges.of[var];
    if (range.extent() != 1) continue;
    substitute(product.factors, static_cast<Var>(var), range.low);
    range = {0, 1};
  }
  while (merge_digits(product)) {
  }
  // What is summed over and read by nobody counts as often as it is long.
  std::set<Var> read;
  for (const Factor& factor : product.factors) {
    for (const Affine& e : factor.index) {
      for (const auto& part : e.parts()) read.insert(part.first);
    }
  }
  Rational weight = product.coef * sign;
  for (std::size_t var = digits_; var < product.ranges.of.size(); ++var) {
    if (!read.contains(static_cast<Var>(var))) weight *= Rational(product.ranges.of[var].extent());
  }
  Canonical canon = canonical(product);
  put(std::move(canon.factors), std::move(canon.sums), weight);
}

void TermList::put(Kind kind, std::vector<Range> sums, const Rational& weight) {
  auto& boxes = terms_[std::move(kind)];
  for (WeightedBox& box : boxes) {
    if (box.sums != sums) continue;
    box.weight += weight;
    return;
  }
  boxes.push_back({std::move(sums), weight});
}

void TermList::reduce() {
  for (auto it = terms_.begin(); it != terms_.end();) {
    auto& boxes = it->second;
    std::erase_if(boxes, [](const WeightedBox& box) { return box.weight == 0; });
    if (boxes.size() > 1) boxes = added_up(boxes);
    it = boxes.empty() ? terms_.erase(it) : std::next(it);
  }
}

// A sum over x[2c] and one over x[2c + 1] are one over x[c]: where two kinds differ in how fast a
// sum moves, the slower one is split into the residue classes of the faster. Not twice the same.
bool TermList::split_residues() {
  // By leaf and coordinate the least common multiple of the speeds.
  std::map<std::pair<Leaf, std::size_t>, Dim> speed;
  const auto is_sum = [&](Var var) { return static_cast<std::size_t>(var) >= digits_; };
  for (const auto& [kind, boxes] : terms_) {
    for (const Factor& factor : kind) {
      for (std::size_t d = 0; d < factor.index.size(); ++d) {
        for (const auto& [var, coefficient] : factor.index[d].parts()) {
          if (!is_sum(var)) continue;
          Dim& known = speed.try_emplace({factor.leaf, d}, 1).first->second;
          known = std::min(std::lcm(known, std::abs(coefficient)), Dim{1} << 20);
        }
      }
    }
  }
  bool changed = false;
  const Terms before = std::move(terms_);
  terms_.clear();
  for (const auto& [kind, boxes] : before) {
    std::optional<std::pair<Var, Dim>> slow;
    for (const Factor& factor : kind) {
      for (std::size_t d = 0; d < factor.index.size(); ++d) {
        const auto found = speed.find({factor.leaf, d});
        for (const auto& [var, coefficient] : factor.index[d].parts()) {
          if (!is_sum(var) || found->second % coefficient != 0) continue;
          const Dim times = found->second / std::abs(coefficient);
          if (times > 1 && times <= kMostResidues && (!slow || times < slow->second))
            slow = {var, times};
        }
      }
    }
    for (const WeightedBox& box : boxes) {
      if (!slow) {
        put(kind, box.sums, box.weight);
        continue;
      }
      changed = true;
      const Range range = box.sums[static_cast<std::size_t>(slow->first) - digits_];
      for (Dim residue = 0; residue < slow->second; ++residue) {
        // var = times·inner + residue within the range
        const Dim low = floor_div(range.low - residue + slow->second - 1, slow->second);
        const Dim high = floor_div(range.high - 1 - residue, slow->second) + 1;
        if (low >= high) continue;
        Product piece;
        piece.coef = box.weight;
        piece.factors = kind;
        piece.ranges = {std::vector<Range>(digits_), digits_};
        piece.ranges.of.insert(piece.ranges.of.end(), box.sums.begin(), box.sums.end());
        piece.ranges.of[static_cast<std::size_t>(slow->first)] = {low, high};
        const Affine inner = high - low == 1 ? Affine(low) : Affine::of(slow->first);
        if (high - low == 1) piece.ranges.of[static_cast<std::size_t>(slow->first)] = {0, 1};
        substitute(piece.factors, slow->first, inner * slow->second + residue);
        Canonical canon = canonical(piece);
        put(std::move(canon.factors), std::move(canon.sums), box.weight);
      }
    }
  }
  return changed;
}

// Every sum as its single products, where they are not too many.
bool TermList::write_out() {
  Dim volume = 0;
  for (const auto& [kind, boxes] : terms_) {
    for (const WeightedBox& box : boxes) {
      Dim here = 1;
      for (const Range& range : box.sums)
        here = std::min(here * range.extent(), kMostWrittenOut + 1);
      volume += here;
    }
  }
  if (volume > kMostWrittenOut) return false;
  const Terms before = std::move(terms_);
  terms_.clear();
  for (const auto& [kind, boxes] : before) {
    for (const WeightedBox& box : boxes) {
      std::vector<Dim> at;
      for (const Range& range : box.sums) at.push_back(range.low);
      for (;;) {
        Product point;
        point.factors = kind;
        for (std::size_t s = 0; s < at.size(); ++s)
          substitute(point.factors, static_cast<Var>(digits_ + s), at[s]);
        std::sort(point.factors.begin(), point.factors.end());
        put(std::move(point.factors), {}, box.weight);
        std::size_t s = 0;
        while (s < at.size() && ++at[s] == box.sums[s].high) {
          at[s] = box.sums[s].low;
          ++s;
        }
        if (s == at.size()) break;
      }
    }
  }
  return true;
}

bool TermList::covers(TermList& other) {
  written_out();
  other.written_out();
  return std::all_of(other.terms_.begin(), other.terms_.end(), [&](const auto& term) {
    const auto mine = terms_.find(term.first);
    if (mine == terms_.end()) return false;
    // Theirs count as 1, mine as much more: a cell with a small weight is theirs alone.
    std::vector<WeightedBox> both;
    for (const WeightedBox& box : term.second) both.push_back({box.sums, 1});
    const Rational many = static_cast<unsigned long>(both.size() + 1);
    for (const WeightedBox& box : mine->second) both.push_back({box.sums, many});
    const auto cells = added_up(both);
    return cells.size() <= kMostCells &&
           std::all_of(cells.begin(), cells.end(),
                       [&](const WeightedBox& cell) { return cell.weight >= many; });
  });
}

const TermList::Terms& TermList::written_out() {
  reduce();
  if (write_out()) reduce();
  return terms_;
}

Answer<Left> TermList::settle(const std::vector<Range>& digits, const LeafTable& leaves) {
  reduce();
  constexpr int kMostSplits = 8;
  for (int i = 0; i < kMostSplits && !terms_.empty() && split_residues(); ++i) reduce();
  if (terms_.empty()) return Left::Nothing;
  const auto clear = vanishes_nowhere(digits, leaves);
  if (const bool* nowhere = std::get_if<bool>(&clear); nowhere != nullptr && *nowhere)
    return Left::Everywhere;
  if (write_out()) {
    reduce();
    if (terms_.empty()) return Left::Nothing;
    // Sums of single elements are polynomials: different ones are different.
    const bool at_one_position =
        std::all_of(digits.begin(), digits.end(), [](const Range& r) { return r.extent() == 1; });
    if (at_one_position) return Left::Everywhere;
  }
  if (const auto* need = std::get_if<Narrow>(&clear)) return *need;
  return Left::Unclear;
}

// Whether the two products are of different elements wherever in the box and in their sums they
// are taken; Narrow: of a digit; false: nothing is known.
Answer<bool> TermList::never_equal(const Term& one, const Term& other,
                                   const std::vector<Range>& digits) const {
  const Kind& mine = *one.kind;
  const Kind& theirs = *other.kind;
  const auto same_leaf = [](const Factor& a, const Factor& b) { return a.leaf == b.leaf; };
  if (!std::equal(mine.begin(), mine.end(), theirs.begin(), theirs.end(), same_leaf)) return true;
  // Which factor is which is open where a leaf comes twice.
  if (std::adjacent_find(mine.begin(), mine.end(), same_leaf) != mine.end()) return false;
  Ranges both{digits, digits_};
  both.of.insert(both.of.end(), one.box->sums.begin(), one.box->sums.end());
  const auto first = static_cast<Var>(both.of.size());
  both.of.insert(both.of.end(), other.box->sums.begin(), other.box->sums.end());
  std::optional<Narrow> need;
  for (std::size_t f = 0; f < mine.size(); ++f) {
    for (std::size_t d = 0; d < mine[f].index.size(); ++d) {
      Affine there = theirs[f].index[d];
      // From the last on: the new names begin among the old ones.
      for (std::size_t i = other.box->sums.size(); i-- > 0;) {
        there = there.substitute(static_cast<Var>(digits_ + i),
                                 Affine::of(first + static_cast<Var>(i)));
      }
      const auto equal = lies_between(mine[f].index[d] - there, 0, 1, both);
      if (const bool* known = std::get_if<bool>(&equal)) {
        if (!*known) return true;
      } else if (const auto& narrow = std::get<Narrow>(equal);
                 both.is_digit(narrow.var) && narrow.how == Narrow::How::Cut) {
        need = narrow;
      }
    }
  }
  if (need) return *need;
  return false;
}

Answer<bool> TermList::vanishes_nowhere(const std::vector<Range>& digits,
                                        const LeafTable& leaves) const {
  std::vector<Term> plus;
  std::vector<Term> minus;
  bool by_leaves = true;
  for (const auto& [kind, boxes] : terms_) {
    for (const WeightedBox& box : boxes) (box.weight > 0 ? plus : minus).push_back({&kind, &box});
    for (const Factor& factor : kind) by_leaves = by_leaves && leaves.is_by_leaves(factor.leaf);
  }
  // Products with weights of one sign cannot cancel: they are products of free variables.
  if (plus.empty() || minus.empty()) return true;
  // Functions of different arguments may have the same ones at some position.
  if (!by_leaves || plus.size() * minus.size() > kMostPairs) return false;
  // One product that no product of the other sign can be suffices.
  std::optional<Narrow> need;
  for (const auto& [side, others] : {std::pair{&plus, &minus}, std::pair{&minus, &plus}}) {
    for (const Term& one : *side) {
      bool apart = true;
      for (const Term& other : *others) {
        const auto never = never_equal(one, other, digits);
        if (const auto* narrow = std::get_if<Narrow>(&never)) need = *narrow;
        apart = apart && std::holds_alternative<bool>(never) && std::get<bool>(never);
        if (!apart) break;
      }
      if (apart) return true;
    }
  }
  if (need) return *need;
  return false;
}

}  // namespace pet::region
