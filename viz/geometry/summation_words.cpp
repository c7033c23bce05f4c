#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "viz/geometry/summation.h"
#include "viz/words/axis_names.h"

namespace pet::viz {
namespace {

constexpr std::size_t kMostParts = 6;  // of one set of offsets

// How indices are told: a whole axis by its name, whatever digits it falls into.
class Names {
 public:
  explicit Names(const DigitBasis& basis) : digits_(digit_names(basis)) {
    const auto axes = axis_names(basis.digits.size());
    std::size_t digit = 0;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      std::vector<std::pair<std::size_t, Dim>> whole;
      for (const Dim stride : row_major_strides(basis.digits[axis]))
        whole.emplace_back(digit++, stride);
      whole_.emplace_back(std::move(whole), axes[axis]);
    }
  }

  // "2 n_out + n_in", or "n"; empty where the axis stands still.
  std::string moves(const ReadAxis& axis) const {
    const auto whole =
        std::ranges::find_if(whole_, [&](const auto& one) { return one.first == axis.of_digits; });
    if (whole != whole_.end()) return whole->second;
    std::string out;
    for (const auto& [digit, coefficient] : axis.of_digits) {
      const Dim size = std::abs(coefficient);
      if (out.empty())
        out = coefficient < 0 ? "-" : "";
      else
        out += coefficient < 0 ? " - " : " + ";
      if (size != 1) out += fmt::format("{} ", size);
      out += digits_[digit];
    }
    return out;
  }

 private:
  std::vector<std::string> digits_;
  std::vector<std::pair<std::vector<std::pair<std::size_t, Dim>>, std::string>> whole_;
};

bool is_zero(const ReadAxis& axis) {
  return axis.offsets.size() == 1 && axis.offsets[0] == Interval{0, 1};
}

// "[-1,1]", both ends held; "{-2, 0, 2}" where there are gaps.
std::string offsets_in_words(const ReadAxis& axis) {
  if (axis.has_gaps)
    return fmt::format("some of [{},{}]", axis.offsets.front().low, axis.offsets.back().high - 1);
  if (axis.offsets.size() == 1) {
    const Interval& all = axis.offsets[0];
    return all.extent() == 1 ? fmt::format("{}", all.low)
                             : fmt::format("[{},{}]", all.low, all.high - 1);
  }
  std::vector<std::string> parts;
  for (const Interval& part : axis.offsets) {
    if (parts.size() == kMostParts) break;
    parts.push_back(range_in_words(part.low, part.high));
  }
  return fmt::format("{{{}{}}}", fmt::join(parts, ", "),
                     axis.offsets.size() > kMostParts
                         ? fmt::format(", {} of {}", kMostParts, axis.offsets.size())
                         : "");
}

std::string index_in_words(const ReadAxis& axis, const Names& names) {
  const std::string moves = names.moves(axis);
  if (moves.empty()) return offsets_in_words(axis);
  return is_zero(axis) ? moves : fmt::format("{} + {}", moves, offsets_in_words(axis));
}

}  // namespace

std::string interval_in_words(const SumInBox& sum, const DigitBasis& basis) {
  const Names names(basis);
  std::vector<std::string> moving, still;
  for (const ReadValue& read : sum.reads) {
    const auto of_read = axis_names(read.axes.size());
    // What a function is applied to may move with the position, too.
    if (read.name.empty() && read.axes.empty()) moving.emplace_back("within a function");
    for (std::size_t axis = 0; axis < read.axes.size(); ++axis) {
      const ReadAxis& here = read.axes[axis];
      if (here.of_digits.empty() && here.offsets.front().extent() > 1)
        still.push_back(fmt::format("{} of {} {}", of_read[axis],
                                    read.name.empty() ? "f" : read.name, offsets_in_words(here)));
      if (here.of_digits.empty() || is_zero(here)) continue;
      const std::string part = index_in_words(here, names);
      if (std::ranges::find(moving, part) == moving.end()) moving.push_back(part);
    }
  }
  const auto& told = moving.empty() ? still : moving;
  return told.empty() ? "none" : fmt::format("{}", fmt::join(told, ", "));
}

std::string taps_in_words(const SumInBox& here, const Sum& sum, std::size_t most) {
  if (sum.taps.size() < 2) return {};
  std::string out = fmt::format("{} of {} taps", here.taps_here(), sum.taps.size());
  std::vector<std::string> left_out;
  const std::size_t number = sum.taps.size() - here.taps_here();
  for (std::size_t i = 0; i < sum.taps.size() && left_out.size() < most; ++i) {
    if (here.has_tap[i]) continue;
    std::vector<std::string> at;
    for (const Interval& index : sum.taps[i]) at.push_back(range_in_words(index.low, index.high));
    left_out.push_back(fmt::format("({})", fmt::join(at, ",")));
  }
  if (left_out.empty()) return out;
  out += fmt::format("; without {}", fmt::join(left_out, " "));
  if (number > left_out.size()) out += fmt::format(" … {} of {}", left_out.size(), number);
  return out;
}

std::string formula_in_words(const SumInBox& sum, const DigitBasis& basis) {
  const Names names(basis);
  std::vector<std::string> factors;
  for (const ReadValue& read : sum.reads) {
    std::vector<std::string> index;
    for (const ReadAxis& axis : read.axes) index.push_back(index_in_words(axis, names));
    if (read.name.empty() && index.empty())
      factors.emplace_back("f(…)");
    else
      factors.push_back(
          fmt::format("{}[{}]", read.name.empty() ? "f" : read.name, fmt::join(index, ", ")));
  }
  const bool has_one = sum.coefficients.size() == 1;
  const std::string coefficient = !has_one                     ? "coefficient · "
                                  : sum.coefficients[0] == "1" ? ""
                                                               : sum.coefficients[0] + " · ";
  if (factors.empty()) return has_one ? sum.coefficients[0] : "a number";
  return fmt::format("{}{}{}", sum.products > 1 ? "Σ " : "", coefficient,
                     fmt::join(factors, " · "));
}

}  // namespace pet::viz
