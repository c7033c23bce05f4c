// What `pet optimize` was asked and what came of it: the report is written from these.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "app/explain/search_record.h"
#include "core/search/acceptance.h"
#include "core/search/search_config.h"

namespace pet::app {

struct OptimizeOptions {
  std::string in, out;
  std::vector<std::string> shapes;
  std::string target = "ort";
  int threads = 0;
  std::string budget = "120s";
  std::string proof_budget = "600s";
  std::size_t depth = 4, rounds = 4, heap = 8;
  Only only = Only::Both;
  std::vector<std::string> exclude;
  std::string input_data;  // a folder; empty: random inputs only
  std::vector<std::string> limits;
  std::uint64_t seed = 1;
  double max_rel_error = 1e-4;
  double max_growth = 4;
  std::string journal, report;
  std::string certificate;  // the file; "none"; empty: beside the report, else beside the result
  std::string resume;       // the journal of a search that is gone on with
  std::string cache;        // a file of measurements, or "off"; empty: the user's own
  std::string format = "text";
};

void add_options(CLI::App& command, OptimizeOptions& options);
// How many mutants may be looked at, by the limits given; no end to them without one.
Result<std::size_t> parse_steps(const std::vector<std::string>& limits);

struct OptimizeResult {
  const Model* model = nullptr;
  BackendInfo target;
  int threads = 1;
  Accepted accepted;
  std::vector<double> original_ms;  // of the whole original alone; empty: nobody waited for it
  explain::SearchRecord record;
  std::size_t subprograms = 0;
  SearchFinished search;
  std::size_t measurements_made = 0;      // of the search; whole files come on top
  std::size_t measurements_reused = 0;    // from earlier runs
  double budget_s = 0;                    // of the search
  std::map<std::string, double> seconds;  // by stage
  std::uint64_t seed = 1;
  std::string note;
  std::optional<Result<std::string>> certificate;  // of the file that was written, or why none
};

nlohmann::ordered_json report_of(const OptimizeOptions& options, const OptimizeResult& result);
std::string summary_of(const OptimizeOptions& options, const OptimizeResult& result);

}  // namespace pet::app
