#include "viz/geometry/summation.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace pet::viz {
namespace {

using Moves = std::vector<std::pair<std::size_t, Dim>>;
// What makes terms one sum: the program, and by value that is read its name and how its axes move.
using Kind = std::pair<bool, std::vector<std::pair<std::string, std::vector<Moves>>>>;

Kind kind_of(const InspectedTerm& term) {
  Kind out{term.is_of_original, {}};
  for (const InspectedTerm::Factor& factor : term.factors) {
    auto& [name, moves] = out.second.emplace_back(factor.value, std::vector<Moves>());
    for (const InspectedTerm::Index& index : factor.index) moves.push_back(index.of_digits);
  }
  return out;
}

// From the least to the largest.
Interval offsets_of(const InspectedTerm& term, const InspectedTerm::Index& index) {
  Interval out{index.constant, index.constant};
  for (const auto& [sum, coefficient] : index.of_sums) {
    const auto& [low, high] = term.sums[sum];
    const Dim first = coefficient * low, last = coefficient * (high - 1);
    out.low += std::min(first, last);
    out.high += std::max(first, last);
  }
  ++out.high;
  return out;
}

// Sums that move in wider steps than the others reach leave gaps.
bool leaves_gaps(const InspectedTerm& term, const InspectedTerm::Index& index) {
  auto sums = index.of_sums;
  std::ranges::sort(sums, {}, [](const auto& sum) { return std::abs(sum.second); });
  Dim reached = 1;
  for (const auto& [sum, coefficient] : sums) {
    const auto& [low, high] = term.sums[sum];
    if (high - low > 1 && std::abs(coefficient) > reached) return true;
    reached += std::abs(coefficient) * (high - low - 1);
  }
  return false;
}

void add_offsets(std::vector<Interval>& all, const Interval& one) {
  all.push_back(one);
  std::ranges::sort(all, {}, &Interval::low);
  std::vector<Interval> out;
  for (const Interval& next : all) {
    if (!out.empty() && next.low <= out.back().high)
      out.back().high = std::max(out.back().high, next.high);
    else
      out.push_back(next);
  }
  all = std::move(out);
}

std::vector<ReadValue> reads_without_offsets(const Kind& kind) {
  std::vector<ReadValue> out;
  for (const auto& [name, axes] : kind.second) {
    ReadValue& read = out.emplace_back();
    read.name = name;
    for (const Moves& moves : axes) read.axes.push_back({moves, {}, false});
  }
  return out;
}

void add_offsets(std::vector<ReadValue>& reads, const InspectedTerm& term) {
  for (std::size_t f = 0; f < reads.size(); ++f)
    for (std::size_t axis = 0; axis < reads[f].axes.size(); ++axis) {
      const InspectedTerm::Index& index = term.factors[f].index[axis];
      add_offsets(reads[f].axes[axis].offsets, offsets_of(term, index));
      reads[f].axes[axis].has_gaps |= leaves_gaps(term, index);
    }
}

double products_of(const InspectedTerm& term) {
  double out = 1;
  for (const auto& [low, high] : term.sums) out *= static_cast<double>(high - low);
  return out;
}

class Summing {
 public:
  explicit Summing(const InspectedSums& inspected) : inspected_(inspected) {}

  Summation run() {
    out_.basis = inspected_.basis;
    find_sums();
    for (std::size_t i = 0; i < out_.sums.size(); ++i) find_taps(i);
    for (const InspectedSums::Part& part : inspected_.parts) add_box(part);
    std::ranges::stable_sort(out_.boxes, {}, [](const SummedBox& b) { return b.box.low; });
    number_formulas();
    return std::move(out_);
  }

 private:
  void find_sums() {
    for (const InspectedSums::Part& part : inspected_.parts) {
      for (const InspectedTerm& term : part.terms) {
        const Kind kind = kind_of(term);
        const auto [at, is_new] = number_.try_emplace(kind, out_.sums.size());
        if (is_new) {
          out_.sums.push_back({term.is_of_original, reads_without_offsets(kind), {}, {}});
          terms_.emplace_back();
        }
        terms_[at->second].push_back(&term);
        add_offsets(out_.sums[at->second].reads, term);
      }
    }
  }

  // Axes in which terms of the sum read at different offsets; of one read alone where its index
  // does not move with the position (a kernel), else all that move (windows).
  void find_taps(std::size_t number) {
    Sum& sum = out_.sums[number];
    std::vector<std::pair<std::size_t, std::size_t>> moving, best;
    for (std::size_t f = 0; f < sum.reads.size(); ++f) {
      std::vector<std::pair<std::size_t, std::size_t>> still;
      for (std::size_t axis = 0; axis < sum.reads[f].axes.size(); ++axis) {
        if (!varies(number, f, axis)) continue;
        (sum.reads[f].axes[axis].of_digits.empty() ? still : moving).emplace_back(f, axis);
      }
      if (!still.empty() && still.size() >= best.size()) best = std::move(still);
    }
    sum.tap_axes = best.empty() ? std::move(moving) : std::move(best);
    for (const InspectedTerm* term : terms_[number]) sum.taps.push_back(tap_of(sum, *term));
    std::ranges::sort(sum.taps, before);
    sum.taps.erase(std::unique(sum.taps.begin(), sum.taps.end()), sum.taps.end());
  }

  bool varies(std::size_t number, std::size_t factor, std::size_t axis) const {
    const auto offsets = [&](const InspectedTerm* term) {
      return offsets_of(*term, term->factors[factor].index[axis]);
    };
    const auto& all = terms_[number];
    return std::ranges::any_of(
        all, [&](const InspectedTerm* term) { return !(offsets(term) == offsets(all.front())); });
  }

  static bool before(const Tap& a, const Tap& b) {
    return std::ranges::lexicographical_compare(a, b, {}, ends, ends);
  }
  static std::pair<Dim, Dim> ends(const Interval& i) { return {i.low, i.high}; }

  static Tap tap_of(const Sum& sum, const InspectedTerm& term) {
    Tap out;
    for (const auto& [factor, axis] : sum.tap_axes)
      out.push_back(offsets_of(term, term.factors[factor].index[axis]));
    return out;
  }

  void add_box(const InspectedSums::Part& part) {
    SummedBox& box = out_.boxes.emplace_back(SummedBox{part.box, 0, {}, part.reason});
    for (const InspectedTerm& term : part.terms) {
      const Kind kind = kind_of(term);
      const std::size_t number = number_.at(kind);
      const Sum& sum = out_.sums[number];
      auto here = std::ranges::find(box.sums, number, &SumInBox::sum);
      if (here == box.sums.end()) {
        box.sums.push_back({number,
                            reads_without_offsets(kind),
                            std::vector<bool>(sum.taps.size(), false),
                            0,
                            {}});
        here = std::prev(box.sums.end());
      }
      add_offsets(here->reads, term);
      here->products += products_of(term);
      const auto tap = std::ranges::find(sum.taps, tap_of(sum, term));
      here->has_tap[static_cast<std::size_t>(tap - sum.taps.begin())] = true;
      if (std::ranges::find(here->coefficients, term.coefficient) == here->coefficients.end())
        here->coefficients.push_back(term.coefficient);
    }
    std::ranges::sort(box.sums, {}, &SumInBox::sum);
  }

  // By the terms themselves, not by what is told of them. What is not known is like nothing else.
  void number_formulas() {
    std::map<Shape, const InspectedSums::Part*> part_at;
    for (const InspectedSums::Part& part : inspected_.parts) part_at[part.box.low] = &part;
    std::map<std::vector<InspectedTerm>, std::size_t> known;
    for (SummedBox& box : out_.boxes) {
      if (!box.reason.empty()) {
        box.formula = out_.formulas++;
        continue;
      }
      const auto [at, is_new] = known.try_emplace(part_at[box.box.low]->terms, out_.formulas);
      box.formula = at->second;
      if (is_new) ++out_.formulas;
    }
  }

  const InspectedSums& inspected_;
  Summation out_;
  std::map<Kind, std::size_t> number_;
  std::vector<std::vector<const InspectedTerm*>> terms_;  // by sum
};

}  // namespace

std::size_t SumInBox::taps_here() const {
  return static_cast<std::size_t>(std::ranges::count(has_tap, true));
}

Summation summation_of(const InspectedSums& inspected) { return Summing(inspected).run(); }

}  // namespace pet::viz
