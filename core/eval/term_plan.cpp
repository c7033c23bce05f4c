// Over 400 lines: one compiler, from the loops of a term to what each read adds to its offsets, and
// the merging of loops that follows.
#include "core/eval/term_plan.h"

#include <algorithm>
#include <optional>
#include <set>

#include "core/eval/columns.h"
#include "core/ir/read.h"
#include "core/util/check.h"

namespace pet {
namespace {

// The loops that one axis of the term became: digits, outermost first.
struct Digits {
  std::size_t first = 0;
  std::size_t end = 0;
};

// What of a term says where it is evaluated.
struct Reads {
  std::span<const Access> factors;
  std::span<const Guard> guards;
  std::span<const AxisTable> tables;
};

// By axis: whether any expression of the term has more to do with it than a multiple.
std::vector<char> divided_axes(const Reads& term, std::size_t axes) {
  std::vector<char> out(axes, 0);
  const auto note = [&](const IndexExpr& e) {
    for (const auto& part : e.parts()) {
      if (part.is_plain_axis()) continue;
      if (part.axis >= 0) {
        out[static_cast<std::size_t>(part.axis)] = 1;
      } else {
        for (const int axis : part.inner->axes()) out[static_cast<std::size_t>(axis)] = 1;
      }
    }
  };
  for (const Access& access : term.factors)
    std::for_each(access.index.begin(), access.index.end(), note);
  for (const Guard& guard : term.guards) note(guard.expr);
  return out;
}

// The borders at which expressions divide the axis: divisors and divisor·modulus, where each
// divides the next.
std::vector<Dim> digit_borders(const Reads& term, int axis, Dim extent) {
  if (extent <= 1) return {1, extent};
  std::set<Dim> borders = {1, extent};
  bool divided = false;
  bool nested = false;  // a quotient of a sum: its values do not add up over digits
  const auto collect = [&](const IndexExpr& e) {
    for (const auto& part : e.parts()) {
      nested = nested || (part.axis < 0 && part.inner->depends_on(axis));
      if (part.axis != axis || part.is_plain_axis()) continue;
      divided = true;
      if (part.divisor < extent) borders.insert(part.divisor);
      if (part.modulus != 0 && part.divisor * part.modulus < extent)
        borders.insert(part.divisor * part.modulus);
    }
  };
  for (const Access& access : term.factors)
    std::for_each(access.index.begin(), access.index.end(), collect);
  for (const Guard& guard : term.guards) collect(guard.expr);
  for (const AxisTable& table : term.tables) divided = divided && table.axis != axis;
  const std::vector<Dim> list(borders.begin(), borders.end());
  const bool chain = std::adjacent_find(list.begin(), list.end(),
                                        [](Dim a, Dim b) { return b % a != 0; }) == list.end();
  return divided && !nested && chain ? list : std::vector<Dim>{1, extent};
}

class Compiler {
 public:
  Compiler(const Reads& term, const Shape& out, const Shape& reduce, const Positions& at = {})
      : positions_(at) {
    Shape axes = out;
    axes.insert(axes.end(), reduce.begin(), reduce.end());
    const auto divided = divided_axes(term, axes.size());
    for (std::size_t a = 0; a < axes.size(); ++a) {
      if (a == out.size()) plan_.out_loops = plan_.extents.size();
      if (!all_of_axis(a)) {
        add_axis(static_cast<Dim>(positions_[a].size()), {});
        continue;
      }
      const bool whole = divided[a] == 0;
      add_axis(axes[a],
               whole ? std::vector<Dim>{} : digit_borders(term, static_cast<int>(a), axes[a]));
    }
    if (axes.size() == out.size()) plan_.out_loops = plan_.extents.size();
    extents_ = std::move(axes);
    plan_.out_offset = sum_over_axes(row_major_strides(shape_at(positions_, out)));
  }

  TermPlan finish(const Reads& term, const Rational& scale, std::span<const Shape> operands) && {
    for (const Guard& guard : term.guards) {
      if (!guard.expr.is_separable()) {
        dense_guards_.push_back(guard);
        continue;
      }
      add_check(plan_.guards, guard.expr, guard.low, guard.high, guard.multiple_of);
    }
    for (const Access& access : term.factors) {
      plan_.reads.push_back(read_of(access, operands[static_cast<std::size_t>(access.operand)]));
    }
    if (term.factors.empty() && !term.guards.empty())
      plan_.reads.push_back(read_of({kOne, {}}, {}));
    plan_.scale = scale;
    for (AxisTable table : term.tables) {
      const auto axis = static_cast<std::size_t>(table.axis);
      table.axis = static_cast<int>(axes_[axis].first);
      if (!all_of_axis(axis)) {
        std::vector<Rational> there;
        for (const Dim position : positions_[axis])
          there.push_back(table.values[static_cast<std::size_t>(position)]);
        table.values = std::move(there);
      }
      plan_.tables.push_back(std::move(table));
    }
    return std::move(plan_);
  }

 private:
  bool all_of_axis(std::size_t axis) const {
    return axis >= positions_.size() || positions_[axis].empty();
  }

  void add_loop(Dim extent, Dim weight) {
    plan_.extents.push_back(extent);
    weights_.push_back(weight);
  }

  void add_axis(Dim extent, const std::vector<Dim>& borders) {
    const std::size_t first = weights_.size();
    if (borders.size() <= 2) {
      add_loop(extent, 1);
    } else {
      for (std::size_t i = borders.size() - 1; i-- > 0;)
        add_loop(borders[i + 1] / borders[i], borders[i]);
    }
    axes_.push_back({first, weights_.size()});
  }

  // An index into a flat tensor: a sum of expressions, each times its stride.
  struct Flattened {
    std::span<const IndexExpr> index;
    std::span<const Dim> strides;
  };

  AxisSum empty_sum() const { return {0, std::vector<Dim>(plan_.extents.size(), 0), {}}; }

  // A part that divides an axis at digit borders is a sum over its digits; so is the plain axis.
  AxisSum sum_of(const Flattened& flat) const {
    AxisSum sum = empty_sum();
    for (std::size_t d = 0; d < flat.index.size(); ++d) {
      sum.base += flat.index[d].constant() * flat.strides[d];
      for (const IndexExpr::Part& part : flat.index[d].parts()) add(part, flat.strides[d], sum);
    }
    make_even(sum);
    return sum;
  }
  AxisSum sum_of(const IndexExpr& e) const {
    constexpr Dim kOnce = 1;
    return sum_of({{&e, 1}, {&kOnce, 1}});
  }

  // Every one of the first axes times its stride.
  AxisSum sum_over_axes(std::span<const Dim> strides) const {
    AxisSum sum = empty_sum();
    for (std::size_t axis = 0; axis < strides.size(); ++axis) {
      for (std::size_t loop = axes_[axis].first; loop < axes_[axis].end; ++loop)
        add_multiples(1, strides[axis], loop, sum);
    }
    return sum;
  }

  // Tables that steps can say.
  static void make_even(AxisSum& sum) {
    for (std::size_t loop = 0; loop < sum.tables.size(); ++loop) {
      std::vector<Dim>& table = sum.tables[loop];
      if (table.empty()) continue;
      const Dim step = table.size() > 1 ? table[1] - table[0] : 0;
      const bool is_even = table[0] == 0 && std::ranges::adjacent_find(table, [&](Dim x, Dim next) {
                                              return next - x != step;
                                            }) == table.end();
      if (!is_even) continue;
      sum.steps[loop] += step;
      table.clear();
    }
    if (std::ranges::all_of(sum.tables, [](const auto& table) { return table.empty(); }))
      sum.tables.clear();
  }

  // The loop's share of the value of its axis, times both. (Not of a loop of one: what it does not
  // reach may be too large to multiply.)
  void add_multiples(Dim coefficient, Dim stride, std::size_t loop, AxisSum& sum) const {
    if (plan_.extents[loop] > 1) sum.steps[loop] += coefficient * weights_[loop] * stride;
  }

  // REQUIRES: the part is separable
  void add(const IndexExpr::Part& part, Dim stride, AxisSum& sum) const {
    const int axis = part.axis >= 0 ? part.axis : part.inner->axes().front();
    const Digits& digits = axes_[static_cast<std::size_t>(axis)];
    if (!all_of_axis(static_cast<std::size_t>(axis))) {
      add_at_positions(part, static_cast<std::size_t>(axis), stride, sum);
      return;
    }
    if (part.is_plain_axis()) {
      for (std::size_t loop = digits.first; loop < digits.end; ++loop)
        add_multiples(part.coefficient, stride, loop, sum);
      return;
    }
    sum.tables.resize(plan_.extents.size());
    std::vector<Dim> at(static_cast<std::size_t>(axis) + 1, 0);
    for (std::size_t loop = digits.first; loop < digits.end; ++loop) {
      std::vector<Dim>& table = sum.tables[loop];
      table.resize(static_cast<std::size_t>(plan_.extents[loop]), 0);
      at.back() = 0;
      for (Dim& entry : table) {
        entry += part.value(at) * stride;
        at.back() += weights_[loop];
      }
    }
  }

  void add_at_positions(const IndexExpr::Part& part, std::size_t axis, Dim stride,
                        AxisSum& sum) const {
    sum.tables.resize(plan_.extents.size());
    std::vector<Dim>& table = sum.tables[axes_[axis].first];
    table.resize(positions_[axis].size(), 0);
    std::vector<Dim> at(axis + 1, 0);
    for (std::size_t i = 0; i < table.size(); ++i) {
      at.back() = positions_[axis][i];
      table[i] += part.value(at) * stride;
    }
  }

  void add_check(std::vector<Check>& checks, const IndexExpr& e, Dim low, Dim high,
                 Dim multiple_of) const {
    const auto [least, greatest] = e.bounds(extents_);
    if (multiple_of == 0 && least >= low && greatest < high) return;
    checks.push_back({sum_of(e), low, high, multiple_of});
  }

  ReadPlan read_of(const Access& access, const Shape& operand) const {
    ReadPlan read{access.operand, {}, {}, {}};
    const bool separable = std::all_of(access.index.begin(), access.index.end(),
                                       [](const IndexExpr& e) { return e.is_separable(); });
    if (!separable || !dense_guards_.empty()) {
      read.dense = dense_offsets(access, operand);
      read.offset = empty_sum();
      return read;
    }
    for (std::size_t d = 0; d < operand.size(); ++d)
      add_check(read.checks, access.index[d], 0, operand[d], 0);
    read.offset = sum_of({access.index, row_major_strides(operand)});
    return read;
  }

  // Each index is computed over those loops alone that it mentions.
  std::vector<Dim> dense_offsets(const Access& access, const Shape& operand) const {
    if (extents_.size() > kMostLoops || count(extents_) == 0)
      return dense_offsets_one_by_one(access, operand);
    const LoopExtents extents(extents_.begin(), extents_.end());
    std::vector<Indices> axes;
    LoopSet all = 0;
    for (std::size_t loop = 0; loop < extents.size(); ++loop) {
      axes.push_back(counting(extents, loop));
      if (extents[loop] > 1) all |= loop_set(loop);
    }
    Column<char> alive{0, {1}};
    for (const Guard& guard : dense_guards_) {
      alive = combine<char>(extents, alive, *value_of(guard.expr, axes, extents),
                            [&](char a, Dim value) { return a != 0 && guard.holds_for(value); });
    }
    Column<Dim> sum{0, {0}};
    const auto strides = row_major_strides(operand);
    for (std::size_t d = 0; d < operand.size(); ++d) {
      const Indices index = value_of(access.index[d], axes, extents);
      const auto is_inside = [&](Dim value) { return value >= 0 && value < operand[d]; };
      alive = combine<char>(extents, alive, *index,
                            [&](char a, Dim value) { return a != 0 && is_inside(value); });
      sum = combine<Dim>(extents, sum, *index, [&](Dim before, Dim value) {
        return is_inside(value) ? before + value * strides[d] : Dim{-1};
      });
    }
    sum = combine<Dim>(extents, alive, sum,
                       [](char a, Dim offset) { return a != 0 ? offset : Dim{-1}; });
    if (sum.loops == all) return std::move(sum.values);
    const Column<char> nothing{all, std::vector<char>(static_cast<std::size_t>(count(extents_)))};
    return combine<Dim>(extents, nothing, sum, [](char, Dim offset) { return offset; }).values;
  }

  std::vector<Dim> dense_offsets_one_by_one(const Access& access, const Shape& operand) const {
    const auto points = static_cast<std::size_t>(count(extents_));
    std::vector<Dim> offsets(points);
    Shape at(extents_.size(), 0);
    for (std::size_t i = 0; i < points; ++i) {
      const bool alive = std::all_of(dense_guards_.begin(), dense_guards_.end(),
                                     [&](const Guard& g) { return g.holds(at); });
      offsets[i] = alive ? position_read(access.index, operand, at).value_or(-1) : -1;
      for (std::size_t a = at.size(); a > 0 && ++at[a - 1] == extents_[a - 1]; --a) at[a - 1] = 0;
    }
    return offsets;
  }

  const Positions positions_;
  TermPlan plan_;
  Shape extents_;  // of the term's own axes
  std::vector<Digits> axes_;
  std::vector<Dim> weights_;  // of each loop in the value of its axis
  std::vector<Guard> dense_guards_;
};

// Makes one loop of two that follow one another wherever every sum goes on evenly from the inner to
// the outer: short lines cost more than they do.
class LoopMerger {
 public:
  explicit LoopMerger(TermPlan& plan) : plan_(plan), sums_{&plan.out_offset} {
    for (Check& check : plan.guards) sums_.push_back(&check.sum);
    for (ReadPlan& read : plan.reads) {
      sums_.push_back(&read.offset);
      for (Check& check : read.checks) sums_.push_back(&check.sum);
    }
  }

  void run() {
    for (std::size_t inner = plan_.extents.size(); inner-- > 1;) {
      if (can_merge(inner)) merge(inner);
    }
  }

 private:
  static constexpr Dim kLongest = 1 << 14;  // what remains outside is shared out to threads

  bool can_merge(std::size_t inner) const {
    const Dim size = plan_.extents[inner];
    const Dim times = plan_.extents[inner - 1];
    if (inner == plan_.out_loops || size == 0 || times == 0) return false;
    if (times > 1 && size > 1 && times * size > kLongest) return false;
    for (const AxisTable& table : plan_.tables) {
      const auto loop = static_cast<std::size_t>(table.axis);
      if (loop == inner || loop + 1 == inner) return false;
    }
    return std::all_of(sums_.begin(), sums_.end(), [&](const AxisSum* sum) {
      if (times == 1) return !sum->depends_on(inner - 1);
      if (size == 1) return !sum->depends_on(inner);
      return !sum->has_table(inner - 1) && !sum->has_table(inner) &&
             sum->steps[inner - 1] == sum->steps[inner] * size;
    });
  }

  void merge(std::size_t inner) {
    const auto at = static_cast<std::ptrdiff_t>(inner);
    const Dim size = plan_.extents[inner];
    const Dim times = plan_.extents[inner - 1];
    for (AxisSum* sum : sums_) {
      if (size > 1) sum->steps[inner - 1] = sum->steps[inner];
      sum->steps.erase(sum->steps.begin() + at);
      if (sum->tables.empty()) continue;
      if (times == 1) sum->tables[inner - 1] = std::move(sum->tables[inner]);
      sum->tables.erase(sum->tables.begin() + at);
    }
    plan_.extents[inner - 1] = times * size;
    plan_.extents.erase(plan_.extents.begin() + at);
    if (inner < plan_.out_loops) --plan_.out_loops;
    for (AxisTable& table : plan_.tables) {
      if (static_cast<std::size_t>(table.axis) > inner) --table.axis;
    }
  }

  TermPlan& plan_;
  std::vector<AxisSum*> sums_;
};

}  // namespace

bool TermPlan::is_dense() const {
  return std::any_of(reads.begin(), reads.end(),
                     [](const ReadPlan& read) { return !read.dense.empty(); });
}

void AxisSum::walk(std::size_t axis, Dim from, std::span<Dim> out) const {
  const Dim step = steps[axis];
  if (!has_table(axis)) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = from + step * static_cast<Dim>(i);
    return;
  }
  const std::vector<Dim>& table = tables[axis];
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = from + step * static_cast<Dim>(i) + table[i];
}

Shape shape_at(const Positions& positions, const Shape& out) {
  Shape shape = out;
  for (std::size_t axis = 0; axis < positions.size(); ++axis) {
    if (!positions[axis].empty()) shape[axis] = static_cast<Dim>(positions[axis].size());
  }
  return shape;
}

TermPlan compile_term(const Term& term, const Shape& out, std::span<const Shape> operands,
                      const Positions& at) {
  const Reads reads{term.factors, term.guards, term.coef.tables};
  TermPlan plan = Compiler(reads, out, term.reduce, at).finish(reads, term.coef.scale, operands);
  LoopMerger(plan).run();
  return plan;
}

TermPlan compile_read(const Access& access, const std::vector<Guard>& guards, const Shape& loops,
                      const Shape& operand) {
  if (count(loops) == 0) {  // its other extents may be too large to walk along
    TermPlan plan;
    plan.extents = {0};
    plan.out_loops = 1;
    plan.out_offset.steps.resize(1);
    return plan;
  }
  const Access alone{0, access.index};
  const Reads reads{{&alone, 1}, guards, {}};
  TermPlan plan = Compiler(reads, loops, {}).finish(reads, 1, {&operand, 1});
  LoopMerger(plan).run();
  return plan;
}

}  // namespace pet
