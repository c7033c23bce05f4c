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

std::vector<Dim> read_offsets(const TermPlan& plan) {
  std::vector<Dim> offsets(static_cast<std::size_t>(count(plan.extents)));
  for_each_line(plan, 0, line_count(plan), [&](const Line& line) {
    for (std::size_t i = 0; i < line.length; ++i) {
      const Dim at = line.out_base + (line.out_steps == nullptr ? 0 : (*line.out_steps)[i]);
      offsets[static_cast<std::size_t>(at)] = line.reads[0][i];
    }
  });
  return offsets;
}

Shape distinct_windows(const Application& application) {
  Shape out = application.out;
  for (std::size_t a = 0; a < out.size(); ++a) {
    if (out[a] != 0 && !window_depends_on(*application.window, static_cast<int>(a))) out[a] = 1;
  }
  return out;
}

WindowCode compile_window(const Application& application, const Shape& operand) {
  const Window& window = *application.window;
  WindowCode code;
  code.distinct = distinct_windows(application);
  Shape loops = code.distinct;
  loops.insert(loops.end(), window.extent.begin(), window.extent.end());
  code.windows = static_cast<std::size_t>(count(code.distinct));
  code.width = static_cast<std::size_t>(count(window.extent));
  code.read = compile_read(window.read, window.guards, loops, operand);
  return code;
}

WindowPlan plan_windows(const WindowCode& code, const Shape& out) {
  WindowPlan plan{code.windows, code.width, read_offsets(code.read), {}};
  const auto strides = row_major_strides(code.distinct);
  Shape at(out.size(), 0);
  plan.of_output.resize(static_cast<std::size_t>(count(out)));
  for (std::size_t& number : plan.of_output) {
    Dim flat = 0;
    for (std::size_t a = 0; a < at.size(); ++a)
      flat += code.distinct[a] == 1 ? 0 : at[a] * strides[a];
    number = static_cast<std::size_t>(flat);
    for (std::size_t a = at.size(); a > 0 && ++at[a - 1] == out[a - 1]; --a) at[a - 1] = 0;
  }
  return plan;
}

}  // namespace pet
