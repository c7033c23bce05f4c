// What a file computes from constants alone is the same at every run, so what floats make of it is
// known beforehand. Sizes of sums (conditioning.h) do not see it where the sums of the original
// leave the floats as well and only their signs keep the results inside, nor where nothing but
// constants cancel.
#pragma once

#include <stop_token>
#include <string>

#include "core/ir/graph.h"
#include "core/util/result.h"

namespace pet {

// Of what a program computes from finite constants alone, as its outputs need it.
struct ConstantsInFloats {
  std::string beyond;  // one that no float can hold, in words; empty where there is none
  // How far from its value over the reals floats are, as a share of it, at the worst element that
  // something else reads (one much smaller than its tensor's mean is held against that). Every
  // operator rounds once.
  double error = 0;
};
Result<ConstantsInFloats> constants_in_floats(const Graph& program, std::size_t threads,
                                              const std::stop_token& stop);

// Why what they compute from constants does not speak for two programs' being equal; empty: it
// does.
Result<std::string> objection_to_constants(const Graph& original, const Graph& mutant,
                                           std::size_t threads, const std::stop_token& stop);

}  // namespace pet
