#include "core/rewrite/draw.h"

#include <algorithm>

#include "core/rewrite/planned.h"

namespace pet::rules {
namespace {

// Of all values of both programs: many axes make huge tensors of small sizes.
constexpr double kMostElements = 0x1p20;

// `merged`: so many groups become one somewhere, as far as is known.
Result<Planned> planned(const Rule& rule, Rng& rng, const Wish& wish,
                        std::span<const Dim> merged = {}) {
  Draft draft{{}, &rng, wish.groups, merged, {}, {}};
  std::map<std::string, Value> inputs;
  std::vector<Size> sizes;
  for (const RuleInput& input : rule.inputs) {
    Value& value = inputs[input.name];
    value.input = input.name;
    for (std::size_t axis = 0; axis < input.rank; ++axis) {
      value.shape.push_back(draft.sizes.unknown(1, kLargestSize));
      if (wish.given) draft.sizes.equal(value.shape[axis], rule.given_shapes.at(input.name)[axis]);
    }
    sizes.insert(sizes.end(), value.shape.begin(), value.shape.end());
  }
  for (const SizeFact& fact : wish.facts)
    draft.sizes.equal(sizes[fact.size], fact.same_as ? sizes[*fact.same_as] : Size(fact.number));
  return planned(rule, std::move(draft), std::move(inputs));
}

void raise(std::vector<Dim>& largest, const Planned& plan, const std::vector<Dim>& numbers) {
  std::vector<Dim> sizes;
  for (const RuleInput& input : plan.rule.inputs) {
    for (const Size& size : plan.inputs.at(input.name).shape) sizes.push_back(size.at(numbers));
  }
  largest.resize(sizes.size(), 0);
  std::ranges::transform(largest, sizes, largest.begin(),
                         [](Dim a, Dim b) { return std::max(a, b); });
}

// At sizes of its plan that were drawn; nothing where that leads nowhere. `refused`: as drawn.
Result<std::optional<Instance>> instance_of(const Planned& plan, const std::vector<Dim>& numbers,
                                            const Wish& wish, std::vector<Dim>& refused) {
  if (elements_of(plan, numbers) > kMostElements) {
    raise(refused, plan, numbers);
    return std::optional<Instance>{};
  }
  const Rule& rule = plan.rule;
  auto quantities = quantities_of(plan, numbers);
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

Result<Planned> any_plan(const Rule& rule, Rng& rng) { return planned(rule, rng, {}); }

Result<Drawn> draw(const Rule& rule, Rng& rng, const Wish& wish) {
  const auto first = planned(rule, rng, wish);
  if (!first) return first.error();
  const std::vector<Dim> merged(first->draft.merges.begin(), first->draft.merges.end());
  std::optional<Planned> plan;
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

}  // namespace pet::rules
