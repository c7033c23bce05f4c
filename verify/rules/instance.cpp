#include "verify/rules/instance.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "core/util/printable.h"

namespace pet::rules {
namespace {

// Of all values of both programs: many axes make huge tensors of small sizes.
constexpr double kMostElements = 0x1p20;
constexpr double kMostElementsOfFamily = 0x1p26;  // none of which is computed

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

// Both programs before their sizes are known.
struct Plan {
  const Rule& rule;
  Draft draft;
  std::map<std::string, Value> inputs;
  Results<Value> source;
  Results<Value> target;
  std::size_t of_source = 0;  // so many of the convolutions
};

// What a rule makes itself it makes so that its outputs have equal shapes. Where their extents
// differ otherwise it is wrong.
Status compare_outputs(Plan& plan) {
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

// `merged`: so many groups become one somewhere, as far as is known.
Result<Plan> planned(const Rule& rule, Rng& rng, const Wish& wish,
                     std::span<const Dim> merged = {}) {
  Plan out{rule, {{}, rng, wish.groups, merged, {}, {}}, {}, {}, {}, 0};
  std::vector<Size> sizes;
  for (const RuleInput& input : rule.inputs) {
    Value& value = out.inputs[input.name];
    value.input = input.name;
    for (std::size_t axis = 0; axis < input.rank; ++axis) {
      value.shape.push_back(out.draft.sizes.unknown(1, kLargestSize));
      if (wish.given)
        out.draft.sizes.equal(value.shape[axis], rule.given_shapes.at(input.name)[axis]);
    }
    sizes.insert(sizes.end(), value.shape.begin(), value.shape.end());
  }
  for (const SizeFact& fact : wish.facts)
    out.draft.sizes.equal(sizes[fact.size],
                          fact.same_as ? sizes[*fact.same_as] : Size(fact.number));
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

Result<std::pair<Graph, Graph>> programs(const Plan& plan, const std::vector<Dim>& numbers) {
  auto source = build(plan.rule, plan.rule.source, plan.source, plan.draft, numbers);
  if (!source) return std::move(source).error();
  auto target = build(plan.rule, plan.rule.target, plan.target, plan.draft, numbers);
  if (!target) return std::move(target).error();
  return std::pair(*std::move(source), *std::move(target));
}

// Of all values, before any of them is made.
double elements_of(const Plan& plan, const std::vector<Dim>& numbers) {
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

void raise(std::vector<Dim>& largest, const Plan& plan, const std::vector<Dim>& numbers) {
  std::vector<Dim> sizes;
  for (const RuleInput& input : plan.rule.inputs) {
    for (const Size& size : plan.inputs.at(input.name).shape) sizes.push_back(size.at(numbers));
  }
  largest.resize(sizes.size(), 0);
  std::ranges::transform(largest, sizes, largest.begin(),
                         [](Dim a, Dim b) { return std::max(a, b); });
}

// At sizes of its plan that were drawn; nothing where that leads nowhere. `refused`: as drawn.
Result<std::optional<Instance>> instance_of(const Plan& plan, const std::vector<Dim>& numbers,
                                            const Wish& wish, std::vector<Dim>& refused) {
  if (elements_of(plan, numbers) > kMostElements) {
    raise(refused, plan, numbers);
    return std::optional<Instance>{};
  }
  const Rule& rule = plan.rule;
  auto quantities = quantities_of(rule, plan.inputs, plan.draft, plan.of_source, numbers);
  if (wish.accepts && !wish.accepts(quantities)) return std::optional<Instance>{};
  auto both = programs(plan, numbers);
  if (!both) return std::move(both).error();
  Instance out;
  for (const RuleInput& input : rule.inputs) {
    for (const Size& size : plan.inputs.at(input.name).shape)
      out.shapes[input.name].push_back(size.at(numbers));
  }
  out.quantities = std::move(quantities);
  out.convolutions = plan.draft.convolutions.size();
  out.merged = {plan.draft.merged.begin(), plan.draft.merged.end()};
  std::size_t sizes = 0;
  for (const RuleInput& input : rule.inputs) sizes += input.rank;
  for (const auto& [unknown, period] : plan.draft.periods) {
    if (unknown < sizes) out.periods.emplace(unknown, period);  // those of inputs come first
  }
  out.source = std::move(both->first);
  out.target = std::move(both->second);
  return std::optional(std::move(out));
}

}  // namespace

Result<Drawn> draw(const Rule& rule, Rng& rng, const Wish& wish) {
  const auto first = planned(rule, rng, wish);
  if (!first) return first.error();
  const std::vector<Dim> merged(first->draft.merges.begin(), first->draft.merges.end());
  std::optional<Plan> plan;
  std::optional<Sizes::Solved> equations;
  Drawn out;
  for (int i = 0; i < wish.attempts; ++i) {
    if (wish.stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    // Where nothing is drawn for a plan all plans are the same one.
    if (!plan || plan->draft.drew) {
      auto next = planned(rule, rng, wish, merged);
      if (!next) return std::move(next).error();
      plan.emplace(*std::move(next));
      equations = plan->draft.sizes.solved();
    }
    if (!equations && !plan->draft.drew) break;
    if (!equations) continue;
    const auto numbers = plan->draft.sizes.draw(*equations, rng, wish.is_widened);
    if (!numbers) continue;
    auto found = instance_of(*plan, *numbers, wish, out.refused);
    if (!found) return std::move(found).error();
    out.instance = *std::move(found);
    if (out.instance) break;
  }
  return out;
}

Result<all_sizes::Family> family_of(const Rule& rule) {
  using all_sizes::Affine;
  const auto rng = std::make_shared<Rng>(0);  // a draft holds on to it
  auto plan = planned(rule, *rng, {});
  if (!plan) return std::move(plan).error();
  if (plan->draft.chose) return Error{"more than sizes is chosen for it", ErrorKind::Unsupported};
  const auto solution = plan->draft.sizes.solution();
  if (!solution)
    return Error{"its sizes are no whole multiples of each other", ErrorKind::Unsupported};
  all_sizes::Family out;
  std::map<std::size_t, all_sizes::Var> numbers;
  for (const std::size_t unknown : solution->free) {
    numbers[unknown] = static_cast<all_sizes::Var>(numbers.size());
    out.symbols.push_back(fmt::format("n{}", unknown));
  }
  for (const Size& size : solution->at_least_zero) {
    Affine e(size.constant());
    for (const auto& [unknown, factor] : size.parts()) e += Affine::of(numbers.at(unknown), factor);
    out.at_least_zero.push_back(std::move(e));
  }
  out.at = [rng, plan = std::make_shared<const Plan>(*std::move(plan)),
            solution = *solution](const all_sizes::SizeValues& sizes) {
    std::vector<Dim> free(solution.values.size());
    for (std::size_t i = 0; i < sizes.size(); ++i) free[solution.free[i]] = sizes[i];
    std::vector<Dim> values;
    for (const Size& size : solution.values) values.push_back(size.at(free));
    if (elements_of(*plan, values) > kMostElementsOfFamily)
      return Result<std::pair<Graph, Graph>>(
          Error{"too large at the sizes that it would have to be looked at", ErrorKind::Tool});
    return programs(*plan, values);
  };
  return out;
}

}  // namespace pet::rules
