// What is to be verified: pairs of programs, wherever the command line names them.
#pragma once

#include "app/pet-verify/options.h"
#include "verify/files/expectation.h"

namespace pet::app {

struct Question {
  std::string name;                          // what reports call it; each once
  std::string from;                          // the file that names it, of a manifest with the line
  std::vector<std::filesystem::path> files;  // two models, or one case
  std::optional<Expectation> expected;       // of a manifest; a case has its own
  ReadOptions reading;
  OutputMatch outputs = OutputMatch::ByName;
};

// Whether the command line names one pair, and not a batch of them: two models, or a single case,
// at one size.
bool is_one_pair(const Options& options);

// In order: of a folder all cases below it by name, of a manifest (one JSON object a line: "case",
// or "a" and "b", paths from where it lies; "name", "expect", "shape", "outputs" if wanted) its
// lines. Only those of the shard that is asked for.
Result<std::vector<Question>> questions(const Options& options);

}  // namespace pet::app
