// Reports that were written before: of a run of pet optimize, or of a batch of pet-verify, as
// values to be shown. Files of others: what is missing in them is empty, what is broken is counted.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/run/record.h"
#include "core/util/result.h"

namespace pet::viz {

// What pet-verify said of one pair.
struct ReportedPair {
  std::string name;
  std::vector<std::string> files;  // one (a case) or two, as pet-verify was given them
  std::string verdict;             // "equivalent", or why there is none
  std::string reason;
  std::string where;                 // it is wrong, output by output
  std::vector<std::string> engines;  // "bitmap: partial"
  std::optional<double> log2_error;  // of a wrong "equal"
  std::optional<double> seconds;
  bool is_as_expected = true;
  std::string deviation;  // from what the case expects
};

struct VerifyReport {
  std::vector<ReportedPair> pairs;  // what is not as expected first, then the worst verdicts
  std::size_t broken = 0;           // lines that are no report of a pair
  // How many of each verdict.
  std::map<std::string, std::size_t> counts() const;
};

struct Report {
  std::string name;  // of the file
  std::filesystem::path folder;
  std::variant<VerifyReport, RunRecord> what;
};

// Whether a text begins like a report, so that it is told from a journal, which is lines of JSON as
// well.
bool begins_like_a_report(std::string_view text);

// `name`: for messages.
Result<Report> parse_report(std::string_view text, const std::string& name);
Result<Report> read_report(const std::filesystem::path& path, const std::stop_token& stop);

}  // namespace pet::viz
