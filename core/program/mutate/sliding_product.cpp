#include "core/program/mutate/sliding_product.h"

#include <algorithm>

#include "core/ops/ops.h"
#include "core/program/views.h"

namespace pet {
namespace {

constexpr std::size_t kBatchAxis = 0;
constexpr std::size_t kChannelAxis = 1;
constexpr std::size_t kFirstSlidingAxis = 2;

int axis_number(std::size_t i) { return static_cast<int>(i); }

bool is_exactly(const IndexExpr& e, std::size_t axis) { return e == v(axis); }

bool depends_on_nothing_but(const IndexExpr& e, int first, int second) {
  const auto axes = e.axes();
  return e.is_separable() &&
         std::all_of(axes.begin(), axes.end(), [&](int a) { return a == first || a == second; });
}

Dim along(const IndexExpr& e, int axis, Dim at) {
  return e.depends_on(axis) ? e.value_along(axis, at) : 0;
}

// The factor by which e grows along an axis; nothing where it does not grow evenly.
std::optional<Dim> slope(const IndexExpr& e, int axis, Dim extent) {
  const Dim step = along(e, axis, 1) - along(e, axis, 0);
  for (Dim i = 0; i < extent; ++i) {
    if (along(e, axis, i) != i * step) return std::nullopt;
  }
  return step;
}

class Reader {
 public:
  Reader(const IndexedSum& sum, const Term& term, std::span<const Shape> operands)
      : sum_(sum), term_(term), operands_(operands) {}

  std::optional<SlidingOperator> read(const Access& data, const Access& weight) {
    const std::size_t rank = sum_.out.size();
    if (data.operand == weight.operand || rank < kFirstSlidingAxis || !known(data) ||
        !known(weight) || data.index.size() != rank || weight.index.size() != rank ||
        term_.reduce.size() != rank - 1)
      return std::nullopt;
    const Shape& shape = operands_[static_cast<std::size_t>(data.operand)];
    if (!is_exactly(data.index[kBatchAxis], kBatchAxis) || shape[kBatchAxis] != sum_.out[0] ||
        !is_exactly(weight.index[0], kChannelAxis))
      return std::nullopt;
    SlidingOperator out;
    out.data = static_cast<std::size_t>(data.operand);
    out.weight = static_cast<std::size_t>(weight.operand);
    out.product.batch = sum_.out[kBatchAxis];
    out.product.in_channels = shape[kChannelAxis];
    out.product.out_channels = sum_.out[kChannelAxis];
    std::vector<std::size_t> taps;  // the reduced axis that each axis of the weight is
    for (std::size_t i = 1; i < rank; ++i) {
      const auto axis = reduced_axis(weight.index[i], weight, i);
      if (!axis || std::find(taps.begin(), taps.end(), *axis) != taps.end()) return std::nullopt;
      taps.push_back(*axis);
    }
    if (!read_groups(data.index[kChannelAxis], taps[0], out.product)) return std::nullopt;
    for (std::size_t i = kFirstSlidingAxis; i < rank; ++i) {
      auto axis = sliding(data.index[i], i, taps[i - 1], shape[i]);
      if (!axis) return std::nullopt;
      out.product.axes.push_back(*axis);
    }
    return out;
  }

 private:
  bool known(const Access& access) const {
    return static_cast<std::size_t>(access.operand) < operands_.size();
  }
  Dim extent(std::size_t axis) const {
    return axis < sum_.out.size() ? sum_.out[axis] : term_.reduce[axis - sum_.out.size()];
  }

  std::optional<std::size_t> reduced_axis(const IndexExpr& e, const Access& weight,
                                          std::size_t position) const {
    const auto axes = e.axes();
    if (axes.size() != 1 || axes[0] < axis_number(sum_.out.size())) return std::nullopt;
    const auto axis = static_cast<std::size_t>(axes[0]);
    const Shape& shape = operands_[static_cast<std::size_t>(weight.operand)];
    if (!is_exactly(e, axis) || extent(axis) != shape[position]) return std::nullopt;
    return axis;
  }

  bool read_groups(const IndexExpr& e, std::size_t channel, SlidingProduct& out) const {
    const int from = axis_number(channel);
    const int to = axis_number(kChannelAxis);
    const Dim inner = extent(channel);
    if (!depends_on_nothing_but(e, from, to) || e.constant() != 0 || inner == 0 ||
        out.in_channels % inner != 0 || slope(e, from, inner) != 1)
      return false;
    out.groups = out.in_channels / inner;
    if (out.groups == 0 || out.out_channels % out.groups != 0) return false;
    const Dim each = out.out_channels / out.groups;
    for (Dim f = 0; f < out.out_channels; ++f) {
      if (along(e, to, f) != f / each * inner) return false;
    }
    return true;
  }

  std::optional<Correlation> sliding(const IndexExpr& e, std::size_t output, std::size_t tap,
                                     Dim input) const {
    if (!depends_on_nothing_but(e, axis_number(output), axis_number(tap))) return std::nullopt;
    Correlation axis;
    axis.input = input;
    axis.output = extent(output);
    axis.taps = extent(tap);
    // Along an axis of one position there is no telling how far a step would go.
    const auto stride = axis.output > 1 ? slope(e, axis_number(output), axis.output) : Dim{1};
    const auto dilation = axis.taps > 1 ? slope(e, axis_number(tap), axis.taps) : Dim{1};
    axis.pad = -e.constant();
    if (!stride || !dilation || *stride < 1 || *dilation < 1 || axis.pad < 0 || axis.taps < 1 ||
        axis.input < 1 || axis.output < 1)
      return std::nullopt;
    axis.stride = *stride;
    axis.dilation = *dilation;
    return axis;
  }

  const IndexedSum& sum_;
  const Term& term_;
  std::span<const Shape> operands_;
};

// The operand that a term adds to every position of its channel.
std::optional<std::size_t> read_bias(const Term& term) {
  if (!term.reduce.empty() || !term.guards.empty() || term.factors.size() != 1 ||
      term.coef.scale != 1 || !term.coef.tables.empty())
    return std::nullopt;
  const Access& read = term.factors[0];
  if (read.index.size() != 1 || !is_exactly(read.index[0], kChannelAxis)) return std::nullopt;
  return static_cast<std::size_t>(read.operand);
}

// Without sliding axes it is a matrix product.
Result<NodeId> emit_product(GraphBuilder& b, const Convolution& c) {
  auto weight = c.weight.build(b, c.product.weight_shape());
  if (!weight) return weight;
  auto turned = views::transpose(b, *weight, {1, 0});
  if (!turned) return turned;
  auto y = b.add(ops::mat_mul(), {}, {c.data, *turned});
  if (!y || !c.bias) return y;
  return add_bias(b, *y, *c.bias, kChannelAxis);
}

}  // namespace

Shape SlidingProduct::data_shape() const {
  Shape out = {batch, in_channels};
  for (const auto& axis : axes) out.push_back(axis.input);
  return out;
}

Shape SlidingProduct::weight_shape() const {
  Shape out = {out_channels, in_channels / groups};
  for (const auto& axis : axes) out.push_back(axis.taps);
  return out;
}

Shape SlidingProduct::result_shape() const {
  Shape out = {batch, out_channels};
  for (const auto& axis : axes) out.push_back(axis.output);
  return out;
}

double SlidingProduct::multiplications() const {
  double out =
      static_cast<double>(batch * out_channels) * static_cast<double>(in_channels / groups);
  for (const auto& axis : axes) out *= static_cast<double>(axis.output * axis.taps);
  return out;
}

TapWeights TapWeights::plain(NodeId node, std::size_t axes) {
  TapWeights out{node, {}, {}};
  for (std::size_t i = 0; i < axes; ++i) out.axes.emplace_back(kFirstSlidingAxis + i);
  return out;
}

Result<NodeId> TapWeights::build(GraphBuilder& b, const Shape& shape) const {
  auto points = combined_taps(b, node, combined);
  if (!points) return points;
  return views::reshape(b, *points, shape);
}

std::optional<SlidingOperator> read_sliding_operator(const Op& op,
                                                     std::span<const Shape> operands) {
  if (op.def->lower == nullptr) return std::nullopt;
  const auto meaning = op.def->lower(op, operands);
  if (!meaning || !meaning->applications.empty()) return std::nullopt;
  const auto& terms = meaning->sum.terms;
  if (terms.empty() || terms.size() > 2) return std::nullopt;
  const Term& products = terms[0];
  if (products.factors.size() != 2 || !products.guards.empty() || products.coef.scale != 1 ||
      !products.coef.tables.empty())
    return std::nullopt;
  Reader reader(meaning->sum, products, operands);
  auto out = reader.read(products.factors[0], products.factors[1]);
  if (!out) out = reader.read(products.factors[1], products.factors[0]);
  if (!out || terms.size() == 1) return out;
  out->bias = read_bias(terms[1]);
  return out->bias ? out : std::nullopt;
}

Result<NodeId> emit(GraphBuilder& b, const Convolution& c) {
  const SlidingProduct& p = c.product;
  if (p.axes.empty() && p.groups == 1) return emit_product(b, c);
  if (p.axes.empty()) {
    Convolution with_axis = c;
    with_axis.product.axes.emplace_back();
    auto x = views::reshape(b, c.data, with_axis.product.data_shape());
    if (!x) return x;
    with_axis.data = *x;
    with_axis.weight.axes.emplace_back();
    auto y = emit(b, with_axis);
    if (!y) return y;
    return views::reshape(b, *y, p.result_shape());
  }
  Ints strides;
  Ints dilations;
  Ints pads;
  for (const auto& axis : p.axes) {
    strides.push_back(axis.stride);
    dilations.push_back(axis.dilation);
    pads.push_back(axis.pad);
  }
  for (const auto& axis : p.axes) pads.push_back(std::max<Dim>(0, axis.zeros_behind()));
  auto weight = c.weight.build(b, p.weight_shape());
  if (!weight) return weight;
  std::vector<NodeId> operands = {c.data, *weight};
  if (c.bias) operands.push_back(*c.bias);
  return b.add(ops::conv(),
               Attrs{{"group", p.groups},
                     {"strides", std::move(strides)},
                     {"dilations", std::move(dilations)},
                     {"pads", std::move(pads)}},
               std::move(operands));
}

Result<NodeId> add_bias(GraphBuilder& b, NodeId y, NodeId bias, std::size_t axis) {
  Shape spread(b.type(y).shape->size() - axis, 1);
  spread[0] = (*b.type(bias).shape)[0];
  auto shaped = views::reshape(b, bias, spread);
  if (!shaped) return shaped;
  return b.add(ops::add(), {}, {y, *shaped});
}

}  // namespace pet
