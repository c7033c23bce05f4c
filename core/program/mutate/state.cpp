#include "core/program/mutate/state.h"

#include <algorithm>

#include "core/analysis/free_axes.h"

namespace pet::mutation {
namespace {

using Numbers = std::vector<Dim>;

void add(Digester& digester, const Numbers& numbers) {
  digester.add(numbers.size());
  for (const Dim number : numbers) digester.add(static_cast<std::uint64_t>(number));
}

// Walks from the digits of the original to those that steps make of them.
class Naming {
 public:
  explicit Naming(std::size_t digits) : names_(digits, -1) {}

  void walk(const DigitDims& dims, const std::vector<Step>& steps) {
    for (const auto& dim : dims) {
      for (const int digit : dim) visit(digit, steps);
    }
    for (const Step& step : steps) {
      if (step.kind == Step::Kind::Repeat) visit(step.to, steps);
    }
  }
  const std::vector<int>& names() const { return names_; }
  const Numbers& record() const { return record_; }

 private:
  void visit(int digit, const std::vector<Step>& steps) {
    if (digit < 0) return;
    int& name = names_[static_cast<std::size_t>(digit)];
    if (name < 0) name = next_++;
    for (const Step& step : steps) {
      if (step.digit != digit || step.kind == Step::Kind::Repeat) continue;
      record_.insert(record_.end(), {Dim{static_cast<int>(step.kind)}, Dim{name}, step.low,
                                     step.high, step.count, step.length, step.stride});
      // The pieces of a product that is taken apart are no digit of the data.
      if (step.kind != Step::Kind::Apart) visit(step.to, steps);
      visit(step.with, steps);
      return;
    }
  }

  std::vector<int> names_;
  Numbers record_;
  int next_ = 0;
};

Naming walked(const State& s) {
  Naming naming(s.extent.size());
  naming.walk(s.data_dims, s.data_steps);
  if (s.part_digit >= 0) naming.walk({{s.part_digit}}, s.data_steps);
  naming.walk(s.weight_dims, s.weight_steps);
  naming.walk(s.result_dims, s.result_steps);
  return naming;
}

// The digits of a tensor, dimension by dimension; makes those that an axis has not got yet.
DigitDims digits_of(const AxisDims& dims, const std::vector<std::vector<int>>& by_axis) {
  DigitDims out;
  for (const auto& axes : dims) {
    out.emplace_back();
    for (const std::size_t axis : axes)
      out.back().insert(out.back().end(), by_axis[axis].begin(), by_axis[axis].end());
  }
  return out;
}

}  // namespace

int State::digit(Dim size) {
  extent.push_back(size);
  return static_cast<int>(extent.size()) - 1;
}

Dim State::total(const std::vector<int>& digits) const {
  Dim product = 1;
  for (const int d : digits) product *= extent[static_cast<std::size_t>(d)];
  return product;
}

std::size_t State::depth() const {
  const bool concat = part_digit >= 0;
  return (views > 0 ? 2 : 0) + windows + sums + 1 + (concat ? 1 : 0) + (sinks.empty() ? 0 : 1);
}

std::vector<int> State::names() const { return walked(*this).names(); }

Digest State::key() const {
  const Naming naming = walked(*this);
  const auto name = [&](int digit) { return Dim{naming.names()[static_cast<std::size_t>(digit)]}; };
  std::vector<Numbers> described;
  for (const OpAxis& axis : axes) {
    const Slide& w = axis.slide;
    Numbers numbers = {
        Dim{static_cast<int>(axis.role)}, w.taps, w.stride, w.dilation, w.before, w.after};
    for (const auto* digits : {&axis.data, &axis.weight, &axis.result}) {
      numbers.push_back(-1);
      for (const int digit : *digits) {
        numbers.push_back(name(digit));
        numbers.push_back(extent[static_cast<std::size_t>(digit)]);
      }
    }
    described.push_back(std::move(numbers));
  }
  std::sort(described.begin(), described.end());
  Digester digester("mutation state");
  digester.add(merged ? static_cast<std::uint64_t>(*merged) + 1 : 0U)
      .add(composition != nullptr ? 1U : 0U);
  // What may follow is part of a node: one that more can follow is no repetition of it.
  add(digester, Numbers{factor, halos ? 1 : 0, last ? 1 : 0, static_cast<Dim>(views),
                        static_cast<Dim>(windows), static_cast<Dim>(moves.size())});
  for (const Part& part : parts)
    digester.add(part.weight.index())
        .add(part.data.index())
        .add(static_cast<std::uint64_t>(part.repeat));
  for (const Numbers& numbers : described) add(digester, numbers);
  add(digester, naming.record());
  return digester.finish();
}

State state_of(const Product& product) {
  State s;
  const std::size_t n = product.axes.size();
  std::vector<std::vector<int>> data(n);
  std::vector<std::vector<int>> weight(n);
  std::vector<std::vector<int>> result(n);
  bool behind = false;
  std::vector<char> inner(n, 0);
  std::vector<std::size_t> dim_of(n, 0);
  for (std::size_t d = 0; d < product.data_dims.size(); ++d) {
    for (const std::size_t a : product.data_dims[d]) {
      behind = behind || product.axes[a].role == AxisRole::Channel;
      inner[a] = behind ? 1 : 0;
      dim_of[a] = d;
    }
  }
  Dim features = 1;
  for (std::size_t i = 0; i < n; ++i) {
    const ProductAxis& axis = product.axes[i];
    const bool slide = axis.role == AxisRole::Slide;
    if (axis.role == AxisRole::Group) {
      data[i] = weight[i] = result[i] = {s.digit(axis.data)};
    } else if (axis.role == AxisRole::Feature) {
      weight[i] = result[i] = {s.digit(axis.result)};
    } else {
      data[i] = {s.digit(axis.data)};
      if (axis.role == AxisRole::Channel || (slide && axis.weight > 1))
        weight[i] = {s.digit(axis.weight)};
      if (axis.role != AxisRole::Channel) result[i] = {s.digit(axis.result)};
    }
    if (axis.role == AxisRole::Feature) {
      features *= axis.result;
      s.feature_digit = weight[i][0];
    }
    if (axis.role == AxisRole::Channel) {
      s.channel_digit = data[i][0];
      s.weight_channel_digit = weight[i][0];
    }
    s.axes.push_back(
        {axis.role, data[i], weight[i], result[i], axis.slide, inner[i] != 0, dim_of[i]});
  }
  s.data_dims = digits_of(product.data_dims, data);
  s.weight_dims = digits_of(product.weight_dims, weight);
  s.result_dims = digits_of(product.result_dims, result);
  s.bias_dims = digits_of(product.bias_dims, result);
  s.parts.push_back({product.data, product.weight, product.bias, features, 1});
  return s;
}

std::optional<State> fixed_state(const Graph& subprogram, NodeId node, std::size_t operand) {
  const auto pairs = free_axes(subprogram, node, operand);
  if (pairs.empty()) return std::nullopt;
  const Shape in = subprogram.operand_shapes(node)[operand];
  const Shape out = *subprogram.node(node).type.shape;
  State s;
  s.fixed = node;
  s.fixed_operand = operand;
  s.parts.push_back({subprogram.node(node).operands[operand], node, std::nullopt, 1, 1});
  s.fixed_data.assign(in.size(), 0);
  s.fixed_result.assign(out.size(), 0);
  std::vector<char> data_done(in.size(), 0);
  std::vector<char> result_done(out.size(), 0);
  for (const AxisPair& pair : pairs) {
    if (data_done[pair.operand] != 0 || result_done[pair.output] != 0) return std::nullopt;
    data_done[pair.operand] = result_done[pair.output] = 1;
    OpAxis axis;
    axis.role = pair.batch ? AxisRole::Batch : AxisRole::Slide;
    axis.data = {s.digit(in[pair.operand])};
    axis.dim = pair.operand;
    axis.result = {s.digit(out[pair.output])};
    axis.slide.stride = pair.step;
    axis.slide.taps = 1 + std::max<Dim>(pair.overhang, 0);  // as far as halos are concerned
    axis.slide.before = pair.overhang;
    s.fixed_data[pair.operand] = s.fixed_result[pair.output] = s.axes.size();
    s.axes.push_back(std::move(axis));
  }
  for (std::size_t d = 0; d < in.size(); ++d) {
    if (data_done[d] != 0) continue;
    s.fixed_data[d] = s.axes.size();
    s.axes.push_back({AxisRole::Channel, {s.digit(in[d])}, {}, {}, {}, false, d});
  }
  for (std::size_t d = 0; d < out.size(); ++d) {
    if (result_done[d] != 0) continue;
    s.fixed_result[d] = s.axes.size();
    s.axes.push_back({AxisRole::Feature, {}, {}, {s.digit(out[d])}, {}, false, 0});
  }
  for (const std::size_t a : s.fixed_data) s.data_dims.push_back(s.axes[a].data);
  for (const std::size_t a : s.fixed_result) s.result_dims.push_back(s.axes[a].result);
  return s;
}

}  // namespace pet::mutation
