#include "core/program/mutate/moves_windows.h"

#include <algorithm>

namespace pet::mutation {
namespace {

class WindowMoves {
 public:
  WindowMoves(const State& state, const MoveLimits& limits, std::vector<State>& out)
      : s_(state), limits_(limits), out_(out) {}

  void all() {
    for (std::size_t a = 0; a < s_.axes.size(); ++a) {
      if (s_.axes[a].role != AxisRole::Slide) continue;
      const bool single = s_.axes[a].data.size() == 1 && s_.axes[a].result.size() == 1 &&
                          s_.axes[a].weight.size() <= 1;
      if (single) drop_idle_taps(a);
      if (single && s_.windows < limits_.windows) {
        taps_apart(a);
        taps_to_channels(a);
      }
      if (s_.views >= limits_.views) continue;
      taps_from_channels(a);
      if (!single) continue;
      phases_to_channels(a);
      pad_end(a);
    }
  }

 private:
  void add(State next, Move made) {
    if (!fit_windows(next)) return;
    drop_empty_axes(next);
    next.moves.push_back(std::move(made));
    out_.push_back(std::move(next));
  }

  // The step that reads one position a tap; the axis does not slide any more.
  static Step unroll(State& next, std::size_t a, Step::Kind kind) {
    const Slide w = next.axes[a].slide;
    const Dim result = next.total(next.axes[a].result);
    pad_data(next, a, w.before, w.after);
    OpAxis& axis = next.axes[a];
    const Step step{.kind = kind,
                    .digit = axis.data.front(),
                    .with = next.digit(result),
                    .low = w.dilation,
                    .count = w.taps,
                    .length = result,
                    .stride = w.stride};
    axis.data = {step.with};
    axis.weight.clear();
    axis.role = AxisRole::Batch;
    axis.slide = {};
    ++next.windows;
    return step;
  }

  // Taps at either end that meet nothing but padding, wherever the window stands.
  void drop_idle_taps(std::size_t a) {
    const OpAxis& axis = s_.axes[a];
    const Slide& w = axis.slide;
    if (axis.weight.size() != 1) return;
    const Dim data = s_.total(axis.data);
    const Dim result = s_.total(axis.result);
    const auto is_idle = [&](Dim tap) {
      for (Dim o = 0; o < result; ++o) {
        const Dim read = o * w.stride + tap * w.dilation - w.before;
        if (read >= 0 && read < data) return false;
      }
      return true;
    };
    Dim first = 0;
    Dim last = w.taps;
    while (first < last && is_idle(first)) ++first;
    while (last > first && is_idle(last - 1)) --last;
    if (last - first == w.taps || first == last) return;
    State next = s_;
    OpAxis& kept = next.axes[a];
    const Step step{.kind = Step::Kind::Taps,
                    .digit = kept.weight.front(),
                    .to = next.digit(last - first),
                    .low = first,
                    .count = last - first};
    next.weight_steps.push_back(step);
    kept.weight = {step.to};
    kept.slide.taps = step.count;
    kept.slide.before = w.before - first * w.dilation;
    if (kept.slide.before < 0) return;
    const auto after = kept.slide.after_for(data, result);
    if (!after) return;
    kept.slide.after = *after;
    if (kept.slide.moves_nothing() && data == result) {
      kept.role = AxisRole::Batch;
      kept.weight.clear();
    }
    add(std::move(next), move::DropIdleTaps{axis.dim});
  }

  void taps_apart(std::size_t a) {
    const OpAxis& axis = s_.axes[a];
    if (axis.weight.empty() || axis.slide.taps > limits_.largest_growth || s_.sums > 0) return;
    State next = s_;
    const int tap = axis.weight.front();
    next.data_steps.push_back(unroll(next, a, Step::Kind::Apart));
    next.weight_steps.push_back({.kind = Step::Kind::Apart, .digit = tap});
    ++next.sums;
    add(std::move(next), move::TapsApart{axis.dim});
  }

  void taps_to_channels(std::size_t a) {
    const OpAxis& axis = s_.axes[a];
    if (axis.slide.taps > limits_.largest_growth) return;
    State next = s_;
    const std::vector<int> taps = axis.weight;
    Step step = unroll(next, a, Step::Kind::Windows);
    step.to = next.digit(step.count);
    next.data_steps.push_back(step);
    const std::size_t dim = axis.dim;
    if (!taps.empty()) {
      OpAxis channel;
      channel.role = AxisRole::Channel;
      channel.data = {step.to};
      channel.weight = taps;
      insert_before(next, AxisRole::Channel, std::move(channel));
    }
    add(std::move(next), move::TapsToChannels{dim});
  }

  // Channels side by side along the axis: every window reads all of them.
  void taps_from_channels(std::size_t a) {
    if (s_.axes[a].slide.dilation != 1 || s_.windows + s_.views > 0) return;
    for (std::size_t c = 0; c < s_.axes.size(); ++c) {
      if (s_.axes[c].role != AxisRole::Channel) continue;
      for (const Dim factor : {Dim{2}, Dim{4}}) {
        State next = s_;
        const auto taken = take(next, c, factor, false);
        if (!taken) continue;
        OpAxis& axis = next.axes[a];
        axis.data.insert(axis.data.end(), taken->data.begin(), taken->data.end());
        axis.weight.insert(axis.weight.end(), taken->weight.begin(), taken->weight.end());
        axis.slide.taps *= factor;
        axis.slide.stride *= factor;
        axis.slide.before *= factor;
        ++next.views;
        next.last = true;
        add(std::move(next), move::ChannelsToTaps{factor, s_.axes[a].dim});
      }
    }
  }

  // The positions that one step of the window passes, as channels.
  void phases_to_channels(std::size_t a) {
    const Slide& w = s_.axes[a].slide;
    if (w.dilation != 1) return;
    for (const Dim factor : factors_of(w.stride, w.stride)) {
      const bool whole =
          w.taps % factor == 0 && w.before % factor == 0 && s_.total(s_.axes[a].data) % factor == 0;
      if (!whole || s_.axes[a].weight.empty() || (s_.factor != 0 && s_.factor != factor)) continue;
      State next = s_;
      OpAxis channel;
      channel.role = AxisRole::Channel;
      channel.data = take_from(next, next.axes[a].data, next.data_steps, factor, false);
      channel.weight = take_from(next, next.axes[a].weight, next.weight_steps, factor, false);
      OpAxis& axis = next.axes[a];
      if (axis.data.empty()) continue;
      axis.slide.taps /= factor;
      axis.slide.stride /= factor;
      axis.slide.before /= factor;
      axis.slide.after = 0;
      const auto after = axis.slide.after_for(next.total(axis.data), next.total(axis.result));
      if (!after) continue;
      axis.slide.after = *after;
      if (axis.slide.moves_nothing()) {
        if (next.total(axis.data) != next.total(axis.result)) continue;
        axis.role = AxisRole::Batch;
      }
      const std::size_t dim = axis.dim;
      insert_before(next, AxisRole::Channel, std::move(channel));
      ++next.views;
      next.factor = factor;
      add(std::move(next), move::Phases{dim, factor, move::Gathered::Channels});
    }
  }

  void pad_end(std::size_t a) {
    if (s_.windows + s_.views > 0) return;
    const Dim data = s_.total(s_.axes[a].data);
    Dim last = 0;
    for (const Dim multiple : {Dim{2}, Dim{4}, Dim{8}}) {
      const Dim zeros = floor_mod(-data, multiple);
      if (zeros == last || zeros == 0) continue;
      last = zeros;
      State next = s_;
      pad_data(next, a, 0, zeros);
      OpAxis& axis = next.axes[a];
      int& digit = axis.result.front();
      const Dim longer = axis.slide.length(next.total(axis.data));
      if (longer < next.extent[at(digit)]) continue;
      if (longer > next.extent[at(digit)]) {
        const int made = next.digit(longer);
        next.result_steps.push_back({.kind = Step::Kind::Crop,
                                     .digit = digit,
                                     .to = made,
                                     .count = next.extent[at(digit)]});
        digit = made;
      }
      ++next.views;
      add(std::move(next), move::PadEnd{s_.axes[a].dim, zeros});
    }
  }

  const State& s_;
  const MoveLimits& limits_;
  std::vector<State>& out_;
};

}  // namespace

void move_windows(const State& state, const MoveLimits& limits, std::vector<State>& out) {
  WindowMoves(state, limits, out).all();
}

}  // namespace pet::mutation
