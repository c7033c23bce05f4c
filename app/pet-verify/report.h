// A verdict as text for people, or as one JSON object.
#pragma once

#include <string>

#include "app/pet-verify/options.h"

namespace pet::app {

struct Run {
  std::vector<std::filesystem::path> files;
  double seconds = 0;
  std::string deviation;  // of a case: how the verdict is not as expected
  bool has_expectation = false;
};

std::string text_report(const Verdict& verdict, const Run& run);
std::string json_report(const Verdict& verdict, const Run& run);

// Of input that cannot be read or a request that makes no sense; one JSON object as well.
std::string json_report(const Error& error, const Run& run);

}  // namespace pet::app
