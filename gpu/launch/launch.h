// A step of a program on a device. Everything that it needs is in it: extents, strides, buffers.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/analysis/product.h"
#include "core/ir/graph.h"
#include "core/util/id.h"
#include "gpu/kernel/kernel.h"

namespace pet::gpu {

using BufferId = Id<struct BufferTag>;

// A tensor inside of a buffer. Strides in elements.
struct View {
  BufferId buffer;
  Shape extents;
  std::vector<Dim> strides;
};

// result[n, g·F+f, o] = Σ data[n, g·C+c, stride·o + dilation·k − before] · weight[g·F+f, c, k]
//                       (+ residual, shaped as the result) (+ bias[g·F+f]), then max(0, x) if
//                       asked.
// Extents: data [N, G·C, spatial...], weight [G·F, C, taps...], result [N, G·F, spatial...], two or
// three spatial axes.
struct Convolution {
  View data, weight, result;
  Dim groups = 1;
  std::vector<Slide> slides;  // by spatial axis
  std::optional<View> residual;
  std::optional<View> bias;  // extents [G·F]
  bool relu = false;
};

// result[b, m, n] = Σ left[b, m, k] · right[b, k, n] (+ bias[n or m]), then max(0, x) if asked.
struct MatrixProduct {
  View left, right, result;      // three extents each; a stride of 0 repeats
  std::optional<View> bias;      // of one extent
  bool bias_by_row = false;      // bias[m], else bias[n]
  std::optional<View> residual;  // as the result
  bool relu = false;
};

struct KernelLaunch {
  Kernel kernel;
  std::vector<BufferId> reads;  // by buffer of the kernel
  BufferId result;
};

struct Fill {
  BufferId result;
  float value = 0;
};

struct Launch {
  std::variant<Convolution, MatrixProduct, KernelLaunch, Fill> what;
  std::vector<NodeId> nodes;  // what it computes, of the program
  bool once = false;          // of constants alone: when the program is loaded
  std::string remark = {};    // why no library computes it, or less of it than one might

  std::vector<BufferId> reads() const;
  BufferId result() const;
};

// Why the library of a device computes no such convolution, with what is added to it; nullopt: it
// does. Views have extents and strides, and buffers that mean nothing. Empty: nothing is refused.
using ConvolutionRefusal = std::function<std::optional<std::string>(const Convolution&)>;

// Operations on floats; a product and a sum are two.
Dim flops_of(const Launch& launch);

}  // namespace pet::gpu
