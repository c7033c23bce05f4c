// The moves of the generator: what may be done to a product next. Each follows from the roles of
// the axes and from nothing else.
#pragma once

#include "core/program/mutate/state.h"

namespace pet::mutation {

struct MoveLimits {
  std::size_t views = 2;    // digits moved in one view
  std::size_t windows = 1;  // windowings and repetitions of the data
  Dim largest_factor = 8;   // of a digit, unless it is a whole axis or a dilation
  Dim largest_whole = 64;   // frames or images that are joined as a whole
  Dim largest_growth = 8;   // of the data, by repeating or windowing it
};

// The states that one move leads to, most promising first.
std::vector<State> moves(const State& state, const MoveLimits& limits);

// What moves are made of. A digit of a factor, split off the outer or inner end of an axis, on all
// tensors that it is an axis of; false where that is not possible.
struct Taken {
  std::vector<int> data;
  std::vector<int> weight;
  std::vector<int> result;
};
std::optional<Taken> take(State& state, std::size_t axis, Dim factor, bool outer);
// The same on one side: the digits that were split off.
std::vector<int> take_from(State& state, std::vector<int>& digits, std::vector<Step>& steps,
                           Dim factor, bool outer);
std::vector<Dim> factors_of(Dim extent, Dim largest);
// Pads every sliding axis such that its result has the length that it must have; false where that
// is not possible.
bool fit_windows(State& state);
// A step on the only data digit of a sliding axis, and what stands there afterwards.
void pad_data(State& state, std::size_t axis, Dim before, Dim after);
void drop_empty_axes(State& state);
// In front of the first axis of that role.
void insert_before(State& state, AxisRole role, OpAxis axis);

}  // namespace pet::mutation
