#include "core/program/mutate/moves.h"

#include <algorithm>

#include "core/program/mutate/moves_digits.h"
#include "core/program/mutate/moves_groups.h"
#include "core/program/mutate/moves_windows.h"

namespace pet::mutation {
namespace {

bool divides(const State& s, const std::vector<int>& digits, Dim factor, bool outer) {
  const Dim extent = s.extent[at(outer ? digits.front() : digits.back())];
  return extent % factor == 0;
}

}  // namespace

void insert_before(State& state, AxisRole role, OpAxis axis) {
  const auto place = std::find_if(state.axes.begin(), state.axes.end(),
                                  [&](const OpAxis& a) { return a.role == role; });
  state.axes.insert(place, std::move(axis));
}

std::vector<int> take_from(State& s, std::vector<int>& digits, std::vector<Step>& steps, Dim factor,
                           bool outer) {
  int& end = outer ? digits.front() : digits.back();
  const int whole = end;
  const Dim extent = s.extent[at(whole)];
  if (extent == factor) {
    if (outer)
      digits.erase(digits.begin());
    else
      digits.pop_back();
    return {whole};
  }
  const int to = s.digit(outer ? factor : extent / factor);
  const int with = s.digit(outer ? extent / factor : factor);
  steps.push_back({.kind = Step::Kind::Split, .digit = whole, .to = to, .with = with});
  end = outer ? with : to;
  return {outer ? to : with};
}

std::optional<Taken> take(State& s, std::size_t axis, Dim factor, bool outer) {
  OpAxis& a = s.axes[axis];
  for (const auto* side : {&a.data, &a.weight, &a.result}) {
    const bool taps = side == &a.weight && a.role == AxisRole::Slide;
    if (!taps && !side->empty() && !divides(s, *side, factor, outer)) return std::nullopt;
  }
  Taken out;
  if (!a.data.empty()) out.data = take_from(s, a.data, s.data_steps, factor, outer);
  if (!a.result.empty()) out.result = take_from(s, a.result, s.result_steps, factor, outer);
  if (!a.weight.empty() && a.role != AxisRole::Slide)
    out.weight = take_from(s, a.weight, s.weight_steps, factor, outer);
  return out;
}

std::vector<Dim> factors_of(Dim extent, Dim largest) {
  std::vector<Dim> out;
  for (Dim f = 2; f <= std::min(extent, largest); ++f) {
    if (extent % f == 0) out.push_back(f);
  }
  return out;
}

bool fit_windows(State& s) {
  if (s.fixed) return true;
  for (OpAxis& axis : s.axes) {
    if (axis.role != AxisRole::Slide) continue;
    const auto after = axis.slide.after_for(s.total(axis.data), s.total(axis.result));
    if (!after) return false;
    axis.slide.after = *after;
  }
  return true;
}

void pad_data(State& s, std::size_t axis, Dim before, Dim after) {
  if (before == 0 && after == 0) return;
  int& digit = s.axes[axis].data.front();
  const int padded = s.digit(s.extent[at(digit)] + before + after);
  s.data_steps.push_back(
      {.kind = Step::Kind::Pad, .digit = digit, .to = padded, .low = before, .high = after});
  digit = padded;
}

void drop_empty_axes(State& s) {
  if (s.fixed) return;  // there every axis is a dimension
  std::erase_if(s.axes, [](const OpAxis& a) {
    return a.data.empty() && a.weight.empty() && a.result.empty() && a.role != AxisRole::Slide;
  });
}

std::vector<State> moves(const State& state, const MoveLimits& limits) {
  std::vector<State> out;
  if (state.last) return out;
  move_digits(state, limits, out);
  if (state.fixed) return out;
  move_windows(state, limits, out);
  move_groups(state, limits, out);
  return out;
}

}  // namespace pet::mutation
