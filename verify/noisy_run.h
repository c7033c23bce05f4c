// A program run with rounding errors that are drawn: Monte Carlo arithmetic (D. S. Parker, 1997),
// so small that results depend on them linearly. What they make of a result, over several runs,
// says how large its errors are; that errors cancel which are the same ones, too.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <stop_token>

#include "core/eval/meaning_code.h"
#include "core/util/digest.h"
#include "core/util/result.h"

namespace pet {

// How inputs are drawn: as ordinary ones are (normal), twenty times as large, each in a size of its
// own up to a hundred times as large; far from 0 for their differences, all on one
// side, or every other one on the other, or with larger differences, or much farther, or where
// bounded functions are not at their bounds yet; all the same, so large that two exponentials, or a
// single one, nearly leave the floats, or so far below 0; as masks are, with few zeros or few ones.
// What they are is the same for both programs of a pair.
enum class Draw {
  Ordinary,
  Large,
  AnySize,
  OnOneSide,
  OnBothSides,
  Apart,
  FarOut,
  WithinBounds,
  Same,
  SameFar,
  SameBelow,
  FewZeros,
  FewOnes
};
inline constexpr std::array kDraws = {
    Draw::Ordinary,  Draw::Large,    Draw::AnySize,      Draw::OnOneSide, Draw::OnBothSides,
    Draw::Apart,     Draw::FarOut,   Draw::WithinBounds, Draw::Same,      Draw::SameFar,
    Draw::SameBelow, Draw::FewZeros, Draw::FewOnes};

// Of the elements of one value, row-major, in units of one rounding of a number of size 1.
struct DrawnErrors {
  std::vector<double> values;
  std::vector<double>
      errors;  // root of the mean square over the runs; not finite where the value is not
};

// All `draws` at once, which takes so many times the memory of one. Visits the wanted nodes (by
// node) in order, with their errors by draw; those behind operators without a meaning of ours have
// no values and are not visited. Yields by draw whether every number on the way was finite, and
// within the floats.
Result<std::vector<bool>> noisy_run(
    const GraphCode& program, const std::vector<char>& wanted, std::span<const Draw> draws,
    const Digest& seed, std::size_t threads, const std::stop_token& stop,
    const std::function<Status(NodeId, std::vector<DrawnErrors>)>& visit);

}  // namespace pet
