#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "app/common/files.h"
#include "app/common/json_text.h"
#include "app/common/progress.h"
#include "app/pet/commands.h"
#include "app/pet/egraph_of_model.h"
#include "app/pet/stopping.h"
#include "core/backend/highs.h"
#include "core/egraph/extract/extractor.h"
#include "core/egraph/extract/greedy.h"
#include "core/egraph/serialize.h"
#include "core/util/plural.h"
#include "core/util/printable.h"

namespace pet::app {
namespace {

using egraph::extract_dag;
using egraph::Extractor;

struct ExtractOptions {
  std::string file;
  EGraphOptions of_model;  // where the file is one
  std::vector<Extractor> extractors = {Extractor::Tree, Extractor::Ocf, Extractor::OcfUnion,
                                       Extractor::Dag, Extractor::Ilp};
  std::string ilp_budget = "60s";
  std::uint64_t seed = 1;
  std::string format = "text";
};

std::string ending(const egraph::ExtractorAnswer& answer, Extractor extractor) {
  const std::string size =
      fmt::format("{}, {}", plural(answer.columns, "column"), plural(answer.rows, "row"));
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

// What each extractor makes of a problem, line by line as they come to an end.
nlohmann::ordered_json compare(const egraph::Problem& problem, const ExtractOptions& options,
                               double ilp_seconds, const Stopping& stopping) {
  const bool is_text = options.format == "text";
  const Progress progress;
  Highs solver;
  auto out = nlohmann::ordered_json::array();
  for (const Extractor extractor : options.extractors) {
    if (stopping.asked_once()) break;
    progress.show(fmt::format("extracting by {}", to_string(extractor)));
    const auto answer = egraph::extract(problem, extractor, &solver, {ilp_seconds, options.seed},
                                        stopping.search());
    progress.clear();
    if (is_text)
      fmt::print("  {:<10}{:>12}  {:8.2f} s  {}\n", to_string(extractor),
                 answer.cost ? fmt::format("{:.6g}", *answer.cost) : "-", answer.seconds,
                 ending(answer, extractor));
    out.push_back(as_json(answer, extractor));
  }
  return out;
}

int extract(const ExtractOptions& options) {
  const auto budget = parse_seconds(options.ilp_budget);
  if (!budget) return fail(Error(budget.error()).within("--ilp-budget"));
  const Stopping stopping;
  egraph::NamedProblem read;
  if (options.file.ends_with(".onnx")) {
    auto grown = grow(options.of_model, stopping, [](const auto&, auto, const auto&) {});
    if (!grown) return fail(grown.error());
    read = named(grown->program, extraction_of(grown->program, grown->costs));
  } else {
    auto from_file = egraph::read_egraph(options.file);
    if (!from_file) return fail(from_file.error());
    read = *std::move(from_file);
  }
  const bool is_text = options.format == "text";
  if (is_text)
    fmt::print("{}: {}, {}\n", printable(options.file),
               plural(read.problem.classes.size(), "class"),
               plural(read.problem.nodes.size(), "node"));
  nlohmann::ordered_json report{{"file", options.file},
                                {"classes", read.problem.classes.size()},
                                {"nodes", read.problem.nodes.size()}};
  report["extractors"] = compare(read.problem, options, *budget, stopping);
  if (!is_text) fmt::print("{}", one_line(report));
  return stopping.asked_once() ? kStopped : kDone;
}

const std::string& rule_name(const GrownEGraph& grown, std::size_t rule) {
  return grown.rewriter.rules()[rule].rule.id;
}

void show_round(const GrownEGraph& grown, std::size_t number, const Round& round) {
  fmt::print("round {}: {}, {}, the cheapest program {:.4g} ms{}\n", number,
             plural(round.classes, "class"), plural(round.nodes, "node"), round.best_ms,
             round.banned == 0
                 ? ""
                 : fmt::format("; {} left out that closed a cycle", plural(round.banned, "node")));
  for (const egraph::RuleApplication& one : round.applied)
    fmt::print("  {:<28} {:>6}, {} more, {} merged{}\n", printable(rule_name(grown, one.rule)),
               plural(one.matches, "place"), plural(one.made, "node"), plural(one.merged, "pair"),
               one.is_cut ? "; more places than were looked at" : "");
}

// The rules that lead from the original to the cheapest program, in order; what is applied at many
// places in a row stands there once.
void show_way(const GrownEGraph& grown, const egraph::Extraction& extraction,
              const egraph::Choice& choice) {
  std::vector<std::pair<std::size_t, std::vector<std::string>>> way;
  for (const std::size_t number : egraph::way_to(grown.program, extraction, choice)) {
    const egraph::Application& one = grown.program.applications[number];
    if (way.empty() || way.back().first != one.use.rule)
      way.emplace_back(one.use.rule, std::vector<std::string>());
    way.back().second.push_back(
        grown.program.graph.at(grown.program.graph.class_of(one.outputs.front())).name);
  }
  for (const auto& [rule, places] : way) {
    const auto named = std::ranges::find_if(places, [](const auto& name) { return !name.empty(); });
    fmt::print("  {} at {}{}\n", printable(rule_name(grown, rule)), plural(places.size(), "place"),
               named == places.end() ? "" : ", first at " + printable(*named));
  }
}

int show(const EGraphOptions& options) {
  const Stopping stopping;
  auto grown = grow(options, stopping, show_round);
  if (!grown) return fail(grown.error());
  fmt::print("{}\n", to_string(grown->end));
  const auto extraction = extraction_of(grown->program, grown->costs);
  const egraph::Choice choice = extract_dag(extraction.problem);
  fmt::print(
      "by estimate the original takes {:.4g} ms, the cheapest program that dag finds {:.4g} ms{}\n",
      grown->original_ms, *cost_of_choice(extraction.problem, choice),
      grown->program.applications.empty() ? "" : "; the way there:");
  show_way(*grown, extraction, choice);
  return kDone;
}

// Of the choice that dag finds.
egraph::Choice only_needed(const egraph::Problem& problem) {
  const egraph::Choice choice = extract_dag(problem);
  egraph::Choice out(choice.size(), egraph::kNone);
  for (const egraph::Number number : needed(problem, choice)) out[number] = choice[number];
  return out;
}

struct ExportOptions {
  EGraphOptions of_model;
  std::string out;
};

int write(const ExportOptions& options) {
  if (auto writable = check_writable(options.out); !writable) return fail(writable.error());
  const Stopping stopping;
  auto grown = grow(options.of_model, stopping, [](const auto&, auto, const auto&) {});
  if (!grown) return fail(grown.error());
  const auto extraction = extraction_of(grown->program, grown->costs);
  const auto problem = named(grown->program, extraction);
  const std::string text = options.out.ends_with(".dot")
                               ? as_graphviz(problem, only_needed(problem.problem))
                               : write_egraph(problem);
  if (auto written = write_text(options.out, text); !written) return fail(written.error());
  fmt::print("{}: {}, {}\n", printable(options.out), plural(problem.classes.size(), "class"),
             plural(problem.nodes.size(), "node"));
  return kDone;
}

Command add_extract(CLI::App& parent) {
  auto* command =
      parent.add_subcommand("extract", "what each extractor makes of an e-graph, side by side");
  auto options = std::make_shared<ExtractOptions>();
  command
      ->add_option("file", options->file,
                   "an ONNX file, or JSON of egraph-serialize as the extraction gym has it")
      ->required();
  add_egraph_flags(*command, options->of_model);
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
  return [options] {
    options->of_model.file = options->file;
    return extract(*options);
  };
}

Command add_show_egraph(CLI::App& parent) {
  auto* command =
      parent.add_subcommand("show", "the e-graph of a model, round by round, and its best program");
  auto options = std::make_shared<EGraphOptions>();
  command->add_option("file", options->file, "an ONNX file")->required();
  add_egraph_flags(*command, *options);
  return [options] { return show(*options); };
}

Command add_export(CLI::App& parent) {
  auto* command = parent.add_subcommand(
      "export", "writes the e-graph of a model: JSON of egraph-serialize, or .dot for Graphviz");
  auto options = std::make_shared<ExportOptions>();
  command->add_option("file", options->of_model.file, "an ONNX file")->required();
  command->add_option("-o,--output", options->out, "the file to write")->required();
  add_egraph_flags(*command, options->of_model);
  return [options] { return write(*options); };
}

}  // namespace

Command add_egraph(CLI::App& parent) {
  auto* command = parent.add_subcommand("egraph", "e-graphs: classes of equal values");
  command->require_subcommand(1);
  const auto shown = add_show_egraph(*command);
  const auto extracted = add_extract(*command);
  const auto written = add_export(*command);
  return [command, shown, extracted, written] {
    if (command->got_subcommand("show")) return shown();
    return command->got_subcommand("extract") ? extracted() : written();
  };
}

}  // namespace pet::app
