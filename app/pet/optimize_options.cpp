#include <fmt/format.h>

#include "app/common/commands.h"
#include "app/common/machine.h"
#include "app/common/target.h"
#include "app/pet/optimize.h"
#include "core/util/printable.h"

namespace pet::app {

void add_options(CLI::App& command, OptimizeOptions& options) {
  command.add_option("file", options.in, "an ONNX file")->required();
  command.add_option("-o,--output", options.out, "the file to write")->required();
  add_shape_flags(command, options.shapes);
  add_target_options(command, options.target, options.worker);
  command.add_option("--threads", options.threads, "of the runtime; all by default")
      ->check(CLI::Range(std::size_t{0}, all_threads()));
  command
      .add_option("--budget", options.budget,
                  "time for the search; whole files are compared for twice as long, then no other "
                  "is tried")
      ->capture_default_str();
  command
      .add_option("--proof-budget", options.proof_budget, "time for the proof of the written file")
      ->capture_default_str();
  command
      .add_option("--search", options.search,
                  "pet: mutants of subprograms; taso: rewrite rules, by backtracking")
      ->capture_default_str()
      ->check(CLI::IsMember({"pet", "taso"}));
  command
      .add_option("--rules", options.rules,
                  "of taso: sets of rules (taso, tensat, own) or files of them")
      ->delimiter(',');
  command
      .add_option("--alpha", options.alpha,
                  "of taso: programs are gone on with that cost up to so much of the best")
      ->capture_default_str()
      ->check(positive_number());
  command
      .add_option("--states", options.states, "of taso: so many programs are gone on with, at most")
      ->capture_default_str()
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}));
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
  std::map<std::string, Only> kinds;
  for (const Only kind : {Only::Both, Only::Equivalent, Only::Partial})
    kinds.emplace(to_string(kind), kind);
  command
      .add_option_function<std::string>(
          "--only", [&options, kinds](const std::string& word) { options.only = kinds.at(word); },
          "mutants equal everywhere, or those that are corrected")
      ->default_str(std::string(to_string(options.only)))
      ->check(CLI::IsMember(kinds));
  command.add_option("--exclude", options.exclude,
                     "leave alone what computes values of such a name (* and ? stand for others)");
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
  auto* resume = command.add_option("--resume", options.resume,
                                    "go on with the search of this journal, with its flags and "
                                    "measurements, and write on into it");
  for (const char* flag :
       {"--shape",      "--batch",  "--target", "--threads",       "--proof-budget",
        "--depth",      "--rounds", "--heap",   "--only",          "--exclude",
        "--input-data", "--limits", "--seed",   "--max-rel-error", "--max-growth",
        "--journal",    "--search", "--rules",  "--alpha",         "--states"}) {
    resume->excludes(command.get_option(flag));
  }
  command.add_option("--report", options.report, "write the result as JSON");
  command.add_option("--certificate", options.certificate,
                     "write what pet-check-certificate needs to check the result by itself; by "
                     "default X.certificate.json beside the report or the result X, or none");
  command.add_option("--format", options.format, "of what is printed")
      ->capture_default_str()
      ->check(CLI::IsMember({"text", "json"}));
}

Status check_flags_of_search(const CLI::App& command, const OptimizeOptions& options) {
  const std::map<std::string, std::vector<const char*>> flags = {
      {"pet", {"--depth", "--rounds", "--heap", "--only", "--exclude", "--limits"}},
      {"taso", {"--rules", "--alpha", "--states"}}};
  for (const auto& [search, of_search] : flags) {
    for (const char* flag : of_search) {
      if (search != options.search && command.count(flag) > 0)
        return Error{fmt::format("{} is a flag of --search {}, not of --search {}", flag, search,
                                 options.search),
                     ErrorKind::Usage};
    }
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
