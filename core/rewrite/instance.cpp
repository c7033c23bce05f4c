#include "core/rewrite/instance.h"

#include <algorithm>

#include "core/rewrite/planned.h"

namespace pet::rules {
namespace {

// Constants that a rule makes itself: no larger than that, all together.
constexpr double kMostMade = 0x1p22;

// Nothing where something does not fit, or does not follow.
std::optional<std::vector<Dim>> numbers_of(const Sizes& sizes) {
  const auto solution = sizes.solution();
  if (!solution || !solution->free.empty()) return std::nullopt;
  const bool all_hold = std::ranges::all_of(solution->at_least_zero,
                                            [](const Size& size) { return size.constant() >= 0; });
  if (!all_hold) return std::nullopt;
  std::vector<Dim> out;
  for (const Size& size : solution->values) out.push_back(size.constant());
  return out;
}

double elements_made(const RuleProgram& program, const Results<Value>& values,
                     const std::vector<Dim>& numbers) {
  double out = 0;
  for (std::size_t i = 0; i < program.ops.size(); ++i) {
    if (!program.ops[i].operands.empty()) continue;
    double elements = 1;
    for (const Size& size : values.ops[i].front().shape)
      elements *= static_cast<double>(size.at(numbers));
    out += elements;
  }
  return out;
}

}  // namespace

Result<std::optional<Instance>> instance_at(const Rule& rule,
                                            const std::map<std::string, Shape>& shapes) {
  std::map<std::string, Value> inputs;
  for (const RuleInput& input : rule.inputs) {
    Value& value = inputs[input.name];
    value.input = input.name;
    const Shape& shape = shapes.at(input.name);
    if (shape.size() != input.rank || std::ranges::any_of(shape, [](Dim d) { return d < 1; }))
      return std::optional<Instance>{};
    value.shape.assign(shape.begin(), shape.end());
  }
  const auto plan = planned(rule, Draft{}, std::move(inputs));
  if (!plan) return plan.error();
  const auto numbers = numbers_of(plan->draft.sizes);
  if (!numbers || elements_made(rule.source, plan->source, *numbers) +
                          elements_made(rule.target, plan->target, *numbers) >
                      kMostMade)
    return std::optional<Instance>{};
  auto both = programs(*plan, *numbers);
  if (!both) return std::move(both).error();
  Instance out;
  out.shapes = shapes;
  out.quantities = quantities_of(*plan, *numbers);
  out.convolutions = plan->draft.convolutions.size();
  out.source = std::move(both->first);
  out.target = std::move(both->second);
  return std::optional(std::move(out));
}

}  // namespace pet::rules
