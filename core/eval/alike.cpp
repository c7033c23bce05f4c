#include "core/eval/alike.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

namespace pet {
namespace {

// A list of values, each by its number.
struct Numbered {
  std::vector<std::uint32_t> of;
  std::size_t number = 0;  // of different ones
};

template <class T>
Numbered numbered(const std::vector<T>& values) {
  Numbered out;
  std::map<T, std::uint32_t> numbers;
  for (const T& value : values) {
    const auto next = static_cast<std::uint32_t>(numbers.size());
    out.of.push_back(numbers.try_emplace(value, next).first->second);
  }
  out.number = numbers.size();
  return out;
}

// What one axis adds to an expression, at each of its positions.
std::vector<Dim> added_along(const IndexExpr& e, int axis, Dim extent) {
  std::vector<Dim> out(static_cast<std::size_t>(extent), 0);
  for (const IndexExpr::Part& part : e.parts()) {
    if (part.axis >= 0 && part.axis != axis) continue;
    if (part.axis < 0 && !part.inner->depends_on(axis)) continue;
    std::vector<Dim> at(static_cast<std::size_t>(axis) + 1, 0);
    for (Dim i = 0; i < extent; ++i) {
      at.back() = i;
      out[static_cast<std::size_t>(i)] += part.value(at);
    }
  }
  return out;
}

// The same, and the values in order of their numbers.
Numbered numbered(const std::vector<Dim>& values, std::vector<Dim>& different) {
  Numbered out;
  const auto [low, high] = std::ranges::minmax(values);
  const auto range = static_cast<std::size_t>(high - low);
  if (range > 16 * values.size()) {
    out = numbered(values);
  } else {
    constexpr std::uint32_t kNone = ~0U;
    std::vector<std::uint32_t> table(range + 1, kNone);
    for (const Dim value : values) {
      std::uint32_t& number = table[static_cast<std::size_t>(value - low)];
      if (number == kNone) number = static_cast<std::uint32_t>(out.number++);
      out.of.push_back(number);
    }
  }
  different.resize(out.number);
  for (std::size_t i = 0; i < values.size(); ++i) different[out.of[i]] = values[i];
  return out;
}

// What along one output axis is told apart so far.
class Partition {
 public:
  explicit Partition(Dim extent)
      : classes_(static_cast<std::size_t>(extent), 0), number_(extent > 0 ? 1 : 0) {}

  std::size_t extent() const { return classes_.size(); }
  bool all_differ() const { return number_ == classes_.size(); }
  void tell_all_apart() {
    std::iota(classes_.begin(), classes_.end(), 0U);
    number_ = classes_.size();
  }
  std::size_t number() const { return number_; }
  std::uint32_t class_of(std::size_t position) const { return classes_[position]; }

  // Positions stay together only where these agree. (Axes may be long: it is done by tables.)
  void refine(const Numbered& values) {
    if (all_differ() || values.number <= 1) return;
    constexpr std::uint32_t kNone = ~0U;
    const std::size_t pairs = number_ * values.number;
    std::vector<std::uint32_t> table(pairs <= 4 * extent() ? pairs : 0, kNone);
    std::unordered_map<std::size_t, std::uint32_t> few;
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < extent(); ++i) {
      const std::size_t pair = classes_[i] * values.number + values.of[i];
      std::uint32_t& of_pair =
          table.empty() ? few.try_emplace(pair, kNone).first->second : table[pair];
      if (of_pair == kNone) of_pair = number++;
      classes_[i] = of_pair;
    }
    number_ = number;
  }

  Alike::Classes take() && {
    if (all_differ()) return {};
    return std::move(classes_);
  }

 private:
  Alike::Classes classes_;
  std::size_t number_ = 0;
};

constexpr std::size_t kMostPoints = std::size_t{1} << 20;  // that are looked at one by one

// The positions of one output axis, as a term sees them.
class AxisOfTerm {
 public:
  AxisOfTerm(int axis, const Shape& extents, Partition& partition)
      : axis_(axis), extents_(extents), partition_(partition) {}

  // What is read: whatever lies outside of the operand is 0.
  void read(const Access& access, const Alike& operand) {
    for (std::size_t d = 0; d < access.index.size(); ++d) {
      const IndexExpr& e = access.index[d];
      const auto class_at = [&](Dim index) {
        const bool is_inside = index >= 0 && index < operand.shape()[d];
        return is_inside ? operand.class_of(d, index) : Dim{-1};
      };
      if (!e.depends_on(axis_)) continue;
      if (operand.all_differ(d) && moves_with_axis(e)) return partition_.tell_all_apart();
      const bool all_inside = is_inside(e, operand.shape()[d]);
      if (operand.classes()[d] == 1 && all_inside) continue;
      if (operand.all_differ(d) && all_inside && e.is_separable()) {
        std::vector<Dim> different;
        partition_.refine(numbered(added_along(e, axis_, extent()), different));
        continue;
      }
      look(e, class_at);
    }
  }
  void guarded_by(const Guard& guard) {
    if (guard.expr.depends_on(axis_))
      look(guard.expr, [&](Dim value) { return guard.holds_for(value) ? Dim{1} : Dim{0}; });
  }
  void multiplied_by(const AxisTable& table) {
    if (table.axis == axis_) partition_.refine(numbered(table.values));
  }

 private:
  Dim extent() const { return static_cast<Dim>(partition_.extent()); }
  // Any two positions read other indices.
  bool moves_with_axis(const IndexExpr& e) const {
    const auto mentions = [&](const IndexExpr::Part& part) {
      return part.axis == axis_ || (part.inner && part.inner->depends_on(axis_));
    };
    return std::ranges::count_if(e.parts(), mentions) == 1 &&
           std::ranges::any_of(e.parts(), [&](const IndexExpr::Part& part) {
             return part.is_plain_axis() && part.axis == axis_ && part.coefficient != 0;
           });
  }
  bool is_inside(const IndexExpr& e, Dim extent) const {
    const auto [low, high] = e.bounds(extents_);
    return low >= 0 && high < extent;
  }

  template <class F>
  void look(const IndexExpr& e, F value_of) {
    if (e.is_separable()) {
      look_along(e, value_of);
    } else {
      look_everywhere(e, value_of);
    }
  }

  // A sum of what the axis adds and what others add: of either only the numbers count that occur.
  template <class F>
  void look_along(const IndexExpr& e, F value_of) {
    std::vector<Dim> added;
    const Numbered which = numbered(added_along(e, axis_, extent()), added);
    std::set<Dim> others = {e.constant()};
    for (const int axis : e.axes()) {
      if (axis == axis_) continue;
      std::set<Dim> next;
      std::vector<Dim> different;
      numbered(added_along(e, axis, extents_[static_cast<std::size_t>(axis)]), different);
      for (const Dim theirs : different) {
        for (const Dim sum : others) next.insert(sum + theirs);
        if (next.size() * added.size() > kMostPoints) return partition_.tell_all_apart();
      }
      others = std::move(next);
    }
    Partition of_added(static_cast<Dim>(added.size()));
    std::vector<Dim> values(added.size());
    std::vector<Dim> different;
    for (const Dim sum : others) {
      if (of_added.all_differ()) break;
      std::ranges::transform(added, values.begin(), [&](Dim mine) { return value_of(mine + sum); });
      of_added.refine(numbered(values, different));
    }
    Numbered classes{{}, of_added.number()};
    for (const std::uint32_t k : which.of) classes.of.push_back(of_added.class_of(k));
    partition_.refine(classes);
  }

  // At every point of the other axes that the expression mentions.
  template <class F>
  void look_everywhere(const IndexExpr& e, F value_of) {
    std::vector<std::size_t> others;
    std::size_t points = partition_.extent();
    for (const int axis : e.axes()) {
      if (axis == axis_) continue;
      others.push_back(static_cast<std::size_t>(axis));
      points *= static_cast<std::size_t>(std::min<Dim>(extents_[others.back()], kMostPoints + 1));
      if (points > kMostPoints) return partition_.tell_all_apart();
    }
    std::vector<Dim> at(extents_.size(), 0);
    std::vector<Dim> values(partition_.extent());
    std::vector<Dim> different;
    for (;;) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        at[static_cast<std::size_t>(axis_)] = static_cast<Dim>(i);
        values[i] = value_of(e.value(at));
      }
      partition_.refine(numbered(values, different));
      std::size_t k = others.size();
      while (k > 0 && ++at[others[k - 1]] == extents_[others[k - 1]]) at[others[--k]] = 0;
      if (k == 0 || partition_.all_differ()) return;
    }
  }

  int axis_;
  const Shape& extents_;
  Partition& partition_;
};

}  // namespace

Alike::Alike(Shape shape, std::vector<Classes> classes)
    : shape_(std::move(shape)), extents_(shape_), classes_(std::move(classes)) {
  for (std::size_t axis = 0; axis < extents_.size(); ++axis) {
    const Classes& all = classes_[axis];
    if (!all.empty()) extents_[axis] = static_cast<Dim>(*std::ranges::max_element(all)) + 1;
  }
}

Alike Alike::nowhere(const Shape& shape) { return {shape, std::vector<Classes>(shape.size())}; }

Alike Alike::everywhere(const Shape& shape) {
  std::vector<Classes> classes;
  for (const Dim extent : shape)
    classes.emplace_back(extent > 1 ? static_cast<std::size_t>(extent) : 0, 0);
  return {shape, std::move(classes)};
}

Positions Alike::firsts() const {
  Positions out(shape_.size());
  for (std::size_t axis = 0; axis < shape_.size(); ++axis) {
    for (std::size_t i = 0; i < classes_[axis].size(); ++i) {
      if (classes_[axis][i] == out[axis].size()) out[axis].push_back(static_cast<Dim>(i));
    }
  }
  return out;
}

Alike alike_results(const IndexedSum& sum, std::span<const Alike* const> operands) {
  std::vector<Alike::Classes> classes;
  for (std::size_t axis = 0; axis < sum.out.size(); ++axis) {
    Partition partition(sum.out[axis]);
    for (const Term& term : sum.terms) {
      Shape extents = sum.out;
      extents.insert(extents.end(), term.reduce.begin(), term.reduce.end());
      if (partition.all_differ() || count(extents) == 0) continue;
      AxisOfTerm here(static_cast<int>(axis), extents, partition);
      for (const Guard& guard : term.guards) here.guarded_by(guard);
      for (const AxisTable& table : term.coef.tables) here.multiplied_by(table);
      for (const Access& access : term.factors)
        here.read(access, *operands[static_cast<std::size_t>(access.operand)]);
    }
    classes.push_back(std::move(partition).take());
  }
  return {sum.out, std::move(classes)};
}

Alike alike_results(const Application& application, std::span<const Alike* const> operands) {
  // What is read is all that counts: as if it were multiplied.
  IndexedSum read{application.out, {{{}, {}, {}, application.elements}}};
  if (const auto& window = application.window)
    read.terms.push_back({{}, window->extent, window->guards, {window->read}});
  return alike_results(read, operands);
}

}  // namespace pet
