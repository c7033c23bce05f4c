// The e-graph of a model, grown by rules, for commands that look at it.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/common/shape_flags.h"
#include "app/pet/stopping.h"
#include "core/egraph/explanation.h"
#include "core/egraph/saturation.h"
#include "core/onnx/model.h"

namespace pet::app {

struct EGraphOptions {
  std::string file;
  ShapeFlags shapes;
  std::vector<std::string> rules = {"taso"};
  egraph::SaturationLimits limits;
};

void add_egraph_flags(CLI::App& command, EGraphOptions& options);

// One round of rules: what each did, and what the e-graph is then.
struct Round {
  std::vector<egraph::RuleApplication> applied;  // those that did something
  std::size_t classes = 0, nodes = 0, banned = 0;
  double best_ms = 0;
};

struct GrownEGraph {
  Model model;
  rules::Rewriter rewriter;
  egraph::Program program;
  std::unique_ptr<OperatorCosts> operator_costs;
  egraph::Costs costs;
  double original_ms = 0;  // by estimate
  egraph::SaturationEnd end = egraph::SaturationEnd::Saturated;
};

// `told`: once a round. An Error: the model or rules cannot be read, or a stop.
Result<GrownEGraph> grow(
    const EGraphOptions& options, const Stopping& stopping,
    const std::function<void(const GrownEGraph&, std::size_t, const Round&)>& told);

}  // namespace pet::app
