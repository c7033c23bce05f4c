// What `pet optimize` was asked, and how it tells what came of it.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/common/shape_flags.h"
#include "app/common/target.h"
#include "core/run/record.h"
#include "core/search/search_config.h"
#include "core/util/result.h"

namespace pet::app {

struct OptimizeOptions {
  std::string in, out;
  ShapeFlags shapes;
  TargetFlags target;
  std::string profile;  // a file of comparisons; empty: none
  std::string machine;  // what the device can do, as pet calibrate writes it; empty: a processor
  std::string search = "pet";
  std::vector<std::string> rules = {"taso"};  // sets by name, and files
  std::string blocks = "on", costs = "estimated";
  double alpha = TasoConfig{}.alpha;
  std::size_t states = TasoConfig{}.states;
  // Of searches in e-graphs.
  std::optional<std::size_t> nodes;  // each search has its own default
  egraph::SaturationLimits saturation;
  egraph::TreeLimits tree;
  egraph::Extractor extract = EqsatConfig{}.extract;
  egraph::Extractor main_extract = MctsConfig{}.main_extract;
  std::string ilp_budget;  // empty: half of the search's time, a minute at most
  int threads = 0;
  std::string budget = "120s";
  std::string search_budget;  // empty: its share of the budget
  std::string proof_budget = "600s";
  std::size_t depth = 4, rounds = 4, heap = 8;
  Only only = Only::Both;
  std::vector<std::string> exclude;
  std::vector<std::string> fill;
  std::string input_data;  // a folder; empty: random inputs only
  std::vector<std::string> limits;
  std::uint64_t seed = 1;
  double max_rel_error = 1e-4;
  double max_growth = 4;
  std::string journal, report;
  std::string certificate;    // the file; "none"; empty: beside the report, else beside the result
  bool measure_only = false;  // whole files are timed, none is proved or written
  std::string resume;         // the journal of a search that is gone on with
  std::string cache;          // a file of measurements, or "off"; empty: the user's own
  std::string format = "text";
};

void add_options(CLI::App& command, OptimizeOptions& options);
// There must be something that is kept in the end.
Status check_written(const OptimizeOptions& options);
// A flag that only another search has is a mistake.
Status check_flags_of_search(const CLI::App& command, const OptimizeOptions& options);
// How many mutants may be looked at, by the limits given; no end to them without one.
Result<std::size_t> parse_steps(const std::vector<std::string>& limits);

// What is printed at the end.
std::string summary_of(const RunRecord& record);

}  // namespace pet::app
