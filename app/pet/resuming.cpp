#include "app/pet/resuming.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/common/command_line.h"
#include "app/common/machine.h"
#include "core/util/printable.h"

namespace pet::app {
namespace {

Error not_the_same(const JournalHeader& header, const Model& model) {
  return {fmt::format("the journal is of another model: {} (digest {}), not of {} ({})",
                      printable(header.model), printable(header.digest.substr(0, 16)),
                      printable(model.path.string()), model.digest.hex().substr(0, 16)),
          ErrorKind::Usage};
}

}  // namespace

SearchConfig config_of(const OptimizeOptions& options, std::size_t max_steps) {
  SearchConfig config;
  config.seed = options.seed;
  config.threads = all_threads();
  config.max_steps = max_steps;
  config.rounds = options.rounds;
  config.heap = options.heap;
  config.only = options.only;
  if (options.only == Only::Partial) config.worth_measuring = kWorthMeasuringInPart;
  config.exclude = options.exclude;
  config.generator.depth = options.depth;
  config.split.max_operators = options.depth;  // PET, Algorithm 2: both are its d
  return config;
}

static Result<double> solver_seconds(const OptimizeOptions& options) {
  constexpr double kMostByDefault = 60;
  auto asked = parse_seconds(options.ilp_budget.empty() ? options.budget : options.ilp_budget);
  if (!asked) return std::move(asked).error().within("--ilp-budget");
  return options.ilp_budget.empty() ? std::min(*asked / 2, kMostByDefault) : *asked;
}

Result<AnySearchConfig> config_of(const OptimizeOptions& options, std::vector<UsedRules> rules) {
  const auto common = [&](auto config) {
    config.seed = options.seed;
    config.threads = all_threads();
    config.rules = rules;
    config.blocks = options.blocks == "on";
    config.measured_costs = options.costs == "measured";
    return config;
  };
  if (options.search == name_of(TasoConfig{})) {
    auto config = common(TasoConfig{});
    config.alpha = options.alpha;
    config.states = options.states;
    return AnySearchConfig(std::move(config));
  }
  const auto seconds = solver_seconds(options);
  if (!seconds) return seconds.error();
  const auto in_egraph = [&](auto config) {
    const std::size_t nodes = options.nodes.value_or(config.limits.nodes);
    config.limits = options.saturation;
    config.limits.nodes = nodes;
    config.extract = options.extract;
    config.ilp_seconds = *seconds;
    return config;
  };
  if (options.search == name_of(EqsatConfig{}))
    return AnySearchConfig(in_egraph(common(EqsatConfig{})));
  auto config = in_egraph(common(MctsConfig{}));
  config.tree = options.tree;
  config.main_extract = options.main_extract;
  return AnySearchConfig(std::move(config));
}

JournalHeader header_of(const OptimizeOptions& options, const AnySearchConfig& config,
                        const Model& model, const BackendInfo& runtime, int threads,
                        double budget_s) {
  return {.tool = PET_VERSION,
          .model = options.in,
          .digest = model.digest.hex(),
          .dimensions = model.dimensions,
          .target = options.target.name,
          .runtime = runtime.name,
          .version = runtime.version,
          .device = runtime.device,
          .threads = threads,
          .budget_s = budget_s,
          .config = config,
          .proof_budget = options.proof_budget,
          .max_rel_error = options.max_rel_error,
          .max_growth = options.max_growth,
          .input_data = options.input_data};
}

OptimizeOptions options_of(const JournalHeader& header, OptimizeOptions asked, bool budget_given) {
  asked.journal = asked.resume;
  asked.shapes = {};
  for (const auto& [name, size] : header.dimensions)
    asked.shapes.shapes.push_back(fmt::format("{}={}", name, size));
  asked.target.name = header.target;
  asked.threads = header.threads;
  if (!budget_given) asked.budget = fmt::format("{}", header.budget_s);
  asked.seed = seed_of(header.config);
  asked.search = name_of(header.config);
  asked.proof_budget = header.proof_budget;
  asked.max_rel_error = header.max_rel_error;
  asked.max_growth = header.max_growth;
  asked.input_data = header.input_data;
  return asked;
}

Status check_resumable(const JournalContent& journal, const Model& model,
                       const BackendInfo& runtime) {
  if (auto current = check_current(journal); !current) return current;
  const JournalHeader& header = journal.header;
  if (header.digest != model.digest.hex()) return not_the_same(header, model);
  const auto differs = [](const std::string& what, const std::string& before,
                          const std::string& now) {
    return Error{
        fmt::format("the journal cannot be gone on with: it was written with {} {}, not {}", what,
                    printable(before), printable(now)),
        ErrorKind::Usage};
  };
  const std::string before = header.runtime + " " + header.version;
  const std::string now = runtime.name + " " + runtime.version;
  if (header.tool != PET_VERSION) return differs("pet", header.tool, PET_VERSION);
  if (before != now) return differs("the runtime", before, now);
  if (header.device != runtime.device) return differs("the device", header.device, runtime.device);
  return Done{};
}

Result<Model> model_of(const JournalHeader& header, const std::string& path) {
  auto model = read_model(path, {.dimensions = header.dimensions});
  if (model && model->digest.hex() != header.digest) return not_the_same(header, *model);
  return model;
}

}  // namespace pet::app
