// The inputs at which two programs are run with drawn errors (noisy_run.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/ir/shape.h"
#include "core/util/rng.h"

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

// The elements of one input, one after the other. `number`: of the input, in the order of names.
class Drawing {
 public:
  Drawing(Draw draw, std::size_t number, std::uint64_t seed)
      : draw_(draw), number_(number), rng_(seed) {}

  double next();

 private:
  // A few floats to either side, in steps so small that two are hardly ever the same.
  double around(double middle, double step_of_floats);
  // One of each eight, so that few they are for sure: a mask of four elements that leaves a single
  // one shows nothing of a softmax.
  bool is_one_of_few();

  Draw draw_;
  std::size_t number_;
  Rng rng_;
  std::size_t at_ = 0;
  std::uint64_t few_ = 0;
};

}  // namespace pet
