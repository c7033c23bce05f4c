#include "app/pet-verify/junit.h"

#include <fmt/format.h>

#include "app/common/command_line.h"
#include "core/util/markup.h"
#include "core/util/printable.h"

namespace pet::app {

std::string junit_report(std::span<const Told> pairs, std::size_t left) {
  std::string cases;
  std::size_t failures = 0;
  std::size_t errors = 0;
  double seconds = 0;
  for (const Told& pair : pairs) {
    seconds += pair.seconds;
    cases +=
        fmt::format("  <testcase name=\"{}\" time=\"{:.3f}\"", escaped(pair.name), pair.seconds);
    if (pair.exit_code == kDone) {
      cases += "/>\n";
      continue;
    }
    // Not equal, or not as expected: a failure. No answer: an error.
    const bool failed = pair.exit_code == kNotEqual;
    ++(failed ? failures : errors);
    const bool says_more = !pair.words.empty() && pair.words != pair.verdict;
    const std::string words = says_more ? ": " + pair.words : "";
    cases +=
        fmt::format(">\n    <{} message=\"{}{}\"/>\n  </testcase>\n", failed ? "failure" : "error",
                    escaped(pair.verdict), escaped(printable(words)));
  }
  if (left > 0) {
    ++errors;
    cases += fmt::format(
        "  <testcase name=\"what was left\" time=\"0\">\n    <error message=\"not looked at: {} "
        "pairs\"/>\n  </testcase>\n",
        left);
  }
  const std::string properties =
      pairs.empty() ? ""
                    : fmt::format(
                          "  <properties>\n    <property name=\"proof_seed\" value=\"{}\"/>\n"
                          "  </properties>\n",
                          pairs.back().seed);
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuite name=\"pet-verify\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
      "time=\"{:.3f}\">\n{}{}</testsuite>\n",
      pairs.size() + (left > 0 ? 1 : 0), failures, errors, seconds, properties, cases);
}

}  // namespace pet::app
