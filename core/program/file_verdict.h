// The answer to "are these two files the same program?": what was said of the programs, and what of
// the files that hold them.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/program/equivalence.h"

namespace pet {

struct FileVerdict : Verdict {
  FileVerdict() = default;
  explicit FileVerdict(Verdict of_programs) : Verdict(std::move(of_programs)) {}

  std::map<std::string, Dim> proved_at;  // sizes of the dimensions that a file leaves open
  bool all_sizes = true;                 // there are none
  // Of those the ones of which, all of one size, it holds whatever that is, from 1 on.
  std::vector<std::string> for_every;
  std::size_t weight_programs = 0;  // constants of the mutant that follow from the original's
  // How, where the mutant's file does not say so: in the words in which others do, and as
  // ProofOptions::certified_text of the proof.
  std::shared_ptr<const std::string> found_programs;
  // Of those the ones that are not the nearest floats, and how far they are off at worst, in units
  // in the last place of the largest of the terms that are added up there.
  std::size_t inexact_constants = 0;
  std::uint64_t max_ulp = 0;
  // Equal once the same reals stand where constants are the nearest floats of some (1/sqrt(2)), and
  // operators are spelled out that one program has and the other has not: how many of both.
  std::size_t known_reals = 0;
  std::size_t spelled_out = 0;
};

}  // namespace pet
