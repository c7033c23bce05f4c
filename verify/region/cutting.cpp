#include "verify/region/cutting.h"

#include <fmt/format.h>

#include "core/util/check.h"

namespace pet::region {
namespace {

constexpr std::size_t kMostBases = 64;

}  // namespace

Cutting::Cutting(const Shape& shape, std::size_t most_boxes)
    : most_boxes_(most_boxes), basis_(DigitBasis::plain(shape)) {
  begin();
}

void Cutting::begin() {
  ++begun_;
  taken_ = 0;
  open_.clear();
  cuts_.clear();
  std::vector<Range> whole;
  for (const Dim extent : basis_.flat()) {
    if (extent == 0) return;  // there is no position to look at
    whole.push_back({0, extent});
  }
  open_.push_back(std::move(whole));
}

Result<std::optional<std::vector<Range>>> Cutting::next() {
  if (open_.empty()) return std::optional<std::vector<Range>>();
  if (taken_ + open_.size() > most_boxes_)
    return Error{fmt::format("more than {} boxes", most_boxes_)};
  auto box = std::optional(std::move(open_.back()));
  open_.pop_back();
  ++taken_;
  return box;
}

Result<Cutting::Goes> Cutting::cut(const std::vector<Range>& box, const Narrow& why,
                                   std::size_t program) {
  const auto digit = static_cast<std::size_t>(why.var);
  const Range range = box[digit];
  PET_CHECK(range.extent() > 1, "what is to be narrowed is wide");
  Dim at = range.low + 1;
  if (why.how == Narrow::How::Cut) {
    at = why.value;
  } else if (why.how == Narrow::How::Digits) {
    if (refine(why, program)) {
      if (begun_ == kMostBases) return Error{"the axes fall into too many digits"};
      begin();
      return Goes::Anew;
    }
    at = (floor_div(range.low, why.value) + 1) * why.value;
  }
  PET_CHECK(range.low < at && at < range.high, "a cut lies inside");
  --taken_;
  cuts_.push_back({digit, at, why.cause, program, box});
  for (const Range part : {Range{range.low, at}, Range{at, range.high}}) {
    open_.push_back(box);
    open_.back()[digit] = part;
  }
  return Goes::On;
}

bool Cutting::refine(const Narrow& why, std::size_t program) {
  auto digit = static_cast<std::size_t>(why.var);
  const Dim factor = why.value;
  for (std::size_t axis = 0; axis < basis_.digits.size(); ++axis) {
    Shape& digits = basis_.digits[axis];
    if (digit >= digits.size()) {
      digit -= digits.size();
      continue;
    }
    Dim& extent = digits[digit];
    if (factor < 2 || extent <= factor || extent % factor != 0) return false;
    extent /= factor;
    digits.insert(digits.begin() + static_cast<std::ptrdiff_t>(digit) + 1, factor);
    splits_.push_back({axis, factor, why.cause, program});
    return true;
  }
  return false;
}

std::vector<Affine> Cutting::coordinates_in(const DigitBasis& basis) {
  std::vector<Affine> out;
  Var var = 0;
  for (const Shape& digits : basis.digits) {
    Affine e;
    for (const Dim digit : digits) e = e * digit + Affine::of(var++);
    out.push_back(std::move(e));
  }
  return out;
}

}  // namespace pet::region
