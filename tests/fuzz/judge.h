// Two verdicts on one pair, position by position.
#pragma once

#include <string>

#include "core/program/equivalence.h"

namespace pet::fuzz {

struct Judgement {
  Dim compared = 0;  // positions that the exact engine decided
  Dim lost = 0;      // equal to the exact engine, and not to the other
  // Of a pair that rounding would decide: the exact engine says nothing on rounding.
  Dim withheld = 0;
  std::string
      conflict;  // what the other engine claims and the exact engine denies; empty where nothing
};

// `exact` counts for nothing where it reached a limit.
Judgement judge(const Graph& original, const Verdict& claimed, const Verdict& exact);

// Every witness run again by the definition of every operator; what does not differ there, in
// words. At the edge of a function's domain, where a rounding decides on whether a number comes
// out, the witness may have one and the definition none, or the other way round.
std::string false_witness(const Graph& original, const Graph& mutant, const Verdict& verdict);

}  // namespace pet::fuzz
