#include "gpu/lower/axis_runs.h"

#include <algorithm>

namespace pet::gpu {
namespace {

// By axis of the product the distance of its neighbours in a tensor.
std::vector<Dim> strides_in(const Product& product, const std::vector<Dim>& strides,
                            const AxisDims& dims, Dim ProductAxis::*extent) {
  std::vector<Dim> out(product.axes.size(), 0);
  for (std::size_t d = 0; d < dims.size(); ++d) {
    Dim stride = strides[d];
    for (std::size_t i = dims[d].size(); i-- > 0;) {
      out[dims[d][i]] = stride;
      stride *= product.axes[dims[d][i]].*extent;
    }
  }
  return out;
}

bool follows(const AxisRun& outer, const AxisRun& inner) {
  const ProductAxis& a = inner.axis;
  return outer.data_stride == inner.data_stride * a.data &&
         outer.weight_stride == inner.weight_stride * a.weight &&
         outer.result_stride == inner.result_stride * a.result;
}

void join(AxisRun& outer, const AxisRun& inner) {
  outer.axis.data *= inner.axis.data;
  outer.axis.weight *= inner.axis.weight;
  outer.axis.result *= inner.axis.result;
  outer.data_stride = inner.data_stride;
  outer.weight_stride = inner.weight_stride;
  outer.result_stride = inner.result_stride;
}

}  // namespace

Layouts row_major(const Graph& graph, const Product& product) {
  const auto strides = [&](NodeId id) { return row_major_strides(*graph.node(id).type.shape); };
  return {strides(product.data), strides(product.weight), strides(product.node)};
}

std::vector<AxisRun> runs_of(const Product& product, const Layouts& layouts, AxisRole role) {
  const auto data = strides_in(product, layouts.data, product.data_dims, &ProductAxis::data);
  const auto weight =
      strides_in(product, layouts.weight, product.weight_dims, &ProductAxis::weight);
  const auto result =
      strides_in(product, layouts.result, product.result_dims, &ProductAxis::result);
  std::vector<AxisRun> all;
  for (std::size_t i = 0; i < product.axes.size(); ++i) {
    if (product.axes[i].role == role)
      all.push_back({product.axes[i], data[i], weight[i], result[i]});
  }
  std::ranges::stable_sort(all, [](const AxisRun& a, const AxisRun& b) {
    return std::pair(a.result_stride, a.data_stride) > std::pair(b.result_stride, b.data_stride);
  });
  std::vector<AxisRun> out;
  for (const AxisRun& run : all) {
    if (role != AxisRole::Slide && !out.empty() && follows(out.back(), run))
      join(out.back(), run);
    else
      out.push_back(run);
  }
  return out;
}

}  // namespace pet::gpu
