#include <fmt/format.h>

#include <memory>

#include "app/common/json_text.h"
#include "app/common/progress.h"
#include "app/pet/commands.h"
#include "app/pet/stopping.h"
#include "core/backend/highs.h"
#include "core/egraph/extract/extractor.h"
#include "core/egraph/serialize.h"
#include "core/util/plural.h"
#include "core/util/printable.h"

namespace pet::app {
namespace {

using egraph::Extractor;

struct ExtractOptions {
  std::string file;
  std::vector<Extractor> extractors = {Extractor::Tree, Extractor::Ocf, Extractor::OcfUnion,
                                       Extractor::Dag, Extractor::Ilp};
  std::string ilp_budget = "60s";
  std::uint64_t seed = 1;
  std::string format = "text";
};

std::string ending(const egraph::ExtractorAnswer& answer, Extractor extractor) {
  const std::string size = fmt::format("{}, {}", plural(answer.columns, "column"),
                                       plural(answer.rows, "row"));
  if (extractor == Extractor::Ilp && answer.is_optimal) return "the optimum; " + size;
  if (extractor == Extractor::Ilp)
    return fmt::format("no optimum ({}), at least {:.6g}; {}", printable(answer.why),
                       answer.bound.value_or(0), size);
  if (!answer.cost) return fmt::format("no program: {}", printable(answer.why));
  if (answer.estimate) return fmt::format("by its own count {:.6g}", *answer.estimate);
  return {};
}

nlohmann::ordered_json as_json(const egraph::ExtractorAnswer& answer, Extractor extractor) {
  nlohmann::ordered_json out{{"extractor", to_string(extractor)}, {"seconds", answer.seconds}};
  if (answer.cost) out["cost"] = *answer.cost;
  if (answer.estimate) out["estimate"] = *answer.estimate;
  if (answer.bound) out["bound"] = *answer.bound;
  if (extractor == Extractor::Ilp) {
    out["optimal"] = answer.is_optimal;
    out["columns"] = answer.columns;
    out["rows"] = answer.rows;
  }
  if (!answer.why.empty()) out["why"] = answer.why;
  return out;
}

int extract(const ExtractOptions& options) {
  auto budget = parse_seconds(options.ilp_budget);
  if (!budget) return fail(std::move(budget).error().within("--ilp-budget"));
  const auto read = egraph::read_egraph(options.file);
  if (!read) return fail(read.error());
  const bool is_text = options.format == "text";
  if (is_text)
    fmt::print("{}: {}, {}\n", printable(options.file),
               plural(read->problem.classes.size(), "class"),
               plural(read->problem.nodes.size(), "node"));
  const Stopping stopping;
  const Progress progress;
  Highs solver;
  nlohmann::ordered_json report{{"file", options.file},
                                {"classes", read->problem.classes.size()},
                                {"nodes", read->problem.nodes.size()},
                                {"extractors", nlohmann::ordered_json::array()}};
  for (const Extractor extractor : options.extractors) {
    if (stopping.asked_once()) break;
    progress.show(fmt::format("extracting by {}", to_string(extractor)));
    const auto answer = egraph::extract(read->problem, extractor, &solver,
                                        {*budget, options.seed}, stopping.search());
    progress.clear();
    if (is_text)
      fmt::print("  {:<10}{:>12}  {:8.2f} s  {}\n", to_string(extractor),
                 answer.cost ? fmt::format("{:.6g}", *answer.cost) : "-", answer.seconds,
                 ending(answer, extractor));
    report["extractors"].push_back(as_json(answer, extractor));
  }
  if (!is_text) fmt::print("{}", one_line(report));
  return stopping.asked_once() ? kStopped : kDone;
}

Command add_extract(CLI::App& parent) {
  auto* command = parent.add_subcommand(
      "extract", "what each extractor makes of an e-graph that a file holds, side by side");
  auto options = std::make_shared<ExtractOptions>();
  command->add_option("file", options->file, "JSON of egraph-serialize, as the extraction gym has it")
      ->required();
  std::map<std::string, Extractor> names;
  for (std::size_t i = 0; i < egraph::kExtractors; ++i) {
    const auto one = static_cast<Extractor>(i);
    names.emplace(to_string(one), one);
  }
  command
      ->add_option_function<std::vector<std::string>>(
          "--extract",
          [options, names](const std::vector<std::string>& words) {
            options->extractors.clear();
            for (const std::string& word : words) options->extractors.push_back(names.at(word));
          },
          "tree, ocf, ocf-union, dag, ilp; all by default")
      ->delimiter(',')
      ->check(CLI::IsMember(names));
  command->add_option("--ilp-budget", options->ilp_budget, "time for the solver")
      ->capture_default_str();
  command->add_option("--seed", options->seed, "of the solver")->capture_default_str();
  command->add_option("--format", options->format, "of what is printed")
      ->capture_default_str()
      ->check(CLI::IsMember({"text", "json"}));
  return [options] { return extract(*options); };
}

}  // namespace

Command add_egraph(CLI::App& parent) {
  auto* command = parent.add_subcommand("egraph", "e-graphs: classes of equal values");
  command->require_subcommand(1);
  return add_extract(*command);
}

}  // namespace pet::app
