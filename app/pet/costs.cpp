#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/common/machine.h"
#include "app/common/progress.h"
#include "app/common/shape_flags.h"
#include "app/common/target.h"
#include "app/pet/commands.h"
#include "app/pet/operator_measuring.h"
#include "app/pet/stopping.h"
#include "core/backend/time_alone.h"
#include "core/util/median.h"
#include "core/util/printable.h"

namespace pet::app {
namespace {

struct CostsOptions {
  std::string file;
  TargetFlags target;
  ShapeFlags shapes;
  int threads = 0;
  std::string cache;
  std::string format = "text";
  bool only_estimates = false;
};

// Operators of the file that are alike, and what one of them costs.
struct Row {
  PricedOperator what;
  std::size_t number = 0;
  double estimated_ms = 0;
  MeasuredCosts::Answer answer = {};

  double all_ms() const { return static_cast<double>(number) * answer.ms; }
};

struct Costs {
  std::vector<Row> rows;           // the dearest first
  std::optional<double> whole_ms;  // of the file; nothing: it was not run

  double sum_ms() const {
    double out = 0;
    for (const Row& row : rows) out += row.all_ms();
    return out;
  }
};

std::vector<Row> rows_of(const Graph& graph) {
  const auto depends = graph.depends_on_inputs();
  const auto needed = graph.needed_by_outputs();
  const bool own_layout = has_own_layout(graph);
  std::map<Digest, std::size_t> places;
  std::vector<Row> out;
  for (const NodeId id : graph.ids()) {
    if (graph.node(id).op() == nullptr || needed[id.index()] == 0 || depends[id.index()] == 0)
      continue;
    PricedOperator what = priced(graph, id, depends);
    what.among_own_layout = own_layout;
    const auto [at, is_new] = places.emplace(digest_of(what), out.size());
    if (is_new) out.push_back({std::move(what)});
    ++out[at->second].number;
  }
  return out;
}

// Estimates alone are given without a runtime.
Result<Costs> costs_of(const Model& model, const CostsOptions& options, const Stopping& stopping) {
  EstimatedCosts estimates;
  Costs out{rows_of(model.graph), {}};
  const int threads = options.threads > 0 ? options.threads : static_cast<int>(all_threads());
  MeasuredCosts::Options measuring;
  std::optional<Target> target;
  const Progress progress;
  if (!options.only_estimates) {
    auto started = start_target(options.target, stopping.search());
    if (!started) return std::move(started).error();
    target = *std::move(started);
    const LoadOptions load{.threads = threads, .dimensions = model.dimensions};
    measuring = operator_measuring(model, target->backend->info(), target->command, load,
                                   options.cache, stopping.search());
    constexpr double kSeconds = 3;
    const auto whole =
        time_alone(*target->backend, model.path, load, kSeconds, 1, stopping.search());
    if (!whole) return whole.error();
    out.whole_ms = median(*whole);
  }
  MeasuredCosts costs(target ? target->backend.get() : nullptr, estimates, measuring);
  for (std::size_t i = 0; i < out.rows.size(); ++i) {
    progress.show(fmt::format("measuring operators, {} of {}", i + 1, out.rows.size()));
    out.rows[i].estimated_ms = estimates.ms(out.rows[i].what);
    out.rows[i].answer = costs.answer(out.rows[i].what);
    if (stopping.search().stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  }
  progress.clear();
  std::ranges::stable_sort(out.rows, std::ranges::greater(), &Row::all_ms);
  return out;
}

void tell(const Costs& costs) {
  fmt::print("{:>10} {:>6} {:>10} {:>10}  {:<11} operator\n", "ms in all", "times", "ms",
             "estimate", "how");
  for (const Row& row : costs.rows)
    fmt::print("{:>10.4f} {:>6} {:>10.4f} {:>10.4f}  {:<11} {}\n", row.all_ms(), row.number,
               row.answer.ms, row.estimated_ms, to_string(row.answer.from),
               printable(to_string(row.what)));
  fmt::print("sum {:.3f} ms", costs.sum_ms());
  if (costs.whole_ms)
    fmt::print(", the whole file {:.3f} ms: {:.2f} of it", *costs.whole_ms,
               costs.sum_ms() / *costs.whole_ms);
  fmt::print("\n");
}

void tell_as_json(const Costs& costs) {
  nlohmann::ordered_json out = {{"operators", nlohmann::ordered_json::array()},
                                {"sum_ms", costs.sum_ms()}};
  if (costs.whole_ms) out["whole_ms"] = *costs.whole_ms;
  for (const Row& row : costs.rows)
    out["operators"].push_back({{"operator", to_string(row.what)},
                                {"number", row.number},
                                {"ms", row.answer.ms},
                                {"estimated_ms", row.estimated_ms},
                                {"from", to_string(row.answer.from)}});
  fmt::print("{}\n", out.dump());
}

int costs(const CostsOptions& options) {
  const auto model = read_at_shapes(options.file, options.shapes);
  if (!model) return fail(model.error());
  const Stopping stopping;
  const auto found = costs_of(*model, options, stopping);
  if (!found) return fail(found.error());
  options.format == "json" ? tell_as_json(*found) : tell(*found);
  return kDone;
}

}  // namespace

Command add_costs(CLI::App& parent) {
  auto* command = parent.add_subcommand(
      "costs", "what each operator of a file costs, and how far the sum is from the whole file");
  auto options = std::make_shared<CostsOptions>();
  command->add_option("file", options->file, "an ONNX file")->required();
  add_target_options(*command, options->target);
  add_shape_flags(*command, options->shapes);
  command->add_option("--threads", options->threads, "of the runtime; all by default")
      ->check(CLI::Range(std::size_t{0}, all_threads()));
  command->add_flag("--estimates", options->only_estimates, "measure nothing");
  command->add_option(
      "--cache", options->cache,
      "a file that remembers costs, or off; by default one in the user's cache folder");
  command->add_option("--format", options->format, "of what is printed")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  return [options] { return costs(*options); };
}

}  // namespace pet::app
