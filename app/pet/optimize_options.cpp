#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "app/common/commands.h"
#include "app/common/fill_flags.h"
#include "app/common/machine.h"
#include "app/common/profiled_target.h"
#include "app/pet/optimize.h"
#include "core/util/printable.h"

namespace pet::app {
namespace {

// A flag that only some searches have.
struct FlagOfSearch {
  const char* name;
  std::vector<std::string> searches;
};

const std::vector<FlagOfSearch>& flags_of_searches() {
  static const std::vector<FlagOfSearch> all = {{"--depth", {"pet"}},
                                                {"--rounds", {"pet"}},
                                                {"--heap", {"pet"}},
                                                {"--only", {"pet"}},
                                                {"--exclude", {"pet"}},
                                                {"--limits", {"pet"}},
                                                {"--machine", {"pet"}},
                                                {"--rules", {"taso", "eqsat", "mcts"}},
                                                {"--blocks", {"taso", "eqsat", "mcts"}},
                                                {"--costs", {"taso", "eqsat", "mcts"}},
                                                {"--alpha", {"taso"}},
                                                {"--states", {"taso"}},
                                                {"--nodes", {"eqsat", "mcts"}},
                                                {"--iterations", {"eqsat"}},
                                                {"--k-multi", {"eqsat"}},
                                                {"--cycles", {"eqsat", "mcts"}},
                                                {"--extract", {"eqsat", "mcts"}},
                                                {"--main-extract", {"mcts"}},
                                                {"--ilp-budget", {"eqsat", "mcts"}},
                                                {"--tree-budget", {"mcts"}},
                                                {"--tree-depth", {"mcts"}},
                                                {"--subtree-reuse", {"mcts"}}};
  return all;
}

CLI::Range at_least_one() { return {std::size_t{1}, std::size_t{100'000'000}}; }

void add_egraph_options(CLI::App& command, OptimizeOptions& options) {
  command
      .add_option("--nodes", options.nodes,
                  "of eqsat and mcts: nodes of the e-graph, at most (50000 and 2000)")
      ->check(at_least_one());
  command.add_option("--iterations", options.saturation.iterations, "of eqsat: rounds, at most")
      ->capture_default_str()
      ->check(at_least_one());
  command
      .add_option("--k-multi", options.saturation.k_multi,
                  "of eqsat: rounds in which rules of several results are applied")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{0}, std::size_t{1000}));
  add_enum_option(command, "--cycles", options.saturation.cycles, egraph::kCycleFilters,
                  "of eqsat and mcts: values that would need themselves are broken up after each "
                  "round, or looked for at every merge");
  add_enum_option(command, "--extract", options.extract, egraph::kExtractors,
                  "of eqsat and mcts: how the program is chosen in the end");
  add_enum_option(command, "--main-extract", options.main_extract, egraph::kExtractors,
                  "of mcts: how programs are chosen on the way");
  command.add_option(
      "--ilp-budget", options.ilp_budget,
      "of eqsat and mcts: time for the solver; by default half of --budget, a minute "
      "at most");
  command
      .add_option("--tree-budget", options.tree.budget,
                  "of mcts: walks down the tree before a rule is chosen")
      ->capture_default_str()
      ->check(at_least_one());
  command
      .add_option("--tree-depth", options.tree.depth,
                  "of mcts: rules applied by chance at the end of a walk")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{0}, std::size_t{10'000}));
  command.add_flag("--subtree-reuse", options.tree.reuse,
                   "of mcts: what is known below the chosen rule is kept");
}

void add_search_options(CLI::App& command, OptimizeOptions& options) {
  command
      .add_option("--search", options.search,
                  "pet: mutants of subprograms; by rewrite rules: taso (backtracking), eqsat "
                  "(equality saturation), mcts (tree search over e-graphs)")
      ->capture_default_str()
      ->check(CLI::IsMember({"pet", "taso", "eqsat", "mcts"}));
  command
      .add_option("--rules", options.rules,
                  "of taso, eqsat and mcts: sets of rules (taso, tensat, own) or files of them")
      ->delimiter(',');
  command
      .add_option("--blocks", options.blocks,
                  "of taso, eqsat and mcts: equal layers are searched once (on), or the program as "
                  "a whole (off)")
      ->capture_default_str()
      ->check(CLI::IsMember({"on", "off"}));
  command
      .add_option("--costs", options.costs,
                  "of taso, eqsat and mcts: what operators cost while programs are compared, "
                  "estimated or measured one by one in the target")
      ->capture_default_str()
      ->check(CLI::IsMember({"estimated", "measured"}));
  command
      .add_option("--alpha", options.alpha,
                  "of taso: programs are gone on with that cost up to so much of the best")
      ->capture_default_str()
      ->check(positive_number());
  command
      .add_option("--states", options.states, "of taso: so many programs are gone on with, at most")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}));
  add_egraph_options(command, options);
}

}  // namespace

void add_options(CLI::App& command, OptimizeOptions& options) {
  command.add_option("file", options.in, "an ONNX file")->required();
  command.add_option("-o,--output", options.out, "the file to write");
  add_shape_flags(command, options.shapes);
  add_target_options(command, options.target);
  add_profile_option(command, options.profile);
  command.add_option("--machine", options.machine,
                     "what pet calibrate found out about the device: estimates order candidates by "
                     "it");
  command.add_option("--threads", options.threads, "of the runtime; all by default")
      ->check(CLI::Range(std::size_t{0}, all_threads()));
  command
      .add_option("--budget", options.budget,
                  "time for all of it: nearly half of it for the search, then whole files are "
                  "compared, and the best one is proved")
      ->capture_default_str();
  command.add_option("--search-budget", options.search_budget,
                     "time for the search, instead of its share of --budget");
  command
      .add_option("--proof-budget", options.proof_budget, "time for the proof of the written file")
      ->capture_default_str();
  add_search_options(command, options);
  command.add_option("--depth", options.depth, "activation operators of a mutant, at most")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{1}, std::size_t{8}));
  command.add_option("--rounds", options.rounds, "mutants of mutants, so many times")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{1}, std::size_t{16}));
  command
      .add_option("--heap", options.heap, "candidates of a subprogram that are kept and measured")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000}));
  add_enum_option(command, "--only", options.only, std::size_t{3},
                  "mutants equal everywhere, or those that are corrected");
  command.add_option("--exclude", options.exclude,
                     "leave alone what computes values of such a name (* and ? stand for others)");
  add_fill_flag(command, options.fill);
  command.add_option("--input-data", options.input_data,
                     "a folder of inputs (input_0.pb, ..., or test_data_set_*) on which both files "
                     "have to agree, besides random ones");
  command.add_option("--limits", options.limits,
                     "steps=N: look at N mutants at most (reproducible)");
  command.add_option("--seed", options.seed, "of the search; proofs draw their own")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  command
      .add_option("--max-rel-error", options.max_rel_error,
                  "largest numerical difference of an output, relative to its largest value")
      ->capture_default_str()
      ->check(positive_number());
  command
      .add_option("--max-growth", options.max_growth,
                  "largest size of the file, relative to the original")
      ->capture_default_str()
      ->check(positive_number());
  command.add_option("--cache", options.cache,
                     "a file that remembers the search's measurements, or off; by default one in "
                     "the user's cache folder");
  command.add_option("--journal", options.journal, "write what happens as JSON lines");
  command
      .add_flag("--measure-only", options.measure_only,
                "search and time whole files, and prove and write none: the journal holds all that "
                "--resume needs to finish that, on this machine or any other")
      ->excludes("--output");
  // A journal leads back to the file that was searched, which is gone then.
  command.get_option("--opset")->excludes(command.get_option("--journal"));
  auto* resume = command.add_option("--resume", options.resume,
                                    "go on with the search of this journal, with its flags and "
                                    "measurements, and write on into it");
  for (const char* flag :
       {"--shape",        "--batch",      "--opset",  "--target",       "--threads",
        "--proof-budget", "--depth",      "--rounds", "--heap",         "--only",
        "--exclude",      "--input-data", "--limits", "--seed",         "--max-rel-error",
        "--max-growth",   "--journal",    "--search", "--measure-only", "--machine"}) {
    resume->excludes(command.get_option(flag));
  }
  for (const FlagOfSearch& flag : flags_of_searches()) {
    if (flag.searches.front() != "pet") resume->excludes(command.get_option(flag.name));
  }
  command.add_option("--report", options.report, "write the result as JSON");
  command.add_option("--certificate", options.certificate,
                     "write what pet-check-certificate needs to check the result by itself; by "
                     "default X.certificate.json beside the report or the result X, or none");
  command.add_option("--format", options.format, "of what is printed")
      ->capture_default_str()
      ->check(CLI::IsMember({"text", "json"}));
}

Status check_written(const OptimizeOptions& options) {
  if (options.measure_only && options.journal.empty())
    return Error{"--measure-only needs a --journal: nothing else is kept of it", ErrorKind::Usage};
  if (!options.measure_only && options.out.empty())
    return Error{"--output is required, or --measure-only", ErrorKind::Usage};
  return Done{};
}

Status check_flags_of_search(const CLI::App& command, const OptimizeOptions& options) {
  for (const FlagOfSearch& flag : flags_of_searches()) {
    if (command.count(flag.name) == 0 ||
        std::ranges::find(flag.searches, options.search) != flag.searches.end())
      continue;
    return Error{fmt::format("{} is a flag of --search {}, not of --search {}", flag.name,
                             fmt::join(flag.searches, " and "), options.search),
                 ErrorKind::Usage};
  }
  return Done{};
}

Result<std::size_t> parse_steps(const std::vector<std::string>& limits) {
  std::size_t steps = SIZE_MAX;
  for (const std::string& limit : limits) {
    if (!limit.starts_with("steps=") ||
        limit.find_first_not_of("0123456789", 6) != std::string::npos || limit.size() > 18 ||
        limit.size() < 7) {
      return Error{fmt::format("--limits {}: expected steps=N", printable(limit)),
                   ErrorKind::Usage};
    }
    steps = std::stoull(limit.substr(6));
  }
  return steps;
}

}  // namespace pet::app
