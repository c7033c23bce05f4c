// What a search follows from, besides the model and the machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/cost/analytic.h"
#include "core/egraph/options.h"
#include "core/program/mutate/generator.h"
#include "core/program/split.h"

namespace pet {

// What kind of mutants is worth having (PET, Figure 13): those equal everywhere, those that have to
// be corrected, or both.
enum class Only { Both, Equivalent, Partial };

// Joined, cut and packed operands cost as many products and more layout: what an operator gains by
// another shape is not estimated, so whoever asks for such mutants alone has them measured.
inline constexpr double kWorthMeasuringInPart = 3;

constexpr std::string_view to_string(Only only) {
  switch (only) {
    case Only::Both:
      return "both";
    case Only::Equivalent:
      return "equivalent";
    case Only::Partial:
      return "partial";
  }
  return "?";
}

struct SearchConfig {
  std::uint64_t seed = 1;
  std::size_t threads = 1;
  std::size_t max_steps = SIZE_MAX;  // mutants looked at
  std::size_t rounds = 4;            // mutants of mutants, so many times
  std::size_t heap = 8;              // candidates of a subprogram that are kept and measured
  Only only = Only::Both;
  std::vector<std::string> exclude;  // places left alone: patterns with * and ? of their names
  // Analytic cost, as a multiple of the original's, up to which a candidate is measured.
  double worth_measuring = 1.2;
  // The same of those that keep values in other orders of axes: they may save transposes.
  double worth_in_other_orders = 2;
  std::size_t reach = 2;       // neighbours that an excerpt takes in
  std::size_t positions = 24;  // of a fingerprint
  double log2_error = -24;     // of a check on the way
  SplitOptions split;
  GeneratorConfig generator;
  std::size_t later_steps = 16;   // of the generator's tree, for each source of a later round
  std::size_t later_sources = 3;  // measured candidates of a subprogram that a round starts from
  std::optional<MachineModel> machine =
      {};  // by which estimates order candidates; else a processor
};

// A rule as a search uses it: where its condition holds (an empty one always does).
struct UsedRule {
  std::string id;
  std::string condition;
};

// Those of a set that were found right.
struct UsedRules {
  std::string set;     // as --rules has it
  std::string digest;  // of what the file says of its rules, in hex
  std::vector<UsedRule> rules;
};

// What TASO's backtracking search follows from (SOSP'19, Algorithm 2).
struct TasoConfig {
  std::uint64_t seed = 1;
  std::size_t threads = 1;
  std::vector<UsedRules> rules;
  bool blocks = true;           // equal blocks are searched once
  bool measured_costs = false;  // operators cost what they take in the target, not estimates
  double alpha = 1.05;          // a program is gone on with that costs up to so much of the best
  std::size_t states = 1000;    // that are gone on with, at most
  std::size_t plans = 4;        // of the cheapest programs, measured as whole files
  double log2_error = -24;      // of "equal", for each instance of a rule
};

// What equality saturation follows from (TENSAT, MLSys'21).
struct EqsatConfig {
  std::uint64_t seed = 1;
  std::size_t threads = 1;
  std::vector<UsedRules> rules;
  bool blocks = true;
  bool measured_costs = false;
  egraph::SaturationLimits limits;
  egraph::Extractor extract = egraph::Extractor::Ilp;
  double ilp_seconds = 60;
  std::size_t plans = 4;    // of the cheapest programs, measured as whole files
  double log2_error = -24;  // of "equal", for each instance of a rule
};

// What tree search over e-graphs follows from (Hartmann et al., PACT'24).
struct MctsConfig {
  std::uint64_t seed = 1;
  std::size_t threads = 1;
  std::vector<UsedRules> rules;
  bool blocks = true;
  bool measured_costs = false;
  egraph::SaturationLimits limits = {.nodes = 2000};
  egraph::TreeLimits tree;
  egraph::Extractor main_extract = egraph::Extractor::OcfUnion;  // for rewards
  egraph::Extractor extract = egraph::Extractor::Ilp;            // at the end
  double ilp_seconds = 60;
  std::size_t plans = 4;
  double log2_error = -24;
};

// Searches by what they follow from.
using AnySearchConfig = std::variant<SearchConfig, TasoConfig, EqsatConfig, MctsConfig>;

// As --search and journals call it.
std::string_view name_of(const AnySearchConfig& config);
std::uint64_t seed_of(const AnySearchConfig& config);
// That of PET's search; as it is by default where another was asked for.
SearchConfig pet_config(const AnySearchConfig& config);

}  // namespace pet
