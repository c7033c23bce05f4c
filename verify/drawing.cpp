#include "verify/drawing.h"

#include <cmath>

namespace pet {

double Drawing::next() {
  switch (draw_) {
    case Draw::Ordinary:
      return static_cast<float>(rng_.normal());
    case Draw::Large:
      return static_cast<float>(20 * rng_.normal());
    case Draw::AnySize:
      return static_cast<float>(rng_.normal() * std::exp2(7 * rng_.uniform()));
    case Draw::OnOneSide:
      return around(100, 0x1p-17);
    case Draw::OnBothSides:
      return around(number_ % 2 == 1 ? -100 : 100, 0x1p-17);
    case Draw::Apart:
      return static_cast<float>(100 + (rng_.uniform() - 0.5) / 8);
    case Draw::FarOut:
      return around(4000, 0x1p-12);
    case Draw::Same:
      return 40;
    case Draw::SameFar:
      return 80;
    case Draw::SameBelow:
      return -80;
    case Draw::WithinBounds:
      return around(0.5, 0x1p-24);
    case Draw::FewZeros:
      return is_one_of_few() ? 0 : 1;
    case Draw::FewOnes:
      return is_one_of_few() ? 1 : 0;
  }
  return 0;
}

double Drawing::around(double middle, double step_of_floats) {
  constexpr Dim kSteps = 1 << 11;
  return middle + static_cast<double>(rng_.between(-kSteps, kSteps)) * (step_of_floats / 256);
}

bool Drawing::is_one_of_few() {
  constexpr std::size_t kEight = 8;
  if (at_ % kEight == 0) few_ = rng_.below(kEight);
  return at_++ % kEight == few_;
}

}  // namespace pet
