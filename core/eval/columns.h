// Values that vary over a nest of loops, each stored over those loops alone that it depends on: the
// row that a convolution reads is a table of a few entries, in however many products it takes part.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/ir/index_expr.h"

namespace pet {

// The loops of a nest, outermost first; none is empty. A set of them is a bit mask.
using LoopExtents = std::vector<std::size_t>;
using LoopSet = std::uint32_t;
inline constexpr std::size_t kMostLoops = 32;

constexpr LoopSet loop_set(std::size_t loop) { return LoopSet{1} << loop; }

template <class T>
struct Column {
  LoopSet loops = 0;
  std::vector<T> values;  // row-major over these loops

  bool is_scalar() const { return values.size() == 1; }
};

using Indices = std::shared_ptr<const Column<Dim>>;
using Residues = std::shared_ptr<const Column<std::uint32_t>>;

template <class T>
std::shared_ptr<const Column<T>> shared(Column<T> column) {
  return std::make_shared<const Column<T>>(std::move(column));
}

// Two columns side by side, over the loops that either depends on: runs of elements, adjacent loops
// made one where that is one for both.
class PairWalk {
 public:
  PairWalk(const LoopExtents& extents, LoopSet a, LoopSet b);

  std::size_t size() const { return size_; }  // elements altogether
  std::size_t run() const { return run_.extent; }
  std::size_t step_a() const { return run_.a; }  // within a run: 0 or 1
  std::size_t step_b() const { return run_.b; }

  // visit(first of a, first of b), in order.
  template <class Visit>
  void for_each_run(Visit&& visit) const {
    std::size_t at[kMostLoops];
    for (std::size_t l = 0; l < outer_.size(); ++l) at[l] = 0;
    std::size_t a = 0;
    std::size_t b = 0;
    for (;;) {
      visit(a, b);
      std::size_t l = outer_.size();
      for (; l > 0; --l) {
        const Loop& loop = outer_[l - 1];
        a += loop.a;
        b += loop.b;
        if (++at[l - 1] < loop.extent) break;
        a -= loop.a * loop.extent;
        b -= loop.b * loop.extent;
        at[l - 1] = 0;
      }
      if (l == 0) return;
    }
  }

 private:
  struct Loop {
    std::size_t extent = 1;
    std::size_t a = 0;  // strides
    std::size_t b = 0;
  };

  std::vector<Loop> outer_;
  Loop run_;
  std::size_t size_ = 1;
};

// Element by element, over the loops that either depends on.
template <class R, class A, class B, class F>
Column<R> combine(const LoopExtents& extents, const Column<A>& a, const Column<B>& b, F f) {
  const PairWalk walk(extents, a.loops, b.loops);
  Column<R> out{a.loops | b.loops, std::vector<R>(walk.size())};
  R* to = out.values.data();
  const std::size_t run = walk.run();
  walk.for_each_run([&](std::size_t i, std::size_t j) {
    const A* x = a.values.data() + i;
    const B* y = b.values.data() + j;
    if (walk.step_a() == 0) {
      for (std::size_t k = 0; k < run; ++k) to[k] = f(*x, y[k * walk.step_b()]);
    } else if (walk.step_b() == 0) {
      for (std::size_t k = 0; k < run; ++k) to[k] = f(x[k], *y);
    } else {
      for (std::size_t k = 0; k < run; ++k) to[k] = f(x[k], y[k]);
    }
    to += run;
  });
  return out;
}

template <class R, class A, class F>
Column<R> mapped(const Column<A>& a, F f) {
  Column<R> out{a.loops, std::vector<R>(a.values.size())};
  std::transform(a.values.begin(), a.values.end(), out.values.begin(), f);
  return out;
}

// constant + sum of factor * column, over the loops that any of them depends on.
class ColumnSum {
 public:
  // REQUIRES: `extents` outlives this
  explicit ColumnSum(const LoopExtents& extents, Dim constant = 0)
      : extents_(extents), constant_(constant) {}
  void add(const Column<Dim>& column, Dim factor);
  Column<Dim> finish() &&;

 private:
  const LoopExtents& extents_;
  Dim constant_;
  std::vector<Column<Dim>> parts_;  // each over other loops
};

// first, first + 1, ... along one loop.
Indices counting(const LoopExtents& extents, std::size_t loop, Dim first = 0);
// The indices along each axis of flat positions, which vary along loop 0.
std::vector<Indices> unflattened(const Shape& shape, std::span<const Dim> positions);
Column<Dim> flattened(const Shape& shape, std::span<const Indices> index,
                      const LoopExtents& extents);
// The value of an expression whose axes have these values.
Indices value_of(const IndexExpr& e, std::span<const Indices> axes, const LoopExtents& extents);

}  // namespace pet
