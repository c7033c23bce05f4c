// The inputs at which two programs are run with drawn errors (noisy_run.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/ir/shape.h"
#include "core/util/rng.h"

namespace pet {

// How the elements of an input are drawn: as ordinary ones are (normal), twenty times as large,
// each in a size of its own up to a hundred times as large; far from 0 for their differences, on
// either side, or with larger differences, or much farther, or where bounded functions are not at
// their bounds yet; all the same, so large that two exponentials, or a single one, nearly leave the
// floats, or so far below 0; as masks are, with few zeros or few ones; 0, 1, or up to twice as
// large with either sign.
enum class Spreading {
  Ordinary,
  Large,
  AnySize,
  OnOneSide,
  OnTheOther,
  Apart,
  Far,
  FarOut,
  WithinBounds,
  Same,
  SameFar,
  SameBelow,
  FewZeros,
  FewOnes,
  Mixed
};

// What one input hides by its own size another one shows: some inputs are drawn in one way, the
// others in another. Which those are is the same for both programs of a pair.
struct Draw {
  Spreading some;
  Spreading others;
  // Bit i: input i is one of some. Chance decides on those behind the first kChosen.
  unsigned which = 0;
  unsigned again = 0;  // how often it was drawn before

  static constexpr std::size_t kChosen = 3;

  // REQUIRES: input < kChosen
  bool is_one_of_some(std::size_t input) const { return ((which >> input) & 1U) != 0; }

  std::uint64_t number() const {
    return (static_cast<std::uint64_t>(again) << 24U) | (static_cast<std::uint64_t>(some) << 16U) |
           (static_cast<std::uint64_t>(others) << 8U) | which;
  }
};

// Every draw, and every choice of some of three inputs for what may hide.
inline constexpr std::array kDraws = {Draw{Spreading::Ordinary, Spreading::Ordinary},
                                      Draw{Spreading::Large, Spreading::Large},
                                      Draw{Spreading::AnySize, Spreading::AnySize},
                                      Draw{Spreading::Apart, Spreading::Apart},
                                      Draw{Spreading::FarOut, Spreading::FarOut},
                                      Draw{Spreading::WithinBounds, Spreading::WithinBounds},
                                      Draw{Spreading::Same, Spreading::Same},
                                      Draw{Spreading::SameFar, Spreading::SameFar},
                                      Draw{Spreading::SameBelow, Spreading::SameBelow},
                                      Draw{Spreading::FewZeros, Spreading::FewZeros},
                                      Draw{Spreading::FewOnes, Spreading::FewOnes},
                                      Draw{Spreading::OnOneSide, Spreading::OnOneSide},
                                      Draw{Spreading::OnOneSide, Spreading::OnTheOther, 1},
                                      Draw{Spreading::OnOneSide, Spreading::OnTheOther, 2},
                                      Draw{Spreading::OnOneSide, Spreading::OnTheOther, 4},
                                      Draw{Spreading::SameFar, Spreading::SameBelow, 3},
                                      Draw{Spreading::SameFar, Spreading::SameBelow, 5},
                                      Draw{Spreading::SameFar, Spreading::SameBelow, 6},
                                      Draw{Spreading::Far, Spreading::Mixed, 1},
                                      Draw{Spreading::Far, Spreading::Mixed, 2},
                                      Draw{Spreading::Far, Spreading::Mixed, 4},
                                      Draw{Spreading::Far, Spreading::Mixed, 3},
                                      Draw{Spreading::Far, Spreading::Mixed, 5},
                                      Draw{Spreading::Far, Spreading::Mixed, 6}};

// Those of kDraws that draw so many inputs each in another way. Where the largest input has few
// `elements` those of many sizes come again and again, until so many numbers were drawn that some
// are as far apart as it takes.
std::vector<Draw> draws_of_inputs(std::size_t number, Dim elements);

// The elements of one input, one after the other. `number`: of the input, in the order of names.
class Drawing {
 public:
  Drawing(const Draw& draw, std::size_t number, std::uint64_t seed);

  double next();

 private:
  // A few floats to either side, in steps so small that two are hardly ever the same.
  double around(double middle, double step_of_floats);
  // One of each eight, so that few they are for sure: a mask of four elements that leaves a single
  // one shows nothing of a softmax.
  bool is_one_of_few();
  double one_of_mixed();

  Rng rng_;
  Spreading spreading_;
  std::size_t at_ = 0;
  std::uint64_t few_ = 0;
};

}  // namespace pet
