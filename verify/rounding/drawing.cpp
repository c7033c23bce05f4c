#include "verify/rounding/drawing.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace pet {

namespace {

// Whether chance decides how far apart numbers are.
bool is_of_many_sizes(Spreading spreading) {
  return spreading == Spreading::Large || spreading == Spreading::AnySize;
}

std::vector<Draw> each_once(std::size_t inputs) {
  if (inputs > Draw::kChosen) return {kDraws.begin(), kDraws.end()};
  std::vector<Draw> out;
  std::set<std::vector<Spreading>> seen;
  for (const Draw& draw : kDraws) {
    std::vector<Spreading> of_inputs;
    for (std::size_t input = 0; input < inputs; ++input)
      of_inputs.push_back(draw.is_one_of_some(input) ? draw.some : draw.others);
    if (seen.insert(std::move(of_inputs)).second) out.push_back(draw);
  }
  return out;
}

}  // namespace

std::vector<Draw> draws_of_inputs(std::size_t number, Dim elements) {
  constexpr Dim kEnough = 128;  // elements
  constexpr Dim kMost = 32;     // times
  std::vector<Draw> out = each_once(number);
  if (number == 0 || elements == 0) return out;
  const std::size_t ways = out.size();
  const Dim times = std::min(kMost, (kEnough + elements - 1) / elements);
  for (Dim again = 1; again < times; ++again) {
    for (std::size_t i = 0; i < ways; ++i) {
      if (!is_of_many_sizes(out[i].others)) continue;
      out.push_back(out[i]);
      out.back().again = static_cast<unsigned>(again);
    }
  }
  return out;
}

Drawing::Drawing(const Draw& draw, std::size_t number, std::uint64_t seed) : rng_(seed) {
  const bool is_one = number < Draw::kChosen ? draw.is_one_of_some(number) : rng_.below(2) == 1;
  spreading_ = is_one ? draw.some : draw.others;
}

double Drawing::next() {
  switch (spreading_) {
    case Spreading::Ordinary:
      return static_cast<float>(rng_.normal());
    case Spreading::Large:
      return static_cast<float>(20 * rng_.normal());
    case Spreading::AnySize:
      return static_cast<float>(rng_.normal() * std::exp2(7 * rng_.uniform()));
    case Spreading::OnOneSide:
      return around(100, 0x1p-17);
    case Spreading::OnTheOther:
      return around(-100, 0x1p-17);
    case Spreading::Apart:
      return static_cast<float>(100 + (rng_.uniform() - 0.5) / 8);
    case Spreading::Far:
      return around(1000, 0x1p-14);
    case Spreading::FarOut:
      return around(4000, 0x1p-12);
    case Spreading::Same:
      return 40;
    case Spreading::SameFar:
      return 80;
    case Spreading::SameBelow:
      return -80;
    case Spreading::WithinBounds:
      return around(0.5, 0x1p-24);
    case Spreading::FewZeros:
      return is_one_of_few() ? 0 : 1;
    case Spreading::FewOnes:
      return is_one_of_few() ? 1 : 0;
    case Spreading::Mixed:
      return one_of_mixed();
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

double Drawing::one_of_mixed() {
  switch (rng_.below(4)) {
    case 0:
      return 0;
    case 1:
      return 1;
    case 2:
      return static_cast<float>(1 + rng_.uniform());
    default:
      return static_cast<float>(-1 - rng_.uniform());
  }
}

}  // namespace pet
