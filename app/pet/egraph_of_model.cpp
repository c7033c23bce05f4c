#include "app/pet/egraph_of_model.h"

#include <fmt/format.h>

#include "app/common/commands.h"
#include "app/common/machine.h"
#include "app/common/progress.h"
#include "app/pet/rule_choice.h"
#include "core/egraph/extract/greedy.h"
#include "core/search/eqsat_search.h"
#include "core/search/make_search.h"

namespace pet::app {
namespace {

double best_of(const egraph::Program& program, const egraph::Costs& costs) {
  const auto extraction = egraph::extraction_of(program, costs);
  const auto cost = cost_of_choice(extraction.problem, extract_dag(extraction.problem));
  return cost ? *cost : 0;
}

}  // namespace

void add_egraph_flags(CLI::App& command, EGraphOptions& options) {
  add_shape_flags(command, options.shapes);
  command.add_option("--rules", options.rules, "sets (taso, tensat, own) or files")
      ->delimiter(',')
      ->capture_default_str();
  command.add_option("--nodes", options.limits.nodes, "of the e-graph, at most")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{1}, std::size_t{100'000'000}));
  command.add_option("--iterations", options.limits.iterations, "rounds, at most")
      ->capture_default_str();
  command
      .add_option("--k-multi", options.limits.k_multi,
                  "rounds in which rules of several results are applied")
      ->capture_default_str();
  add_enum_option(command, "--cycles", options.limits.cycles, egraph::kCycleFilters,
                  "when values that would need themselves are broken up");
}

Result<GrownEGraph> grow(
    const EGraphOptions& options, const Stopping& stopping,
    const std::function<void(const GrownEGraph&, std::size_t, const Round&)>& told) {
  auto model = read_at_shapes(options.file, options.shapes);
  if (!model) return std::move(model).error();
  const Progress progress;
  rules::Verifying verifying{.memory = remembered_rules(),
                             .program = this_program(),
                             .threads = all_threads(),
                             .stop = stopping.search()};
  verifying.progress = [&](std::size_t done, std::size_t all) {
    progress.show(fmt::format("verifying rules, {} of {}", done, all));
  };
  const auto normal = normal_form_of(model->graph);
  auto used = choose_rules(options.rules, normal.program, verifying);
  if (!used) return std::move(used).error();
  auto rules = usable_rules(*used);
  if (!rules) return std::move(rules).error();
  auto costs = estimated_costs(all_threads());
  OperatorCosts& asked = *costs;
  GrownEGraph out{*std::move(model), rules::Rewriter(*std::move(rules)),
                  egraph::program_of(normal.program), std::move(costs), egraph::Costs(asked)};
  out.original_ms = best_of(out.program, out.costs);
  egraph::Saturation saturation(out.program, out.rewriter, options.limits);
  Round round;
  while (!saturation.is_over()) {
    if (stopping.asked_once()) return Error{"stopped", ErrorKind::Stopped};
    progress.show(
        fmt::format("round {}, {} nodes", saturation.iteration(), out.program.graph.node_count()));
    saturation.step();
    const auto& applied = saturation.applied();
    if (applied && applied->merged + applied->made > 0) round.applied.push_back(*applied);
    if (!saturation.banned()) continue;
    round.classes = out.program.graph.class_count();
    round.nodes = out.program.graph.node_count();
    round.banned = *saturation.banned();
    round.best_ms = best_of(out.program, out.costs);
    progress.clear();
    told(out, saturation.iteration() - 1, round);
    round = {};
  }
  out.end = *saturation.end();
  return out;
}

}  // namespace pet::app
