#include "core/eval/windows.h"

#include <algorithm>

#include "core/eval/loops.h"

namespace pet {
namespace {

bool window_depends_on(const Window& window, int axis) {
  const auto depends = [&](const IndexExpr& e) { return e.depends_on(axis); };
  return std::any_of(window.read.index.begin(), window.read.index.end(), depends) ||
         std::any_of(window.guards.begin(), window.guards.end(),
                     [&](const Guard& g) { return depends(g.expr); });
}

}  // namespace

std::vector<Dim> read_offsets(const Access& access, const std::vector<Guard>& guards,
                              const Shape& loops, const Shape& operand) {
  if (count(loops) == 0) return {};
  const TermPlan plan = compile_read(access, guards, loops, operand);
  std::vector<Dim> offsets(static_cast<std::size_t>(count(loops)));
  for_each_line(plan, 0, line_count(plan), [&](const Line& line) {
    for (std::size_t i = 0; i < line.length; ++i) {
      const Dim at = line.out_base + (line.out_steps == nullptr ? 0 : (*line.out_steps)[i]);
      offsets[static_cast<std::size_t>(at)] = line.reads[0][i];
    }
  });
  return offsets;
}

WindowPlan plan_windows(const Application& application, const Shape& operand) {
  const Window& window = *application.window;
  WindowPlan plan;
  plan.distinct = application.out;
  for (std::size_t a = 0; a < plan.distinct.size(); ++a) {
    if (plan.distinct[a] != 0 && !window_depends_on(window, static_cast<int>(a)))
      plan.distinct[a] = 1;
  }
  Shape loops = plan.distinct;
  loops.insert(loops.end(), window.extent.begin(), window.extent.end());
  plan.windows = static_cast<std::size_t>(count(plan.distinct));
  plan.width = static_cast<std::size_t>(count(window.extent));
  plan.offsets = read_offsets(window.read, window.guards, loops, operand);

  const auto strides = row_major_strides(plan.distinct);
  Shape at(application.out.size(), 0);
  plan.of_output.resize(static_cast<std::size_t>(count(application.out)));
  for (std::size_t& number : plan.of_output) {
    Dim flat = 0;
    for (std::size_t a = 0; a < at.size(); ++a)
      flat += plan.distinct[a] == 1 ? 0 : at[a] * strides[a];
    number = static_cast<std::size_t>(flat);
    for (std::size_t a = at.size(); a-- > 0 && ++at[a] == application.out[a];) at[a] = 0;
  }
  return plan;
}

}  // namespace pet
