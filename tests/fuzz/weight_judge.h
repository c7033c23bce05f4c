// Whether a file with folded constants may take the place of another, by the words of the theory
// (section 6a) and in exact arithmetic: shares nothing with what verifies files but the meanings of
// operators and the exact engine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/program/equivalence.h"
#include "tests/fuzz/weight_files.h"

namespace pet::fuzz {

struct Judgement {
  bool acceptable = false;
  bool undecided = false;  // a limit of the exact engine, or a value that is not defined
  std::string why;         // not
};

// `honest`: the programs by which the file was folded before anybody tampered with it; `found`:
// those that whoever accepted it found. A file that either of them explains, or what the original
// computes, is good whatever it says of itself.
Judgement judge(const FilePair& pair, const WeightPrograms& honest, const WeightPrograms& found,
                std::uint64_t seed);

}  // namespace pet::fuzz
