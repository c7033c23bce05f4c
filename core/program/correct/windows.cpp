#include "core/program/correct/windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace pet {
namespace {

Dim rounded_up(Dim value, Dim step) { return (value + step - 1) / step; }

// Positions of the original's operand from one position of the window to the next.
Result<Dim> step_between(const SlidePair& pair, Dim wanted_step) {
  if (pair.original.taps != pair.main.taps) return Error{"an axis with another number of taps"};
  if (pair.original.taps == 1) {
    const Dim moved = wanted_step * pair.original.stride;
    return moved / std::gcd(moved, pair.main.stride);
  }
  if (pair.original.dilation % pair.main.dilation != 0)
    return Error{"an axis whose taps lie further apart than they should"};
  return pair.original.dilation / pair.main.dilation;
}

Stretch stretch(const SlidePair& pair, Dim step, Dim position, Dim count) {
  Stretch out{.count = count,
              .low = position * pair.original.stride - pair.original.before,
              .step = step,
              .reads = reads_of(pair.main, count)};
  if (out.low < 0) out.before = rounded_up(-out.low, step);
  const Dim inside = out.low >= pair.data ? 0 : rounded_up(pair.data - out.low, step);
  out.before = std::min(out.before, out.reads);
  out.after = std::max<Dim>(out.reads - std::max(inside, out.before), 0);
  return out;
}

}  // namespace

Dim reads_of(const Slide& window, Dim count) {
  return (count - 1) * window.stride + window.reach();
}

std::optional<Cells> cells(const SlidePair& pair, Dim count, Dim before, Dim after) {
  const Slide& w = pair.main;
  const Dim reads = reads_of(w, count);
  const Dim first = rounded_up(w.before, w.stride);  // beyond the operator's own padding
  const Dim start = first * w.stride - w.before;
  if (start + reads <= pair.room) {
    const Dim results = rounded_up(reads, w.stride);
    const Dim cell = results * w.stride;
    return Cells{start, cell, 1 + (pair.room - start - reads) / cell, first, results};
  }
  // Its zeros may be the operator's padding.
  for (Dim i = 0; i + count <= pair.results; ++i) {
    const Dim here = i * w.stride - w.before;
    if (-here <= before && here + reads - after <= pair.room)
      return Cells{here, reads, 1, i, count};
  }
  return std::nullopt;
}

Result<std::vector<std::vector<Stretch>>> stretches(const SlidePair& pair,
                                                    const Progression& wanted) {
  const auto step = step_between(pair, wanted.step);
  if (!step) return step.error();
  // Results that follow each other are so far apart in the original.
  const Dim apart = *step * pair.main.stride;
  const Dim moved = wanted.step * pair.original.stride;
  const Dim phases = std::min(apart % moved == 0 ? apart / moved : wanted.count, wanted.count);
  std::vector<std::vector<Stretch>> out;
  for (Dim phase = 0; phase < phases; ++phase) {
    const Dim count = rounded_up(wanted.count - phase, phases);
    const Dim position = wanted.low + phase * wanted.step;
    const Stretch whole = stretch(pair, *step, position, count);
    out.emplace_back();
    if (cells(pair, count, whole.before, whole.after)) {
      out.back().push_back(whole);
      continue;
    }
    const Dim start = floor_mod(-pair.main.before, pair.main.stride);
    const Dim free = pair.room - start - pair.main.reach();
    if (free < 0)
      return Error{fmt::format("a window of {} positions is too short for one result", pair.room)};
    const Dim most = free / pair.main.stride + 1;
    for (Dim done = 0; done < count; done += most) {
      out.back().push_back(stretch(pair, *step, position + done * phases * wanted.step,
                                   std::min(most, count - done)));
    }
  }
  return out;
}

}  // namespace pet
