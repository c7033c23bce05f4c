#include "core/eval/columns.h"

#include <array>

namespace pet {
namespace {

// Positions and extents nearly always fit into 32 bits, in which a division costs half.
bool is_small(Dim x) { return static_cast<std::uint64_t>(x) >> 32 == 0; }

struct Division {
  Dim quotient = 0;
  Dim remainder = 0;
};

// Rounds down. REQUIRES: b > 0
inline Division divide(Dim a, Dim b) {
  if (is_small(a) && is_small(b)) {
    const auto x = static_cast<std::uint32_t>(a);
    const auto y = static_cast<std::uint32_t>(b);
    return {x / y, x % y};
  }
  return {floor_div(a, b), floor_mod(a, b)};
}

// A column that is the same everywhere depends on no loop.
Column<Dim> shortest(Column<Dim> column) {
  const Dim first = column.values.front();
  if (std::all_of(column.values.begin(), column.values.end(), [=](Dim x) { return x == first; }))
    return {0, {first}};
  return column;
}

Column<Dim> divided(const Column<Dim>& base, Dim divisor, Dim modulus) {
  return shortest(mapped<Dim>(base, [=](Dim x) {
    if (divisor != 1) x = divide(x, divisor).quotient;
    return modulus == 0 ? x : divide(x, modulus).remainder;
  }));
}

}  // namespace

PairWalk::PairWalk(const LoopExtents& extents, LoopSet a, LoopSet b) {
  std::array<Loop, kMostLoops> loops;  // innermost first
  std::size_t depth = 0;
  std::size_t stride_a = 1;
  std::size_t stride_b = 1;
  for (std::size_t l = extents.size(); l-- > 0;) {
    const bool in_a = (a & loop_set(l)) != 0;
    const bool in_b = (b & loop_set(l)) != 0;
    const std::size_t extent = extents[l];
    if (extent == 1 || (!in_a && !in_b)) continue;
    const Loop next{extent, in_a ? stride_a : 0, in_b ? stride_b : 0};
    if (in_a) stride_a *= extent;
    if (in_b) stride_b *= extent;
    size_ *= extent;
    if (depth > 0) {
      Loop& last = loops[depth - 1];
      if (next.a == last.a * last.extent && next.b == last.b * last.extent) {
        last.extent *= extent;
        continue;
      }
    }
    loops[depth++] = next;
  }
  if (depth == 0) return;
  run_ = loops[0];
  for (std::size_t l = depth; l-- > 1;) outer_.push_back(loops[l]);
}

void ColumnSum::add(const Column<Dim>& column, Dim factor) {
  if (column.is_scalar()) {
    constant_ += factor * column.values.front();
    return;
  }
  for (Column<Dim>& part : parts_) {
    if (part.loops != column.loops) continue;
    for (std::size_t i = 0; i < part.values.size(); ++i)
      part.values[i] += factor * column.values[i];
    return;
  }
  parts_.push_back(mapped<Dim>(column, [=](Dim x) { return factor * x; }));
}

Column<Dim> ColumnSum::finish() && {
  if (parts_.empty()) return {0, {constant_}};
  // Inner loops first: what is long is added in long runs.
  std::sort(parts_.begin(), parts_.end(),
            [](const auto& a, const auto& b) { return a.loops > b.loops; });
  Column<Dim> sum = std::move(parts_.front());
  if (constant_ != 0) {
    for (Dim& x : sum.values) x += constant_;
  }
  for (std::size_t i = 1; i < parts_.size(); ++i)
    sum = combine<Dim>(extents_, sum, parts_[i], [](Dim a, Dim b) { return a + b; });
  return sum;
}

Indices counting(const LoopExtents& extents, std::size_t loop, Dim first) {
  Column<Dim> out{extents[loop] == 1 ? LoopSet{0} : loop_set(loop),
                  std::vector<Dim>(extents[loop])};
  for (Dim& x : out.values) x = first++;
  return shared(std::move(out));
}

std::vector<Indices> unflattened(const Shape& shape, std::span<const Dim> positions) {
  std::vector<Indices> out(shape.size());
  std::vector<Dim> rest(positions.begin(), positions.end());
  const LoopSet loops = positions.size() == 1 ? LoopSet{0} : loop_set(0);
  for (std::size_t a = shape.size(); a-- > 0;) {
    Column<Dim> index{loops, std::vector<Dim>(rest.size())};
    for (std::size_t i = 0; i < rest.size(); ++i) {
      const Division division = divide(rest[i], shape[a]);
      index.values[i] = division.remainder;
      rest[i] = division.quotient;
    }
    out[a] = shared(shortest(std::move(index)));
  }
  return out;
}

Column<Dim> flattened(const Shape& shape, std::span<const Indices> index,
                      const LoopExtents& extents) {
  ColumnSum flat(extents);
  Dim stride = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    flat.add(*index[d], stride);
    stride *= shape[d];
  }
  return std::move(flat).finish();
}

Indices value_of(const IndexExpr& e, std::span<const Indices> axes, const LoopExtents& extents) {
  const auto& parts = e.parts();
  if (e.constant() == 0 && parts.size() == 1 && parts[0].is_plain_axis() &&
      parts[0].coefficient == 1)
    return axes[static_cast<std::size_t>(parts[0].axis)];
  ColumnSum sum(extents, e.constant());
  for (const IndexExpr::Part& part : parts) {
    const Indices base = part.axis >= 0 ? axes[static_cast<std::size_t>(part.axis)]
                                        : value_of(*part.inner, axes, extents);
    if (part.divisor == 1 && part.modulus == 0) {
      sum.add(*base, part.coefficient);
    } else {
      sum.add(divided(*base, part.divisor, part.modulus), part.coefficient);
    }
  }
  return shared(std::move(sum).finish());
}

}  // namespace pet
