#include "gpu/emulate/device.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/util/check.h"
#include "core/util/overloaded.h"
#include "gpu/emulate/memory.h"
#include "gpu/kernel/interpret.h"

namespace pet::gpu {
namespace {

// Row-major through a box.
bool step_on(std::vector<Dim>& at, const Shape& extents) {
  for (std::size_t i = at.size(); i-- > 0;) {
    if (++at[i] < extents[i]) return true;
    at[i] = 0;
  }
  return false;
}

Dim offset(const View& view, std::span<const Dim> at) {
  Dim sum = 0;
  for (std::size_t i = 0; i < at.size(); ++i) sum += at[i] * view.strides[i];
  return sum;
}

class OfKernel final : public Memory {
 public:
  OfKernel(const KernelLaunch& launch, Arena& arena) : launch_(launch), arena_(arena) {}
  float read(int buffer, Dim at) override {
    return arena_.read(launch_.reads[static_cast<std::size_t>(buffer)], at);
  }
  void write(Dim at, float value) override { arena_.write(launch_.result, at, value); }

 private:
  const KernelLaunch& launch_;
  Arena& arena_;
};

float rectified(float x, bool relu) { return relu && x < 0 ? 0.0F : x; }

class Runner {
 public:
  explicit Runner(Arena& arena) : arena_(arena) {}

  void operator()(const KernelLaunch& launch) const {
    OfKernel memory(launch, arena_);
    interpret(launch.kernel, memory);
  }

  void operator()(const Fill& fill) const {
    for (Dim i = 0; i < elements(fill.result); ++i) arena_.write(fill.result, i, fill.value);
  }

  void operator()(const Convolution& c) const {
    if (count(c.result.extents) == 0) return;
    std::vector<Dim> at(c.result.extents.size(), 0);
    do {
      double sum = taps(c, at);
      if (c.residual) sum += read(*c.residual, at);
      if (c.bias) sum += arena_.read(c.bias->buffer, at[1] * c.bias->strides[0]);
      arena_.write(c.result.buffer, offset(c.result, at),
                   rectified(static_cast<float>(sum), c.relu));
    } while (step_on(at, c.result.extents));
  }

  void operator()(const MatrixProduct& p) const {
    if (count(p.result.extents) == 0) return;
    std::vector<Dim> at(3, 0);
    do {
      double sum = 0;
      for (Dim k = 0; k < p.left.extents[2]; ++k)
        sum += double{read(p.left, std::array{at[0], at[1], k})} *
               double{read(p.right, std::array{at[0], k, at[2]})};
      if (p.residual) sum += read(*p.residual, at);
      if (p.bias) sum += arena_.read(p.bias->buffer, at[2] * p.bias->strides[0]);
      arena_.write(p.result.buffer, offset(p.result, at),
                   rectified(static_cast<float>(sum), p.relu));
    } while (step_on(at, p.result.extents));
  }

 private:
  Dim elements(BufferId id) const { return arena_.elements(id); }

  float read(const View& view, std::span<const Dim> at) const {
    return arena_.read(view.buffer, offset(view, at));
  }

  double taps(const Convolution& c, std::span<const Dim> at) const {
    const Dim channels = c.weight.extents[1];
    const Dim group = at[1] / (c.weight.extents[0] / c.groups);
    std::vector<Dim> tap(c.weight.extents.size(), 0);
    std::vector<Dim> from(c.data.extents.size(), 0);
    Shape extents = c.weight.extents;
    extents[0] = 1;
    double sum = 0;
    do {
      from[0] = at[0];
      from[1] = group * channels + tap[1];
      bool inside = true;
      for (std::size_t s = 0; s < c.slides.size(); ++s) {
        const Slide& slide = c.slides[s];
        from[2 + s] = slide.stride * at[2 + s] + slide.dilation * tap[2 + s] - slide.before;
        inside = inside && from[2 + s] >= 0 && from[2 + s] < c.data.extents[2 + s];
      }
      if (!inside) continue;
      sum +=
          double{read(c.data, from)} *
          double{arena_.read(c.weight.buffer, offset(c.weight, tap) + at[1] * c.weight.strides[0])};
    } while (step_on(tap, extents));
    return sum;
  }

  Arena& arena_;
};

Status run(const Plan& plan, std::size_t number, Arena& arena) {
  const Launch& launch = plan.launches[number];
  const BufferId result = launch.result();
  if (!plan.buffer(result).over) arena.poison(result);
  std::visit(Runner(arena), launch.what);
  std::string fault = arena.fault();
  if (fault.empty() && arena.unwritten(result) > 0)
    fault = fmt::format("leaves {} elements of its result unwritten", arena.unwritten(result));
  if (fault.empty()) return Done{};
  return Error{fmt::format("launch {} ({}) {}", number, in_words(launch), fault), ErrorKind::Tool};
}

}  // namespace

Result<std::vector<std::vector<float>>> emulate(const Plan& plan,
                                                std::span<const std::span<const float>> inputs,
                                                const std::stop_token& stop) {
  PET_CHECK(inputs.size() == plan.inputs.size(), "a value for every input");
  Arena arena(plan);
  for (std::size_t i = 0; i < inputs.size(); ++i) arena.fill(plan.inputs[i], inputs[i]);
  for (const bool once : {true, false}) {
    for (std::size_t i = 0; i < plan.launches.size(); ++i) {
      if (plan.launches[i].once != once) continue;
      if (stop.stop_requested())
        return Error{"stopped while a device was emulated", ErrorKind::Stopped};
      if (auto status = run(plan, i, arena); !status) return std::move(status).error();
    }
  }
  std::vector<std::vector<float>> out;
  for (const BufferId id : plan.outputs) out.push_back(arena.values(id));
  return out;
}

}  // namespace pet::gpu
