#include "gpu/launch/launch.h"

#include "core/util/overloaded.h"

namespace pet::gpu {
namespace {

void add(std::vector<BufferId>& out, const std::optional<View>& view) {
  if (view) out.push_back(view->buffer);
}

// What is added to every element, and a comparison.
Dim epilogue_of(bool bias, bool residual, bool relu) {
  return Dim{bias} + Dim{residual} + Dim{relu};
}

}  // namespace

std::vector<BufferId> Launch::reads() const {
  return std::visit(overloaded{[](const Convolution& c) {
                                 std::vector<BufferId> out = {c.data.buffer, c.weight.buffer};
                                 add(out, c.residual);
                                 add(out, c.bias);
                                 return out;
                               },
                               [](const MatrixProduct& p) {
                                 std::vector<BufferId> out = {p.left.buffer, p.right.buffer};
                                 add(out, p.residual);
                                 add(out, p.bias);
                                 return out;
                               },
                               [](const KernelLaunch& k) { return k.reads; },
                               [](const Fill&) { return std::vector<BufferId>(); }},
                    what);
}

BufferId Launch::result() const {
  return std::visit(overloaded{[](const Convolution& c) { return c.result.buffer; },
                               [](const MatrixProduct& p) { return p.result.buffer; },
                               [](const KernelLaunch& k) { return k.result; },
                               [](const Fill& f) { return f.result; }},
                    what);
}

Dim flops_of(const Launch& launch) {
  return std::visit(
      overloaded{[](const Convolution& c) {
                   const Dim results = count(c.result.extents);
                   const Dim each = count(c.weight.extents) / c.weight.extents[0];
                   return results * (2 * each + epilogue_of(c.bias.has_value(),
                                                            c.residual.has_value(), c.relu));
                 },
                 [](const MatrixProduct& p) {
                   const Dim results = count(p.result.extents);
                   return results *
                          (2 * p.left.extents[2] +
                           epilogue_of(p.bias.has_value(), p.residual.has_value(), p.relu));
                 },
                 [](const KernelLaunch& k) { return flops_of(k.kernel); },
                 [](const Fill&) { return Dim{0}; }},
      launch.what);
}

}  // namespace pet::gpu
