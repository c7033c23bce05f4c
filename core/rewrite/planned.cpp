#include "core/rewrite/planned.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/util/printable.h"

namespace pet::rules {
namespace {

Result<Results<Value>> values_of(const RuleProgram& program,
                                 const std::map<std::string, Value>& inputs, Draft& draft) {
  Results<Value> out{inputs, {}};
  for (const RuleOp& op : program.ops) {
    const auto known = operator_of(op);
    if (!known) return known.error();
    const auto operands = out.all(op.operands);
    if (!operands) return operands.error();
    auto results = (*known)->results(draft, {op, *operands, {}});
    if (!results) return std::move(results).error();
    out.ops.push_back(*std::move(results));
  }
  return out;
}

Result<Graph> build(const Rule& rule, const RuleProgram& program, const Results<Value>& values,
                    const Draft& draft, const std::vector<Dim>& numbers) {
  GraphBuilder builder;
  Results<NodeId> nodes;
  for (const RuleInput& input : rule.inputs) {
    Shape shape;
    for (const Size& size : values.inputs.at(input.name).shape) shape.push_back(size.at(numbers));
    nodes.inputs[input.name] = builder.add_input(input.name, float_tensor(shape));
  }
  for (const RuleOp& op : program.ops) {
    const auto operands = nodes.all(op.operands);
    if (!operands) return operands.error();
    const auto results =
        (*operator_of(op))
            ->build({builder, numbers, draft},
                    {op, *values.all(op.operands), values.ops[nodes.ops.size()]}, *operands);
    if (!results) return results.error();
    nodes.ops.push_back(*results);
  }
  for (const Reference& output : program.outputs) {
    const auto node = nodes.at(output);
    if (!node) return node.error();
    builder.add_output(*node);
  }
  return std::move(builder).build();
}

std::string name_of(const Value& value, const char* otherwise) {
  return value.input.empty() ? otherwise : value.input;
}

void put_zeros(const std::string& who, const std::vector<Dim>& zeros, std::vector<Quantity>& to) {
  for (std::size_t axis = 0; axis < zeros.size(); ++axis)
    to.push_back({fmt::format("zeros of {} before axis {}", who, axis + 2), zeros[axis], true});
}

// What a rule makes itself it makes so that its outputs have equal shapes. Where their extents
// differ otherwise it is wrong.
Status compare_outputs(Planned& plan) {
  const auto a = plan.source.all(plan.rule.source.outputs);
  if (!a) return a.error();
  const auto b = plan.target.all(plan.rule.target.outputs);
  if (!b) return b.error();
  for (std::size_t i = 0; i < a->size(); ++i) {
    if ((*a)[i].shape.size() != (*b)[i].shape.size())
      return Error{fmt::format("output {} has another rank in the target", i),
                   ErrorKind::Malformed};
    for (std::size_t axis = 0; axis < (*a)[i].shape.size(); ++axis) {
      const Size& x = (*a)[i].shape[axis];
      const Size& y = (*b)[i].shape[axis];
      Sizes& sizes = plan.draft.sizes;
      if (sizes.is_made(x) || sizes.is_made(y)) sizes.equal(x, y);
    }
  }
  return Done{};
}

}  // namespace

Result<Planned> planned(const Rule& rule, Draft draft, std::map<std::string, Value> inputs) {
  Planned out{rule, std::move(draft), std::move(inputs), {}, {}, 0};
  auto source = values_of(rule.source, out.inputs, out.draft);
  if (!source) return std::move(source).error();
  out.source = *std::move(source);
  out.of_source = out.draft.convolutions.size();
  auto target = values_of(rule.target, out.inputs, out.draft);
  if (!target) return std::move(target).error();
  out.target = *std::move(target);
  if (auto done = compare_outputs(out); !done) return std::move(done).error();
  return out;
}

Result<std::pair<Graph, Graph>> programs(const Planned& plan, const std::vector<Dim>& numbers) {
  auto source = build(plan.rule, plan.rule.source, plan.source, plan.draft, numbers);
  if (!source) return std::move(source).error();
  auto target = build(plan.rule, plan.rule.target, plan.target, plan.draft, numbers);
  if (!target) return std::move(target).error();
  return std::pair(*std::move(source), *std::move(target));
}

double elements_of(const Planned& plan, const std::vector<Dim>& numbers) {
  double out = 0;
  const auto include = [&](const Value& value) {
    double elements = 1;
    for (const Size& size : value.shape) elements *= static_cast<double>(size.at(numbers));
    out += elements;
  };
  for (const auto& [name, value] : plan.inputs) include(value);
  for (const auto* program : {&plan.source, &plan.target}) {
    for (const auto& results : program->ops) std::ranges::for_each(results, include);
  }
  return out;
}

std::vector<Quantity> quantities_of(const Planned& plan, const std::vector<Dim>& numbers) {
  const Draft& draft = plan.draft;
  const std::size_t of_source = plan.of_source;
  std::vector<Quantity> out;
  for (std::size_t i = 0; i < draft.convolutions.size(); ++i) {
    const Grouped& convolution = draft.convolutions[i];
    const std::string which =
        fmt::format("conv2d {} of the {}", i < of_source ? i + 1 : i + 1 - of_source,
                    i < of_source ? "source" : "target");
    const bool named = !convolution.data.input.empty() && !convolution.weight.input.empty();
    const std::string groups =
        named ? fmt::format("{}[1] / {}[1]", convolution.data.input, convolution.weight.input)
              : "groups of " + which;
    out.push_back({groups, convolution.groups});
    out.push_back({fmt::format("{}[0] / ({})", name_of(convolution.weight, "weight"), groups),
                   convolution.weight.shape[0].at(numbers) / convolution.groups});
  }
  // What a kernel is enlarged by matters where it meets what the convolution pads.
  for (std::size_t i = 0; i < draft.convolutions.size() && !draft.enlarged.empty(); ++i)
    put_zeros(fmt::format("conv2d {}", i + 1), zeros_before(draft.convolutions[i], numbers), out);
  for (std::size_t i = 0; i < draft.enlarged.size(); ++i)
    put_zeros(fmt::format("enlarge {}", i + 1), zeros_before(draft.enlarged[i], numbers), out);
  for (const RuleInput& input : plan.rule.inputs) {
    const auto& shape = plan.inputs.at(input.name).shape;
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
      out.push_back({fmt::format("{}[{}]", printable(input.name), axis), shape[axis].at(numbers)});
  }
  return out;
}

}  // namespace pet::rules
