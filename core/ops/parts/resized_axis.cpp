#include "core/ops/parts/resized_axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pet::ops {
namespace {

constexpr Dim kLongestAxis = Dim{1} << 16;  // every position is computed

// (slope · v + offset) / divisor, at position v of the result.
struct Line {
  Dim slope = 1;
  Dim offset = 0;
  Dim divisor = 1;

  Rational at(Dim v) const { return ratio(slope * v + offset, divisor); }
  Dim floor_at(Dim v) const { return floor_div(slope * v + offset, divisor); }
  IndexExpr floor(std::size_t axis) const { return div(v(axis) * slope + offset, divisor); }
};

Line exact_coordinate(const ResizedAxis& axis) {
  const auto& mode = axis.coordinates;
  if (mode == "align_corners")
    return axis.to == 1 ? Line{0, 0, 1} : Line{axis.from - 1, 0, axis.to - 1};
  if (mode == "asymmetric") return {axis.from, 0, axis.to};
  if (mode == "pytorch_half_pixel" && axis.to == 1) return {0, 0, 1};
  return {2 * axis.from, axis.from - axis.to, 2 * axis.to};
}

// Operation for operation as ONNX Runtime does it.
float float_coordinate(const ResizedAxis& axis, Dim position) {
  const auto& mode = axis.coordinates;
  const auto at = static_cast<float>(position);
  const auto from = static_cast<float>(axis.from);
  const auto to = static_cast<float>(axis.to);
  const float scale = to / from;
  if (mode == "align_corners") return axis.to == 1 ? 0 : at * (from - 1) / (to - 1);
  if (mode == "asymmetric") return at / scale;
  if (mode == "pytorch_half_pixel" && axis.to == 1) return 0;
  return (at + 0.5F) / scale - 0.5F;
}

Dim float_rounded(float x, std::string_view rounding) {
  if (rounding == "floor") return static_cast<Dim>(std::floor(x));
  if (rounding == "ceil") return static_cast<Dim>(std::ceil(x));
  const bool is_half = x == std::trunc(x) + 0.5F;
  if (rounding == "round_prefer_floor" && is_half) return static_cast<Dim>(std::floor(x));
  return static_cast<Dim>(std::round(x));
}

// Rounding down the result is rounding x as wanted.
Line before_floor(const Line& x, std::string_view rounding) {
  if (rounding == "floor") return x;
  if (rounding == "ceil") return {x.slope, x.offset + x.divisor - 1, x.divisor};
  const Dim half = rounding == "round_prefer_ceil" ? x.divisor : x.divisor - 1;
  return {2 * x.slope, 2 * x.offset + half, 2 * x.divisor};
}

// Whether position v lies beside a border between two elements, and not on it: too close for
// runtimes that round what is almost halfway as if it were.
bool is_ambiguous(const Line& x, std::string_view rounding, Dim v) {
  constexpr Dim kClose = 1024;
  const bool at_integers = rounding == "floor" || rounding == "ceil";
  const Line border = at_integers ? x : Line{2 * x.slope, 2 * x.offset + x.divisor, 2 * x.divisor};
  const Dim behind = floor_mod(border.slope * v + border.offset, border.divisor);
  const Dim beside = std::min(behind, border.divisor - behind);
  return beside != 0 && beside < border.divisor / kClose;
}

// The same after rounding down, in the smallest numbers.
Line reduced(const Line& x) {
  const Dim common = std::gcd(x.slope, x.divisor);
  return {x.slope / common, floor_div(x.offset, common), x.divisor / common};
}

// No table where all weights are equal. What has no weight is read all the same.
void add_weighted(std::vector<Piece>& pieces, const ResizedAxis& axis, const IndexExpr& at,
                  std::vector<Rational> weights) {
  const bool equal =
      std::adjacent_find(weights.begin(), weights.end(), std::not_equal_to<>()) == weights.end();
  Piece piece{{}, at};
  if (equal)
    piece.coef.scale = weights.front();
  else
    piece.coef.tables.push_back({static_cast<int>(axis.axis), std::move(weights)});
  pieces.push_back(std::move(piece));
}

}  // namespace

Status check_resized(const ResizedAxis& axis) {
  constexpr std::string_view kKnown[] = {"align_corners", "asymmetric", "half_pixel",
                                         "pytorch_half_pixel"};
  if (std::find(std::begin(kKnown), std::end(kKnown), axis.coordinates) == std::end(kKnown)) {
    return Error{
        "Resize: attribute coordinate_transformation_mode has a form that is not "
        "interpreted",
        ErrorKind::Unsupported};
  }
  if (axis.from < 1 || axis.to < 1 || std::max(axis.from, axis.to) > kLongestAxis) {
    return Error{fmt::format("Resize: from {} positions to {}", axis.from, axis.to),
                 ErrorKind::Unsupported};
  }
  return Done{};
}

Result<std::vector<Piece>> nearest_pieces(const ResizedAxis& axis, std::string_view rounding) {
  const Line coordinate = exact_coordinate(axis);
  const Line line = reduced(before_floor(coordinate, rounding));
  const auto cut = [&](Dim at) { return std::clamp<Dim>(at, 0, axis.from - 1); };
  Dim low = 0;
  Dim high = 0;
  for (Dim v = 0; v < axis.to; ++v) {
    const Dim exact = line.floor_at(v);
    if (cut(exact) != cut(float_rounded(float_coordinate(axis, v), rounding)) ||
        is_ambiguous(coordinate, rounding, v)) {
      return Error{fmt::format("Resize: from {} positions to {} float32 may choose another element "
                               "than exact coordinates at position {}",
                               axis.from, axis.to, v),
                   ErrorKind::Unsupported};
    }
    if (exact < 0) low = v + 1;
    if (exact < axis.from) high = v + 1;
  }
  std::vector<Piece> pieces;
  if (low > 0) pieces.push_back({within(axis.axis, 0, low, axis.to), IndexExpr(0)});
  if (high > low) pieces.push_back({within(axis.axis, low, high, axis.to), line.floor(axis.axis)});
  if (high < axis.to)
    pieces.push_back({within(axis.axis, high, axis.to, axis.to), IndexExpr(axis.from - 1)});
  return pieces;
}

Result<std::vector<Piece>> linear_pieces(const ResizedAxis& axis) {
  // Four roundings of numbers of size 1: what is taken for exact loses as much.
  constexpr double kClose = 0x1p-22;
  const Line exact = exact_coordinate(axis);
  const Line line = reduced(exact);
  std::vector<Rational> of_first;
  std::vector<Rational> of_second;
  Dim before = 0;  // so many positions lie before element 0
  for (Dim v = 0; v < axis.to; ++v) {
    // Beyond a border its element counts whole: the last as the first neighbour, element 0 as the
    // second one of element −1.
    const Dim first = line.floor_at(v);
    const Rational fraction = exact.at(v) - first;
    const bool is_alone = first < 0 || first >= axis.from - 1 || sgn(fraction) == 0;
    const auto last = static_cast<float>(axis.from - 1);
    const float as_float = std::clamp(float_coordinate(axis, v), 0.0F, last);
    if (is_alone && as_float != std::clamp(static_cast<float>(first), 0.0F, last)) {
      return Error{fmt::format("Resize: from {} positions to {} float32 adds a neighbour to the "
                               "single element that position {} is by exact coordinates",
                               axis.from, axis.to, v),
                   ErrorKind::Unsupported};
    }
    const Rational off = pet::exact(static_cast<double>(as_float)) -
                         std::clamp<Rational>(exact.at(v), 0, axis.from - 1);
    if (abs(off) > pet::exact(kClose)) {
      return Error{fmt::format("Resize: from {} positions to {} float32 weighs the neighbours of "
                               "position {} otherwise than exact coordinates",
                               axis.from, axis.to, v),
                   ErrorKind::Unsupported};
    }
    if (first < 0) before = v + 1;
    of_second.push_back(first < 0 ? Rational(1) : first >= axis.from - 1 ? Rational(0) : fraction);
    of_first.push_back(1 - of_second.back());
  }
  std::vector<Piece> pieces;
  add_weighted(pieces, axis, line.floor(axis.axis), std::move(of_first));
  const bool has_neighbours = axis.from > 1 && !(axis.lies_outside && axis.from == axis.to);
  const auto has_weight = [](const Rational& weight) { return sgn(weight) != 0; };
  if (has_neighbours || std::ranges::any_of(of_second, has_weight))
    add_weighted(pieces, axis, line.floor(axis.axis) + 1, std::move(of_second));
  if (has_neighbours && before > 0) {
    Piece piece{within(axis.axis, 0, before, axis.to), IndexExpr(1)};
    piece.coef.scale = 0;
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

}  // namespace pet::ops
