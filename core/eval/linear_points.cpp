#include "core/eval/linear_points.h"

#include <algorithm>
#include <utility>

namespace pet {
namespace {

// Products that are evaluated at a time: what they read stays in the cache.
constexpr std::size_t kBlock = std::size_t{1} << 14;

constexpr std::uint64_t kVeryMany = std::uint64_t{1} << 62;

bool is_empty(const Shape& extents) {
  return std::find(extents.begin(), extents.end(), 0) != extents.end();
}

std::uint64_t capped_product(std::uint64_t a, std::uint64_t b) {
  return a != 0 && b > kVeryMany / a ? kVeryMany : a * b;
}

std::uint64_t products_of(const Shape& reduce) {
  if (reduce.empty() || is_empty(reduce)) return 0;
  std::uint64_t products = 1;
  for (const Dim extent : reduce)
    products = capped_product(products, static_cast<std::uint64_t>(extent));
  return products;
}

// Extents of the pieces that a nest is evaluated in: inner loops stay whole as long as possible.
LoopExtents block_of(const LoopExtents& whole) {
  LoopExtents block(whole.size());
  std::size_t room = kBlock;
  for (std::size_t l = whole.size(); l-- > 0;) {
    block[l] = std::min(whole[l], std::max<std::size_t>(room, 1));
    room /= whole[l];
  }
  return block;
}

// A sum of products of residues, reduced now and then.
std::uint64_t dot_product(const std::uint32_t* a, const std::uint32_t* b, std::size_t count,
                          const PrimeField& field) {
  constexpr std::size_t kSafe = 15;  // so many products below 2^60, and a residue, fit
  std::uint64_t sum = 0;
  for (; count > kSafe; count -= kSafe, a += kSafe, b += kSafe) {
    for (std::size_t i = 0; i < kSafe; ++i) sum += std::uint64_t{a[i]} * b[i];
    sum = field.reduce(sum);
  }
  for (std::size_t i = 0; i < count; ++i) sum += std::uint64_t{a[i]} * b[i];
  return field.reduce(sum);
}

std::uint32_t sum_of(const std::uint32_t* a, std::size_t step, std::size_t count,
                     const PrimeField& field) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += a[i * step];
  return field.reduce(sum);
}

}  // namespace

std::optional<LinearPoints> LinearPoints::of(const Graph& graph, const PrimeField& field,
                                             const Leaves& leaves, const Elsewhere& elsewhere) {
  LinearPoints out(field);
  const auto depends = graph.depends_on_inputs();
  out.codes_.resize(graph.nodes().size());
  for (const NodeId id : graph.ids()) {
    Code& code = out.codes_[id.index()];
    code.shape = *graph.node(id).type.shape;
    if (graph.node(id).op() == nullptr) {
      code.leaf = leaves(graph.node(id));
    } else if (elsewhere && depends[id.index()] == 0 && graph.has_meaning(id) &&
               !graph.meaning(id).applications.empty()) {
      code.leaf = elsewhere(id);
    } else if (!out.read(graph, id, code)) {
      return std::nullopt;
    }
  }
  return out;
}

bool LinearPoints::read(const Graph& graph, NodeId id, Code& code) const {
  if (!graph.has_meaning(id)) return false;
  code.meaning = &graph.meaning(id);
  code.operands = graph.node(id).operands;
  if (!code.meaning->applications.empty()) return false;
  for (const pet::Term& term : code.meaning->sum.terms) {
    Term own;
    if (!read(code, term, own)) return false;
    code.terms.push_back(std::move(own));
    code.sums = code.sums || !term.reduce.empty();
    code.products = std::min(code.products + products_of(term.reduce), kVeryMany);
  }
  code.counts =
      code.sums || std::any_of(code.operands.begin(), code.operands.end(),
                               [&](NodeId operand) { return codes_[operand.index()].counts; });
  return true;
}

bool LinearPoints::read(const Code& code, const pet::Term& term, Term& out) const {
  if (term.reduce.size() >= kMostLoops) return false;
  out.term = &term;
  const auto scale = field_.residue(term.coef.scale);
  if (!scale) return false;
  out.scale = *scale;
  for (const AxisTable& table : term.coef.tables) {
    auto& values = out.tables.emplace_back();
    for (const Rational& x : table.values) {
      const auto residue = field_.residue(x);
      if (!residue) return false;
      values.push_back(*residue);
    }
  }
  Shape extents = code.shape;
  extents.insert(extents.end(), term.reduce.begin(), term.reduce.end());
  if (is_empty(extents)) return true;  // nothing is ever read
  for (const Guard& guard : term.guards) {
    const auto [low, high] = guard.expr.bounds(extents);
    if (guard.multiple_of != 0 || low < guard.low || high >= guard.high)
      out.guards.push_back(&guard);
  }
  for (const Access& access : term.factors) {
    const Shape& shape =
        codes_[code.operands[static_cast<std::size_t>(access.operand)].index()].shape;
    auto& inside = out.inside.emplace_back();
    for (std::size_t d = 0; d < shape.size(); ++d) {
      const auto [low, high] = access.index[d].bounds(extents);
      inside.push_back(low >= 0 && high < shape[d]);
    }
  }
  return true;
}

std::optional<std::uint32_t> LinearPoints::value(NodeId node, Dim flat) {
  const auto one = values(node, {&flat, 1});
  if (!one) return std::nullopt;
  return one->front();
}

std::optional<std::vector<std::uint32_t>> LinearPoints::values(NodeId node,
                                                               std::span<const Dim> flat) {
  if (is_over()) return std::nullopt;
  const Residues value =
      elements(node.index(), {flat.size()}, unflattened(codes_[node.index()].shape, flat));
  if (is_over()) return std::nullopt;
  if (value->is_scalar()) return std::vector(flat.size(), value->values.front());
  return value->values;
}

Residues LinearPoints::elements(std::size_t node, const LoopExtents& extents,
                                std::vector<Indices> index) {
  Code& code = codes_[node];
  if (code.leaf || code.sums) {
    const Column<Dim> flat = flattened(code.shape, index, extents);
    Column<std::uint32_t> out{flat.loops, std::vector<std::uint32_t>(flat.values.size())};
    if (code.leaf) {
      code.leaf.read(flat.values, out.values);
    } else {
      sums(code, flat.values, out.values);
    }
    return shared(std::move(out));
  }
  Residues total;
  for (const Term& term : code.terms) {
    LiveNest nest(extents, index, extents.size());
    if (!read_factors(code, term, nest)) continue;
    Residues value = shared(Column<std::uint32_t>{0, {term.scale}});
    for (const Residues& factor : nest.values) value = product(nest.extents(), value, factor);
    value = nest.spread(value);
    total = !total ? value
                   : shared(combine<std::uint32_t>(extents, *total, *value, [&](auto a, auto b) {
                       return field_.add(a, b);
                     }));
  }
  return total ? total : shared(Column<std::uint32_t>{0, {0}});
}

void LinearPoints::sums(Code& code, std::span<const Dim> positions, std::span<std::uint32_t> out) {
  std::fill(out.begin(), out.end(), 0);
  if (is_over()) return;  // the answer is given up
  const std::size_t known = code.memo.size();
  std::vector<std::uint32_t> numbers;
  numbers.reserve(positions.size());
  for (const Dim position : positions) numbers.push_back(code.memo.number(position));
  const std::size_t fresh = code.memo.size() - known;
  steps_ = std::min(steps_ + capped_product(fresh, code.products), kVeryMany);
  if (is_over()) return;
  if (fresh > 0) {
    for (const Term& term : code.terms)
      add_sums(code, term, code.memo.positions().subspan(known), code.memo.values().subspan(known));
  }
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = code.memo.values()[numbers[i]];
}

void LinearPoints::add_sums(const Code& code, const Term& term, std::span<const Dim> positions,
                            std::span<std::uint32_t> totals) {
  const Shape& reduce = term.term->reduce;
  if (is_empty(reduce)) return;
  LoopExtents whole = {positions.size()};
  for (const Dim extent : reduce) whole.push_back(static_cast<std::size_t>(extent));
  const LoopExtents block = block_of(whole);
  LoopExtents first(whole.size(), 0);
  LoopExtents extents(whole.size());
  for (;;) {
    for (std::size_t l = 0; l < whole.size(); ++l)
      extents[l] = std::min(block[l], whole[l] - first[l]);
    std::vector<Indices> axes = unflattened(code.shape, positions.subspan(first[0], extents[0]));
    for (std::size_t l = 1; l < whole.size(); ++l)
      axes.push_back(counting(extents, l, static_cast<Dim>(first[l])));
    LiveNest nest(extents, std::move(axes), 1);
    if (read_factors(code, term, nest)) add_rows(nest, term, totals.subspan(first[0], extents[0]));
    if (is_over()) return;
    std::size_t l = whole.size();
    for (; l > 0; --l) {
      first[l - 1] += block[l - 1];
      if (first[l - 1] < whole[l - 1]) break;
      first[l - 1] = 0;
    }
    if (l == 0) return;
  }
}

void LinearPoints::add_rows(const LiveNest& nest, const Term& term,
                            std::span<std::uint32_t> totals) const {
  const LoopExtents& extents = nest.extents();
  Residues a = shared(Column<std::uint32_t>{0, {1}});
  Residues b = a;
  for (const Residues& value : nest.values) {
    a = product(extents, a, b);
    b = value;
  }
  std::uint32_t scale = term.scale;
  for (std::size_t l = 1; l < extents.size(); ++l) {
    if (((a->loops | b->loops) & loop_set(l)) == 0)
      scale = field_.mul(scale, field_.residue(extents[l]));
  }
  const PairWalk walk(extents, a->loops & ~loop_set(0), b->loops & ~loop_set(0));
  const auto row_stride = [&](const Residues& column) {
    return (column->loops & loop_set(0)) != 0 ? column->values.size() / extents[0] : 0;
  };
  const std::size_t stride_a = row_stride(a);
  const std::size_t stride_b = row_stride(b);
  for (std::size_t i = 0; i < extents[0]; ++i) {
    const std::uint32_t* row_a = a->values.data() + i * stride_a;
    const std::uint32_t* row_b = b->values.data() + i * stride_b;
    std::uint64_t sum = 0;  // of residues
    walk.for_each_run([&](std::size_t j, std::size_t k) {
      const std::uint32_t* x = row_a + j;
      const std::uint32_t* y = row_b + k;
      if (walk.step_a() == 0) {
        sum += field_.mul(*x, sum_of(y, walk.step_b(), walk.run(), field_));
      } else if (walk.step_b() == 0) {
        sum += field_.mul(*y, sum_of(x, 1, walk.run(), field_));
      } else {
        sum += dot_product(x, y, walk.run(), field_);
      }
    });
    std::uint32_t value = field_.reduce(sum);
    if (scale != 1) value = field_.mul(scale, value);
    std::uint32_t& total = totals[nest.row(i)];
    total = field_.add(total, value);
  }
}

bool LinearPoints::read_factors(const Code& code, const Term& term, LiveNest& nest) {
  for (const Guard* guard : term.guards) {
    const Indices value = value_of(guard->expr, nest.axes, nest.extents());
    if (!nest.keep_where(*value, [&](Dim x) { return guard->holds_for(x); })) return false;
  }
  for (std::size_t t = 0; t < term.tables.size(); ++t) {
    const auto& table = term.tables[t];
    const auto axis = static_cast<std::size_t>(term.term->coef.tables[t].axis);
    nest.values.push_back(shared(mapped<std::uint32_t>(
        *nest.axes[axis], [&](Dim x) { return table[static_cast<std::size_t>(x)]; })));
  }
  const auto& factors = term.term->factors;
  for (std::size_t number = 0; number < factors.size(); ++number) {
    if (!read_factor(code, term, number, nest)) return false;
    const auto later = factors.begin() + static_cast<std::ptrdiff_t>(number) + 1;
    const bool counts = std::any_of(later, factors.end(), [&](const Access& access) {
      return codes_[code.operands[static_cast<std::size_t>(access.operand)].index()].counts;
    });
    if (counts && !keep_nonzero(term, nest)) return false;
  }
  return true;
}

bool LinearPoints::read_factor(const Code& code, const Term& term, std::size_t number,
                               LiveNest& nest) {
  const Access& factor = term.term->factors[number];
  const std::size_t source = code.operands[static_cast<std::size_t>(factor.operand)].index();
  const Shape& shape = codes_[source].shape;
  for (const IndexExpr& index : factor.index)
    nest.index.push_back(value_of(index, nest.axes, nest.extents()));
  if (number + 1 == term.term->factors.size()) nest.axes.clear();  // no need to keep them up
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (term.inside[number][d]) continue;
    const auto extent = static_cast<std::uint64_t>(shape[d]);
    const Indices index = nest.index[d];
    if (!nest.keep_where(*index, [=](Dim x) { return static_cast<std::uint64_t>(x) < extent; }))
      return false;
  }
  nest.values.push_back(elements(source, nest.extents(), std::exchange(nest.index, {})));
  return true;
}

bool LinearPoints::keep_nonzero(const Term& term, LiveNest& nest) const {
  if (term.scale == 0) return false;
  for (std::size_t i = 0; i < nest.values.size(); ++i) {
    const Residues value = nest.values[i];
    if (!nest.keep_where(*value, [](std::uint32_t x) { return x != 0; })) return false;
  }
  return true;
}

Residues LinearPoints::product(const LoopExtents& extents, const Residues& a,
                               const Residues& b) const {
  if (a->is_scalar() && a->values.front() == 1) return b;
  if (b->is_scalar() && b->values.front() == 1) return a;
  return shared(
      combine<std::uint32_t>(extents, *a, *b, [&](auto x, auto y) { return field_.mul(x, y); }));
}

}  // namespace pet
