#include "core/program/mutate/emit.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/ir/copy.h"
#include "core/ops/ops.h"
#include "core/program/mutate/emit_operands.h"
#include "core/program/views.h"
#include "core/util/check.h"

namespace pet::mutation {
namespace {

// The axes of the product by what they are to the operator, each list in the order of memory.
struct Sorted {
  std::vector<std::size_t> batch;  // those in no slot
  std::vector<std::size_t> group;
  std::vector<std::size_t> channel;
  std::vector<std::size_t> feature;
};

std::vector<std::size_t> in_memory_order(const State& s, std::vector<std::size_t> axes) {
  const std::vector<int> names = s.names();
  std::sort(axes.begin(), axes.end(), [&](std::size_t x, std::size_t y) {
    return names[static_cast<std::size_t>(s.axes[x].data.front())] <
           names[static_cast<std::size_t>(s.axes[y].data.front())];
  });
  return axes;
}

Sorted sorted_axes(const State& s, const Form& form) {
  Sorted out;
  for (std::size_t i = 0; i < s.axes.size(); ++i) {
    const bool in_slot = std::any_of(form.slots.begin(), form.slots.end(),
                                     [&](const std::vector<std::size_t>& slot) {
                                       return std::find(slot.begin(), slot.end(), i) != slot.end();
                                     });
    if (in_slot) continue;
    switch (s.axes[i].role) {
      case AxisRole::Batch:
        out.batch.push_back(i);
        break;
      case AxisRole::Group:
        out.group.push_back(i);
        break;
      case AxisRole::Channel:
        out.channel.push_back(i);
        break;
      case AxisRole::Feature:
        out.feature.push_back(i);
        break;
      case AxisRole::Slide:
        break;  // a form for it has a slot for it
    }
  }
  // An operator that is taken as it is has its own order, and dimensions that were emptied.
  if (!s.fixed) out.batch = in_memory_order(s, std::move(out.batch));
  return out;
}

using Side = std::vector<int> OpAxis::*;

std::vector<int> digits(const State& s, Side side,
                        std::initializer_list<const std::vector<std::size_t>*> lists) {
  std::vector<int> out;
  for (const auto* list : lists) {
    for (const std::size_t axis : *list) {
      const auto& own = s.axes[axis].*side;
      out.insert(out.end(), own.begin(), own.end());
    }
  }
  return out;
}

class Emitter {
 public:
  Emitter(const Graph& subprogram, const State& state, const Form& form)
      : subprogram_(subprogram),
        s_(state),
        form_(form),
        axes_(sorted_axes(state, form)),
        leaves_(subprogram, b_) {}

  Result<Graph> emit() {
    if (auto done = leaves_.make_inputs(); !done) return std::move(done).error();
    lay_out();
    Operands operands(b_, s_, [this](NodeId id) { return leaf(id); });
    auto data = operands.data(data_dims_);
    if (!data) return std::move(data).error();
    std::optional<NodeId> sum;
    for (std::size_t i = 0; i < data->size(); ++i) {
      auto product = apply(operands, (*data)[i], data->size() > 1 ? static_cast<Dim>(i) : -1);
      if (!product) return std::move(product).error();
      if (sum) product = b_.add(ops::add(), {}, {*sum, *product});
      if (!product) return std::move(product).error();
      sum = *product;
    }
    return finish(operands, *sum);
  }

 private:
  // REQUIRES: an input or a constant
  NodeId leaf(NodeId id) {
    const auto made = leaves_.make(id);
    PET_CHECK(made.ok(), "a leaf is copied as it is");
    return leaves_.at(id);
  }

  void lay_out() {
    switch (form_.kind) {
      case Form::Kind::Sliding:
        return lay_out_sliding();
      case Form::Kind::DataTimesWeight:
        return lay_out_data_first();
      case Form::Kind::WeightTimesData:
        return lay_out_weight_first();
      case Form::Kind::AsItIs:
        return lay_out_as_it_is();
    }
  }

  void lay_out_sliding() {
    data_dims_ = {digits(s_, &OpAxis::data, {&axes_.batch}),
                  digits(s_, &OpAxis::data, {&axes_.group, &axes_.channel})};
    weight_dims_ = {digits(s_, &OpAxis::weight, {&axes_.group, &axes_.feature}),
                    digits(s_, &OpAxis::weight, {&axes_.channel})};
    result_dims_ = {digits(s_, &OpAxis::result, {&axes_.batch}),
                    digits(s_, &OpAxis::result, {&axes_.group, &axes_.feature})};
    bias_dims_ = {result_dims_[1]};
    for (const auto& slot : form_.slots) {
      const bool slides = slot.size() == 1 && s_.axes[slot[0]].role == AxisRole::Slide;
      const auto ordered = slides ? slot : in_memory_order(s_, slot);
      data_dims_.push_back(digits(s_, &OpAxis::data, {&ordered}));
      // A weight taken apart has lost the digit of its tap.
      weight_dims_.push_back(slides ? digits(s_, &OpAxis::weight, {&ordered}) : std::vector<int>{});
      result_dims_.push_back(digits(s_, &OpAxis::result, {&ordered}));
    }
  }

  void lay_out_data_first() {
    data_dims_ = {digits(s_, &OpAxis::data, {&axes_.batch}),
                  digits(s_, &OpAxis::data, {&axes_.channel})};
    weight_dims_ = {digits(s_, &OpAxis::weight, {&axes_.channel}),
                    digits(s_, &OpAxis::weight, {&axes_.feature})};
    result_dims_ = {digits(s_, &OpAxis::result, {&axes_.batch}),
                    digits(s_, &OpAxis::result, {&axes_.feature})};
    bias_dims_ = {{}, result_dims_[1]};
    in_groups();
  }

  void lay_out_weight_first() {
    std::vector<std::size_t> before;
    std::vector<std::size_t> behind;
    for (const std::size_t a : axes_.batch) (s_.axes[a].inner ? behind : before).push_back(a);
    data_dims_ = {digits(s_, &OpAxis::data, {&axes_.channel}),
                  digits(s_, &OpAxis::data, {&behind})};
    weight_dims_ = {digits(s_, &OpAxis::weight, {&axes_.feature}),
                    digits(s_, &OpAxis::weight, {&axes_.channel})};
    result_dims_ = {digits(s_, &OpAxis::result, {&axes_.feature}),
                    digits(s_, &OpAxis::result, {&behind})};
    bias_dims_ = {result_dims_[0], {}};
    in_groups();
    if (before.empty()) return;
    data_dims_.insert(data_dims_.begin(), digits(s_, &OpAxis::data, {&before}));
    result_dims_.insert(result_dims_.begin(), digits(s_, &OpAxis::result, {&before}));
  }

  void in_groups() {
    if (axes_.group.empty()) return;
    for (auto [dims, side] : {std::pair{&data_dims_, &OpAxis::data},
                              {&weight_dims_, &OpAxis::weight},
                              {&result_dims_, &OpAxis::result},
                              {&bias_dims_, &OpAxis::result}})
      dims->insert(dims->begin(), digits(s_, side, {&axes_.group}));
  }

  void lay_out_as_it_is() {
    for (const std::size_t a : s_.fixed_data) data_dims_.push_back(s_.axes[a].data);
    for (const std::size_t a : s_.fixed_result) result_dims_.push_back(s_.axes[a].result);
  }

  // `tap`: which part of a weight that is taken apart; < 0: all of it.
  Result<NodeId> apply(Operands& operands, const DigitTensor& data, Dim tap) {
    if (s_.fixed) {
      std::vector<NodeId> all;
      for (const NodeId operand : subprogram_.node(*s_.fixed).operands)
        all.push_back(all.size() == s_.fixed_operand ? data.node() : leaf(operand));
      return b_.add(*subprogram_.node(*s_.fixed).op(), std::move(all));
    }
    auto weight = operands.weight(weight_dims_, tap);
    if (!weight) return weight;
    const bool has_bias = s_.parts[0].bias.has_value() && tap <= 0;
    Result<NodeId> bias = NodeId();
    if (has_bias) bias = operands.bias(bias_dims_);
    if (!bias) return bias;
    if (form_.kind == Form::Kind::Sliding) {
      std::vector<NodeId> all = {data.node(), *weight};
      if (has_bias) all.push_back(*bias);
      return b_.add(ops::conv(), sliding_attrs(), std::move(all));
    }
    const bool data_first = form_.kind == Form::Kind::DataTimesWeight;
    auto product =
        b_.add(ops::mat_mul(), {},
               data_first ? std::vector{data.node(), *weight} : std::vector{*weight, data.node()});
    if (!product || !has_bias) return product;
    return b_.add(ops::add(), {}, {*product, *bias});
  }

  Attrs sliding_attrs() const {
    const std::size_t rank = form_.slots.size();
    Ints strides(rank, 1);
    Ints dilations(rank, 1);
    Ints pads(2 * rank, 0);
    for (std::size_t i = 0; i < rank; ++i) {
      if (form_.slots[i].size() != 1 || s_.axes[form_.slots[i][0]].role != AxisRole::Slide)
        continue;
      const Slide& w = s_.axes[form_.slots[i][0]].slide;
      strides[i] = w.stride;
      dilations[i] = w.dilation;
      pads[i] = w.before;
      pads[rank + i] = w.after;
    }
    Dim groups = 1;
    for (const std::size_t a : axes_.group) groups *= s_.total(s_.axes[a].data);
    Attrs attrs{{"group", groups}, {"pads", pads}};
    if (std::any_of(strides.begin(), strides.end(), [](Dim d) { return d != 1; }))
      attrs.set("strides", strides);
    if (std::any_of(dilations.begin(), dilations.end(), [](Dim d) { return d != 1; }))
      attrs.set("dilations", dilations);
    return attrs;
  }

  Result<Graph> finish(Operands& operands, NodeId product) {
    const Shape& shape = *b_.type(product).shape;
    Shape expected;
    for (const auto& dim : result_dims_) expected.push_back(s_.total(dim));
    if (shape != expected)
      return Error{
          fmt::format("the operator yields {}, not {}", to_string(shape), to_string(expected))};
    auto result = operands.result(product, result_dims_);
    if (!result) return std::move(result).error();
    if (s_.sinks.empty()) {
      b_.add_output(*result);
      return std::move(b_).build();
    }
    std::size_t axis = 0;  // the dimension of the features
    while (axis + 1 < s_.result_dims.size() &&
           std::find(s_.result_dims[axis].begin(), s_.result_dims[axis].end(), s_.feature_digit) ==
               s_.result_dims[axis].end())
      ++axis;
    for (const Sink& sink : s_.sinks) {
      auto part = views::slice(b_, *result, axis, sink.low, sink.count);
      if (!part) return std::move(part).error();
      b_.add_output(*part);
    }
    return std::move(b_).build();
  }

  const Graph& subprogram_;
  const State& s_;
  const Form& form_;
  Sorted axes_;
  GraphBuilder b_;
  GraphCopy leaves_;
  DigitDims data_dims_;
  DigitDims weight_dims_;
  DigitDims result_dims_;
  DigitDims bias_dims_;
};

}  // namespace

Result<Graph> emit(const Graph& subprogram, const State& state, const Form& form) {
  return Emitter(subprogram, state, form).emit();
}

}  // namespace pet::mutation
