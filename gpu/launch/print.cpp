#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/util/overloaded.h"
#include "core/util/printable.h"
#include "gpu/launch/plan.h"

namespace pet::gpu {
namespace {

std::string by(const Shape& shape) { return fmt::format("{}", fmt::join(shape, "x")); }

// One number where all are equal.
std::string numbers(const std::vector<Dim>& all) {
  const bool same = std::ranges::all_of(all, [&](Dim x) { return x == all.front(); });
  return same ? std::to_string(all.front()) : fmt::format("({})", fmt::join(all, ","));
}

std::string slides_in_words(const std::vector<Slide>& slides) {
  std::vector<Dim> strides, dilations, pads;
  for (const Slide& slide : slides) {
    strides.push_back(slide.stride);
    dilations.push_back(slide.dilation);
    pads.push_back(slide.before);
    pads.push_back(slide.after);
  }
  const auto differs = [](const std::vector<Dim>& all, Dim usual) {
    return std::ranges::any_of(all, [&](Dim x) { return x != usual; });
  };
  std::string out;
  if (differs(strides, 1)) out += " stride " + numbers(strides);
  if (differs(dilations, 1)) out += " dilation " + numbers(dilations);
  if (differs(pads, 0)) out += " pad " + numbers(pads);
  return out;
}

std::string epilogue(bool residual, bool bias, bool relu) {
  return fmt::format("{}{}{}", residual ? ", + residual" : "", bias ? ", + bias" : "",
                     relu ? ", relu" : "");
}

std::string kernel_in_words(const Kernel& kernel) {
  std::string out = "kernel " + by(kernel.result);
  if (kernel.result.empty()) out += "of one";
  for (const FoldStep& fold : kernel.folds) out += fmt::format(", fold of {}", by(fold.extent));
  if (kernel.is_by_rows())
    out += fmt::format(", {} rows of {} threads", count(kernel.rows), kernel.threads);
  return out;
}

std::string place(const Plan& plan, BufferId id) {
  const Buffer& buffer = plan.buffer(id);
  if (buffer.role == Role::Constant) return fmt::format("#{}", id.index());
  return fmt::format("@{}", buffer.offset);
}

std::string strides(const char* what, const View& view) {
  return fmt::format(" {} ({})", what, fmt::join(view.strides, ","));
}

std::string strides_of(const Launch& launch) {
  return std::visit(overloaded{[](const Convolution& c) {
                                 return strides("data", c.data) + strides("weight", c.weight) +
                                        strides("result", c.result);
                               },
                               [](const MatrixProduct& p) {
                                 return strides("left", p.left) + strides("right", p.right) +
                                        strides("result", p.result);
                               },
                               [](const auto&) { return std::string(); }},
                    launch.what);
}

std::string indented(const std::string& lines) {
  std::string out;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = lines.find('\n', at);
    out += "      " + lines.substr(at, end - at) + "\n";
    at = end == std::string::npos ? lines.size() : end + 1;
  }
  return out;
}

std::string line_of(const Plan& plan, const Launch& launch) {
  std::string reads;
  for (const BufferId id : launch.reads()) reads += " " + place(plan, id);
  std::string out = fmt::format("{}{} :{} -> {}\n", launch.once ? "once " : "", in_words(launch),
                                reads, place(plan, launch.result()));
  const std::string with = strides_of(launch);
  if (!with.empty()) out += "     " + with + "\n";
  if (!launch.remark.empty()) out += "      by itself: " + printable(launch.remark) + "\n";
  if (const auto* kernel = std::get_if<KernelLaunch>(&launch.what))
    out += indented(to_string(kernel->kernel));
  return out;
}

std::string named(const Plan& plan, const char* what, const std::vector<BufferId>& ids) {
  std::string out;
  for (const BufferId id : ids)
    out += fmt::format("{} {} : {} floats {}\n", what, printable(plan.buffer(id).name),
                       plan.buffer(id).elements, place(plan, id));
  return out;
}

}  // namespace

std::size_t bytes_of(const Plan& plan, const Launch& launch) {
  const auto reads = launch.reads();
  std::size_t sum = plan.buffer(launch.result()).bytes();
  for (const BufferId id : std::set<BufferId>(reads.begin(), reads.end()))
    sum += plan.buffer(id).bytes();
  return sum;
}

std::string in_words(const Launch& launch) {
  return std::visit(
      overloaded{[](const Convolution& c) {
                   return fmt::format(
                       "conv {}{}{} on {}{}", by(c.weight.extents), slides_in_words(c.slides),
                       c.groups == 1 ? "" : fmt::format(" groups {}", c.groups), by(c.data.extents),
                       epilogue(c.residual.has_value(), c.bias.has_value(), c.relu));
                 },
                 [](const MatrixProduct& p) {
                   return fmt::format("product {}x{}x{}, {} at once{}", p.left.extents[1],
                                      p.left.extents[2], p.right.extents[2], p.result.extents[0],
                                      epilogue(p.residual.has_value(), p.bias.has_value(), p.relu));
                 },
                 [](const KernelLaunch& k) { return kernel_in_words(k.kernel); },
                 [](const Fill& f) { return fmt::format("fill with {}", f.value); }},
      launch.what);
}

std::string identity_of(const Launch& launch) { return in_words(launch) + strides_of(launch); }

std::string to_string(const Plan& plan) {
  std::string out = named(plan, "input", plan.inputs);
  std::size_t constants = 0;
  for (const Buffer& buffer : plan.buffers)
    constants += buffer.role == Role::Constant ? buffer.bytes() : 0;
  for (std::size_t i = 0; i < plan.launches.size(); ++i)
    out += fmt::format("{:3} {}", i, line_of(plan, plan.launches[i]));
  out += named(plan, "output", plan.outputs);
  return out + fmt::format("arena {} bytes, constants {} bytes\n", plan.arena, constants);
}

}  // namespace pet::gpu
