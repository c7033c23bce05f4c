#include "viz/geometry/truth.h"

#include <fmt/format.h>

#include "core/util/check.h"
#include "viz/words/numbers.h"

namespace pet::viz {
namespace {

// Of a box, one run of neighbouring elements after another.
BoxTruth count_in(const Box& box, const Shape& flat, const std::vector<char>& equal_at) {
  BoxTruth out;
  if (box.volume() == 0) return out;
  const std::size_t digits = flat.size();
  const Dim run = digits == 0 ? 1 : box.high[digits - 1] - box.low[digits - 1];
  Shape at = box.low;
  while (true) {
    Dim first = 0;
    for (std::size_t i = 0; i < digits; ++i) first = first * flat[i] + at[i];
    for (Dim i = first; i < first + run; ++i)
      ++(equal_at[static_cast<std::size_t>(i)] != 0 ? out.equal : out.different);
    std::size_t digit = digits == 0 ? 0 : digits - 1;
    while (digit > 0 && ++at[digit - 1] == box.high[digit - 1]) {
      at[digit - 1] = box.low[digit - 1];
      --digit;
    }
    if (digit == 0) return out;
  }
}

bool says_equal(State state) { return state == State::Equal || state == State::Corrected; }

}  // namespace

std::vector<BoxTruth> truth_of(const QuotientGrid& grid, const std::vector<char>& equal_at) {
  PET_CHECK(static_cast<Dim>(equal_at.size()) == grid.elements(), "one mark for each element");
  const Shape flat = grid.basis().flat();
  std::vector<BoxTruth> out;
  for (const StatedBox& one : grid.boxes()) out.push_back(count_in(one.box, flat, equal_at));
  return out;
}

TruthCounts counts_of(const QuotientGrid& grid, const std::vector<BoxTruth>& truth) {
  TruthCounts out;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const State state = grid.boxes()[i].state;
    if (state == State::Unknown) {
      out.open += truth[i].equal + truth[i].different;
      continue;
    }
    (says_equal(state) ? out.equal : out.wasted) += truth[i].equal;
    (says_equal(state) ? out.uncovered : out.covered) += truth[i].different;
  }
  return out;
}

std::string in_words(const TruthCounts& counts) {
  std::string out =
      fmt::format("{} wrong and covered, {} wrong and uncovered, {} covered and right, {} right",
                  grouped(counts.covered), grouped(counts.uncovered), grouped(counts.wasted),
                  grouped(counts.equal));
  if (counts.open > 0) out += fmt::format("; {} in boxes that say nothing", grouped(counts.open));
  return out;
}

std::string finding_of(const StatedBox& box, const BoxTruth& truth) {
  if (box.state == State::Unknown) return {};
  if (says_equal(box.state))
    return truth.different == 0 ? "" : grouped(truth.different) + " wrong and uncovered";
  return truth.equal == 0 ? "" : grouped(truth.equal) + " covered and right";
}

}  // namespace pet::viz
