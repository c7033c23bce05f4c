#include "verify/rules/rule_family.h"

#include <fmt/format.h>

#include <memory>

#include "core/rewrite/draw.h"

namespace pet::rules {
namespace {

constexpr double kMostElementsOfFamily = 0x1p26;  // none of which is computed

}  // namespace

Result<all_sizes::Family> family_of(const Rule& rule) {
  using all_sizes::Affine;
  const auto rng = std::make_shared<Rng>(0);  // a draft holds on to it
  auto plan = any_plan(rule, *rng);
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
  out.at = [rng, plan = std::make_shared<const Planned>(*std::move(plan)),
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
