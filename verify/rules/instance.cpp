#include "verify/rules/instance.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/util/printable.h"

namespace pet::rules {
namespace {

constexpr Dim kLargestSize = 6;  // of what is drawn; what follows from it may be larger

Result<const RuleOperator*> operator_of(const RuleOp& op) {
  const RuleOperator* it = find_operator(op.name);
  if (it == nullptr)
    return Error{fmt::format("no rule operator is called \"{}\"", printable(op.name)),
                 ErrorKind::Unsupported};
  if (op.operands.size() != it->operands && op.operands.size() != it->or_so)
    return Error{
        fmt::format("{} takes {} operands, not {}", it->name, it->operands, op.operands.size()),
        ErrorKind::Malformed};
  return it;
}

// Results by operator, and what they were made of.
template <class T>
struct Results {
  std::map<std::string, T> inputs;
  std::vector<std::vector<T>> ops;

  Result<T> at(const Reference& reference) const {
    if (!reference.input.empty()) return inputs.at(reference.input);
    const auto& results = ops[reference.op];
    if (reference.output < results.size()) return results[reference.output];
    return Error{"an operator has fewer results than are read of it", ErrorKind::Malformed};
  }
  Result<std::vector<T>> all(const std::vector<Reference>& references) const {
    std::vector<T> out;
    for (const Reference& reference : references) {
      auto one = at(reference);
      if (!one) return std::move(one).error();
      out.push_back(*std::move(one));
    }
    return out;
  }
};

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

std::vector<Quantity> quantities_of(const Rule& rule, const std::map<std::string, Value>& inputs,
                                    const Draft& draft, std::size_t of_source,
                                    const std::vector<Dim>& numbers) {
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
  for (const RuleInput& input : rule.inputs) {
    const auto& shape = inputs.at(input.name).shape;
    for (std::size_t axis = 0; axis < shape.size(); ++axis)
      out.push_back({fmt::format("{}[{}]", printable(input.name), axis), shape[axis].at(numbers)});
  }
  return out;
}

// One draw; nothing where it leads nowhere.
Result<std::optional<Instance>> attempt(const Rule& rule, Rng& rng, const Wish& wish) {
  Draft draft{{}, rng, wish.groups, {}, {}};
  std::map<std::string, Value> inputs;
  for (const RuleInput& input : rule.inputs) {
    Value& value = inputs[input.name];
    value.input = input.name;
    for (std::size_t axis = 0; axis < input.rank; ++axis) {
      value.shape.push_back(draft.sizes.unknown(1, kLargestSize));
      if (wish.given) draft.sizes.equal(value.shape[axis], rule.given_shapes.at(input.name)[axis]);
    }
  }
  const auto source = values_of(rule.source, inputs, draft);
  if (!source) return source.error();
  const std::size_t of_source = draft.convolutions.size();
  const auto target = values_of(rule.target, inputs, draft);
  if (!target) return target.error();
  const auto a = source->all(rule.source.outputs);
  if (!a) return a.error();
  const auto b = target->all(rule.target.outputs);
  if (!b) return b.error();
  for (std::size_t i = 0; i < a->size(); ++i) {
    if ((*a)[i].shape.size() != (*b)[i].shape.size())
      return Error{fmt::format("output {} has another rank in the target", i),
                   ErrorKind::Malformed};
    for (std::size_t axis = 0; axis < (*a)[i].shape.size(); ++axis)
      draft.sizes.equal((*a)[i].shape[axis], (*b)[i].shape[axis]);
  }
  const auto numbers = draft.sizes.draw(rng);
  if (!numbers) return std::optional<Instance>{};
  auto first = build(rule, rule.source, *source, draft, *numbers);
  if (!first) return std::move(first).error();
  auto second = build(rule, rule.target, *target, draft, *numbers);
  if (!second) return std::move(second).error();
  Instance out;
  for (const RuleInput& input : rule.inputs) {
    for (const Size& size : inputs[input.name].shape)
      out.shapes[input.name].push_back(size.at(*numbers));
  }
  out.quantities = quantities_of(rule, inputs, draft, of_source, *numbers);
  out.convolutions = draft.convolutions.size();
  out.source = *std::move(first);
  out.target = *std::move(second);
  return std::optional(std::move(out));
}

}  // namespace

Result<std::optional<Instance>> draw(const Rule& rule, Rng& rng, const Wish& wish) {
  for (int i = 0; i < wish.attempts; ++i) {
    auto found = attempt(rule, rng, wish);
    if (!found || *found) return found;
  }
  return std::optional<Instance>{};
}

}  // namespace pet::rules
