// What is told of a pair beside its JSON object, read back from that object: so a report that was
// begun by another run is told like one's own.
#pragma once

#include <cstdint>
#include <string>

#include "core/util/result.h"

namespace pet::app {

struct Told {
  std::string name;
  std::string question;  // its digest
  std::string verdict;
  std::string words;  // how it is not as expected, the reason, or where it differs; may be empty
  int exit_code = 0;
  double seconds = 0;
  std::uint64_t seed = 0;
  bool reproduced = false;  // the seed was given
  bool cached = false;      // an earlier run found it out, with that seed
};

// From one line of a report; an Error: it is none of ours.
Result<Told> told(const std::string& line);

}  // namespace pet::app
