#include "core/eval/loops.h"

#include <algorithm>

namespace pet {
namespace {

// The longer of the output's and the reduction's innermost loops; where that is short, the longest:
// short lines cost more than they do. Never the output's first of several, which threads share out.
std::size_t inner_loop(const TermPlan& plan) {
  if (plan.extents.empty()) return 0;
  if (plan.is_dense()) return plan.extents.size() - 1;
  std::size_t best = plan.extents.size() - 1;
  if (plan.out_loops > 0 && plan.extents[plan.out_loops - 1] >= plan.extents[best])
    best = plan.out_loops - 1;
  constexpr Dim kLongEnough = 64;
  if (plan.extents[best] >= kLongEnough) return best;
  for (std::size_t a = plan.extents.size(); a-- > (plan.out_loops > 1 ? 1U : 0U);) {
    if (plan.extents[a] > plan.extents[best]) best = a;
  }
  return best;
}

// At the line's outer position; what the inner loop adds comes on top, also at its first point.
Dim sum_at(const AxisSum& sum, const Line& line) {
  Dim total = sum.base;
  for (std::size_t a = 0; a < line.at.size(); ++a) {
    if (a != line.inner) total += sum.along(a, line.at[a]);
  }
  return total;
}

// Strikes out what fails a check. `values`: room for the checked sum.
void apply_check(const Check& check, const Line& line, std::vector<Dim>& values,
                 std::vector<Dim>& offsets) {
  const Dim base = sum_at(check.sum, line);
  if (line.at.empty() || !check.sum.depends_on(line.inner)) {
    if (!check.holds(base)) std::fill(offsets.begin(), offsets.end(), Dim{-1});
    return;
  }
  values.resize(line.length);
  check.sum.walk(line.inner, base, values);
  for (std::size_t i = 0; i < line.length; ++i) {
    if (!check.holds(values[i])) offsets[i] = -1;
  }
}

void fill_offsets(const TermPlan& plan, const ReadPlan& read, const Line& line,
                  std::vector<Dim>& values, std::vector<Dim>& offsets) {
  offsets.resize(line.length);
  if (!read.dense.empty()) {
    std::copy_n(read.dense.begin() + line.first_point, line.length, offsets.begin());
  } else {
    const Dim base = sum_at(read.offset, line);
    if (line.at.empty()) {
      std::fill(offsets.begin(), offsets.end(), base);
    } else {
      read.offset.walk(line.inner, base, offsets);
    }
    for (const Check& check : read.checks) apply_check(check, line, values, offsets);
  }
  for (const Check& guard : plan.guards) apply_check(guard, line, values, offsets);
}

}  // namespace

std::size_t line_count(const TermPlan& plan) {
  std::size_t lines = 1;
  const std::size_t inner = inner_loop(plan);
  for (std::size_t a = 0; a < plan.extents.size(); ++a) {
    if (plan.extents[a] == 0) return 0;
    if (a != inner) lines *= static_cast<std::size_t>(plan.extents[a]);
  }
  return lines;
}

void for_each_line(const TermPlan& plan, std::size_t first, std::size_t last,
                   const std::function<void(const Line&)>& run) {
  Line line;
  line.inner = inner_loop(plan);
  line.at.assign(plan.extents.size(), 0);
  line.length = plan.extents.empty() ? 1 : static_cast<std::size_t>(plan.extents[line.inner]);
  line.reads.resize(plan.reads.size());
  const bool moves = !plan.extents.empty() && plan.out_offset.depends_on(line.inner);
  std::vector<Dim> out_steps(moves ? line.length : 0);
  if (moves) {
    plan.out_offset.walk(line.inner, 0, out_steps);
    line.out_steps = &out_steps;
  }
  std::vector<Dim> values;
  const auto strides = row_major_strides(plan.extents);
  for (std::size_t number = first; number < last; ++number) {
    std::size_t rest = number;
    line.first_point = 0;
    for (std::size_t a = plan.extents.size(); a-- > 0;) {
      if (a == line.inner) continue;
      const auto extent = static_cast<std::size_t>(plan.extents[a]);
      line.at[a] = static_cast<Dim>(rest % extent);
      rest /= extent;
      line.first_point += line.at[a] * strides[a];
    }
    line.out_base = sum_at(plan.out_offset, line);
    for (std::size_t r = 0; r < plan.reads.size(); ++r)
      fill_offsets(plan, plan.reads[r], line, values, line.reads[r]);
    run(line);
  }
}

}  // namespace pet
