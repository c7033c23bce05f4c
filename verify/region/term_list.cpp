#include "verify/region/term_list.h"

#include <algorithm>
#include <numeric>

#include "verify/region/canonical_product.h"

namespace pet::region {

namespace {

constexpr std::size_t kMostCells = 1 << 16;  // of a grid of boxes of one kind
constexpr std::size_t kMostPairs = 4096;     // of products that are compared
constexpr Dim kMostResidues = 64;
constexpr Dim kMostWrittenOut = 1 << 13;  // products

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
  put_in_constants(product);
  CanonicalProduct canon = canonical(std::move(product));
  put(std::move(canon.factors), std::move(canon.sums), canon.weight * sign);
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
        CanonicalProduct canon = canonical(std::move(piece));
        put(std::move(canon.factors), std::move(canon.sums), canon.weight);
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

const TermList::Terms& TermList::cancelled() {
  reduce();
  constexpr int kMostSplits = 8;
  for (int i = 0; i < kMostSplits && !terms_.empty() && split_residues(); ++i) reduce();
  return terms_;
}

Answer<Left> TermList::settle(const std::vector<Range>& digits, const LeafTable& leaves) {
  if (cancelled().empty()) return Left::Nothing;
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
        there.put(static_cast<Var>(digits_ + i), Affine::of(first + static_cast<Var>(i)));
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
