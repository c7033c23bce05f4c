#include "core/program/mutate/moves_digits.h"

#include <algorithm>

namespace pet::mutation {
namespace {

class DigitMoves {
 public:
  DigitMoves(const State& state, const MoveLimits& limits, std::vector<State>& out)
      : s_(state), limits_(limits), out_(out) {}

  void all() {
    for (std::size_t a = 0; a < s_.axes.size(); ++a) {
      if (s_.axes[a].role == AxisRole::Batch) join_along_all(a);
    }
    for (std::size_t a = 0; a < s_.axes.size(); ++a) {
      if (s_.axes[a].role == AxisRole::Slide) phases(a);
    }
    for (std::size_t a = 0; a < s_.axes.size(); ++a) {
      if (s_.axes[a].role == AxisRole::Slide) cuts(a);
    }
  }

 private:
  bool single(std::size_t axis) const {
    return s_.axes[axis].data.size() == 1 && s_.axes[axis].result.size() == 1;
  }
  Dim data_extent(std::size_t axis) const { return s_.total(s_.axes[axis].data); }
  Dim result_extent(std::size_t axis) const { return s_.total(s_.axes[axis].result); }

  // The moves of one view go together.
  bool fits_in(Dim factor, bool halos) const {
    return s_.factor == 0 || (s_.factor == factor && s_.halos == halos);
  }

  void add(State next, Dim factor, bool halos, Move made) {
    if (!fit_windows(next)) return;
    drop_empty_axes(next);
    ++next.views;
    next.factor = factor;
    next.halos = halos;
    next.moves.push_back(std::move(made));
    out_.push_back(std::move(next));
  }

  // ---- from a batch to an axis that slides

  void join_along_all(std::size_t batch) {
    if (s_.axes[batch].data.empty()) return;
    const Dim extent = s_.extent[at(s_.axes[batch].data.back())];
    auto factors = factors_of(extent, limits_.largest_factor);
    if (extent > limits_.largest_factor && extent <= limits_.largest_whole)
      factors.push_back(extent);
    for (const Dim factor : factors) {
      for (std::size_t slide = 0; slide < s_.axes.size(); ++slide) {
        if (s_.axes[slide].role != AxisRole::Slide) continue;
        join(batch, slide, factor, false);
        join(batch, slide, factor, true);
        interleave(batch, slide, factor);
      }
    }
  }

  // Zeros behind each piece, so many that no window reads two pieces.
  Dim halo(std::size_t slide) const {
    const Slide& w = s_.axes[slide].slide;
    if (s_.fixed) return (w.before + w.stride - 1) / w.stride * w.stride;
    const Dim data = data_extent(slide);
    const Dim beyond = (result_extent(slide) - 1) * w.stride + w.reach() - w.before - data;
    Dim zeros = std::max(w.before, std::max<Dim>(beyond, 0));
    while ((data + zeros) % w.stride != 0) ++zeros;
    return zeros;
  }

  void join(std::size_t batch, std::size_t slide, Dim factor, bool with_halo) {
    if (!fits_in(factor, with_halo)) return;
    const Dim zeros = with_halo ? halo(slide) : 0;
    if (with_halo && (zeros == 0 || !single(slide))) return;
    State next = s_;
    auto taken = take(next, batch, factor, false);
    if (!taken) return;
    pad_data(next, slide, 0, zeros);
    OpAxis& axis = next.axes[slide];
    axis.data.insert(axis.data.begin(), taken->data.begin(), taken->data.end());
    const Dim piece = next.total(axis.result);
    const Dim natural = s_.fixed ? factor * (piece + zeros / axis.slide.stride)
                                 : axis.slide.length(next.total(axis.data));
    if (natural % factor == 0 && natural / factor > piece && single(slide)) {
      int& digit = axis.result.front();
      const int longer = next.digit(natural / factor);
      next.result_steps.push_back(
          {.kind = Step::Kind::Crop, .digit = digit, .to = longer, .count = piece});
      digit = longer;
    }
    axis.result.insert(axis.result.begin(), taken->result.begin(), taken->result.end());
    add(std::move(next), factor, with_halo,
        move::Join{factor, s_.axes[batch].dim, s_.axes[slide].dim, with_halo});
  }

  void interleave(std::size_t batch, std::size_t slide, Dim factor) {
    if (s_.fixed || s_.axes[slide].slide.stride != 1 || s_.views + s_.windows > 0) return;
    State next = s_;
    auto taken = take(next, batch, factor, false);
    if (!taken) return;
    OpAxis& axis = next.axes[slide];
    axis.data.insert(axis.data.end(), taken->data.begin(), taken->data.end());
    axis.result.insert(axis.result.end(), taken->result.begin(), taken->result.end());
    axis.slide.dilation *= factor;
    axis.slide.before *= factor;
    next.last = true;
    add(std::move(next), factor, false,
        move::Interleave{factor, s_.axes[batch].dim, s_.axes[slide].dim});
  }

  // ---- from an axis that slides

  void give_to_batch(State& next, const Taken& taken, std::size_t from) const {
    if (!s_.fixed) {
      OpAxis batch;
      batch.data = taken.data;
      batch.result = taken.result;
      batch.dim = s_.axes[from].dim;
      next.axes.push_back(std::move(batch));
      return;
    }
    for (OpAxis& axis : next.axes) {  // its dimensions are what they are
      if (axis.role != AxisRole::Batch) continue;
      axis.data.insert(axis.data.end(), taken.data.begin(), taken.data.end());
      axis.result.insert(axis.result.end(), taken.result.begin(), taken.result.end());
      return;
    }
  }

  void cuts(std::size_t slide) {
    const OpAxis& axis = s_.axes[slide];
    const bool room = !s_.fixed || std::any_of(s_.axes.begin(), s_.axes.end(), [](const OpAxis& a) {
      return a.role == AxisRole::Batch;
    });
    if (!room || !single(slide)) return;
    for (const Dim factor : factors_of(result_extent(slide), limits_.largest_factor)) {
      cut_with_overlap(slide, factor);
      if (!fits_in(factor, false) || data_extent(slide) % factor != 0 ||
          data_extent(slide) == factor)
        continue;
      State next = s_;
      const auto taken = take(next, slide, factor, true);
      if (!taken) continue;
      give_to_batch(next, *taken, slide);
      add(std::move(next), factor, false, move::Cut{axis.dim, factor, false});
    }
  }

  void cut_with_overlap(std::size_t slide, Dim factor) {
    const Slide& w = s_.axes[slide].slide;
    const Dim piece = result_extent(slide) / factor;
    if (s_.fixed || w.taps == 1 || result_extent(slide) == factor || !fits_in(factor, true)) return;
    const Dim apart = piece * w.stride;
    const Dim length = (piece - 1) * w.stride + w.reach();
    State next = s_;
    const Dim behind = (factor - 1) * apart + length - w.before - data_extent(slide);
    pad_data(next, slide, w.before, std::max<Dim>(behind, 0));
    OpAxis& axis = next.axes[slide];
    Taken taken;
    taken.data = {next.digit(factor)};
    const int window = next.digit(length);
    next.data_steps.push_back({.kind = Step::Kind::Windows,
                               .digit = axis.data.front(),
                               .to = taken.data[0],
                               .with = window,
                               .low = apart,
                               .count = factor,
                               .length = length});
    axis.data = {window};
    const int outer = next.digit(factor);
    const int inner = next.digit(piece);
    next.result_steps.push_back(
        {.kind = Step::Kind::Split, .digit = axis.result.front(), .to = outer, .with = inner});
    taken.result = {outer};
    axis.result = {inner};
    axis.slide.before = axis.slide.after = 0;
    const std::size_t dim = axis.dim;
    give_to_batch(next, taken, slide);
    add(std::move(next), factor, true, move::Cut{dim, factor, true});
  }

  // Every f-th position is an image of its own, or they follow one another: what a dilation
  // divided by f reads.
  void phases(std::size_t slide) {
    const Slide& w = s_.axes[slide].slide;
    if (s_.fixed || w.stride != 1 || w.dilation == 1) return;
    auto factors = factors_of(w.dilation, w.dilation);
    std::reverse(factors.begin(), factors.end());
    for (const Dim factor : factors) {
      if (data_extent(slide) == factor || !fits_in(factor, false)) continue;
      State next = s_;
      const auto taken = take(next, slide, factor, false);
      if (!taken || next.axes[slide].data.empty() || next.axes[slide].result.empty()) continue;
      next.axes[slide].slide.dilation /= factor;
      next.axes[slide].slide.before /= factor;
      State in_a_row = next;
      give_to_batch(next, *taken, slide);
      const std::size_t dim = s_.axes[slide].dim;
      add(std::move(next), factor, false, move::Phases{dim, factor, move::Gathered::Images});
      OpAxis& axis = in_a_row.axes[slide];
      axis.data.insert(axis.data.begin(), taken->data.begin(), taken->data.end());
      axis.result.insert(axis.result.begin(), taken->result.begin(), taken->result.end());
      add(std::move(in_a_row), factor, false, move::Phases{dim, factor, move::Gathered::Row});
    }
  }

  const State& s_;
  const MoveLimits& limits_;
  std::vector<State>& out_;
};

}  // namespace

void move_digits(const State& state, const MoveLimits& limits, std::vector<State>& out) {
  if (state.views < limits.views) DigitMoves(state, limits, out).all();
}

}  // namespace pet::mutation
