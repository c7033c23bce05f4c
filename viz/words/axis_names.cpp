#include "viz/words/axis_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

namespace pet::viz {
namespace {

std::string axis_name(std::size_t axis, std::size_t rank) {
  static constexpr std::string_view kOfImages = "nchw", kOfVideos = "ncdhw";
  if (rank == kOfImages.size()) return std::string(1, kOfImages[axis]);
  if (rank == kOfVideos.size()) return std::string(1, kOfVideos[axis]);
  if (rank == 2) return axis == 0 ? "row" : "column";
  return fmt::format("axis {}", axis);
}

}  // namespace

std::vector<std::string> digit_names(const DigitBasis& basis) {
  std::vector<std::string> out;
  for (std::size_t axis = 0; axis < basis.digits.size(); ++axis) {
    const std::string name = axis_name(axis, basis.digits.size());
    const std::size_t number = basis.digits[axis].size();
    for (std::size_t digit = 0; digit < number; ++digit) {
      if (number == 1)
        out.push_back(name);
      else if (number == 2)
        out.push_back(name + (digit == 0 ? "_out" : "_in"));
      else
        out.push_back(fmt::format("{}_{}", name, digit));
    }
  }
  return out;
}

std::vector<std::string> axis_names(std::size_t rank) {
  std::vector<std::string> out;
  for (std::size_t axis = 0; axis < rank; ++axis) out.push_back(axis_name(axis, rank));
  return out;
}

std::string shape_in_words(const DigitBasis& basis) {
  std::vector<std::string> axes;
  for (const Shape& digits : basis.digits)
    axes.push_back(fmt::format("{}", fmt::join(digits, "·")));
  return fmt::format("[{}]", fmt::join(axes, ", "));
}

std::string range_in_words(Dim low, Dim high) {
  return high - low == 1 ? fmt::format("{}", low) : fmt::format("{}..{}", low, high - 1);
}

}  // namespace pet::viz
