#include "core/eval/contraction.h"

#include <algorithm>

namespace pet {
namespace {

bool reads_along(const ReadPlan& read, std::size_t loop) {
  return read.offset.depends_on(loop) ||
         std::any_of(read.checks.begin(), read.checks.end(),
                     [&](const Check& check) { return check.sum.depends_on(loop); });
}

void append(FlatLoops& group, const TermPlan& plan, std::size_t loop) {
  group.loops.push_back(loop);
  group.size *= static_cast<std::size_t>(plan.extents[loop]);
}

bool decided_without(const Check& guard, const FlatLoops& group) {
  return std::none_of(group.loops.begin(), group.loops.end(),
                      [&](std::size_t l) { return guard.sum.depends_on(l); });
}

}  // namespace

std::optional<ContractionPlan> plan_contraction(const TermPlan& plan) {
  if (plan.reads.size() != 2 || plan.is_dense() || plan.out_loops == plan.extents.size())
    return std::nullopt;
  if (std::find(plan.extents.begin(), plan.extents.end(), 0) != plan.extents.end())
    return std::nullopt;
  ContractionPlan out;
  FlatLoops first;
  FlatLoops second;
  for (std::size_t loop = 0; loop < plan.extents.size(); ++loop) {
    const bool in_first = reads_along(plan.reads[0], loop);
    const bool in_second = reads_along(plan.reads[1], loop);
    if (loop >= plan.out_loops) {
      append(out.depth, plan, loop);
    } else if (in_first == in_second) {
      append(out.batch, plan, loop);
    } else {
      append(in_first ? first : second, plan, loop);
    }
  }
  const bool first_is_rows = first.size < second.size;
  out.row_read = first_is_rows ? 0 : 1;
  out.column_read = first_is_rows ? 1 : 0;
  out.rows = first_is_rows ? first : second;
  out.columns = first_is_rows ? second : first;
  for (const Check& guard : plan.guards) {
    if (decided_without(guard, out.columns)) {
      out.row_guards.push_back(guard);
    } else if (decided_without(guard, out.rows)) {
      out.column_guards.push_back(guard);
    } else {
      return std::nullopt;
    }
  }
  return out;
}

std::vector<Dim> flattened(const AxisSum& sum, const TermPlan& plan, const FlatLoops& group) {
  std::vector<Dim> values = {0};
  for (const std::size_t loop : group.loops) {
    std::vector<Dim> next;
    next.reserve(values.size() * static_cast<std::size_t>(plan.extents[loop]));
    for (const Dim base : values) {
      for (Dim i = 0; i < plan.extents[loop]; ++i) next.push_back(base + sum.along(loop, i));
    }
    values = std::move(next);
  }
  return values;
}

}  // namespace pet
