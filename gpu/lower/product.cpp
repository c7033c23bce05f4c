#include <algorithm>

#include "gpu/lower/axis_runs.h"
#include "gpu/lower/product_forms.h"

namespace pet::gpu {
namespace {

View matrices(Shape extents, std::vector<Dim> strides) {
  return {{}, std::move(extents), std::move(strides)};
}

// Whether one of its two inner axes lies in memory without gaps, and the other outside of it.
bool is_matrix(const View& view) {
  const Dim rows = view.extents[1], columns = view.extents[2];
  const Dim by_row = view.strides[1], by_column = view.strides[2];
  if (by_column == 1 || columns == 1) return rows == 1 || by_row >= columns;
  return (by_row == 1 || rows == 1) && (columns == 1 || by_column >= rows);
}

MatrixProduct made(const AxisRun& batch, const AxisRun& m, const AxisRun& k, const AxisRun& n) {
  const Dim times = batch.axis.result;
  return {.left = matrices({times, m.axis.data, k.axis.data},
                           {batch.data_stride, m.data_stride, k.data_stride}),
          .right = matrices({times, k.axis.weight, n.axis.weight},
                            {batch.weight_stride, k.weight_stride, n.weight_stride}),
          .result = matrices({times, m.axis.result, n.axis.result},
                             {batch.result_stride, m.result_stride, n.result_stride}),
          .bias = {},
          .residual = {}};
}

bool is_product(const MatrixProduct& p) {
  return is_matrix(p.left) && is_matrix(p.right) && is_matrix(p.result);
}

}  // namespace

std::optional<std::size_t> feature_dimension(const Product& product) {
  std::optional<std::size_t> found;
  for (std::size_t d = 0; d < product.result_dims.size(); ++d) {
    std::size_t features = 0;
    for (const std::size_t id : product.result_dims[d]) {
      const AxisRole role = product.axes[id].role;
      features += role == AxisRole::Feature || role == AxisRole::Group ? 1 : 0;
    }
    if (features == 0) continue;
    if (found || features != product.result_dims[d].size()) return std::nullopt;
    found = d;
  }
  return found;
}

std::optional<MatrixProduct> as_matrix_product(const Product& product, const Layouts& layouts) {
  if (product.has(AxisRole::Slide) || !product.has(AxisRole::Channel)) return std::nullopt;
  auto batches = runs_of(product, layouts, AxisRole::Batch);
  const auto groups = runs_of(product, layouts, AxisRole::Group);
  const auto channels = runs_of(product, layouts, AxisRole::Channel);
  const auto features = runs_of(product, layouts, AxisRole::Feature);
  if (channels.size() != 1 || features.size() > 1 || groups.size() + batches.size() > 2 ||
      groups.size() > 1)
    return std::nullopt;
  while (groups.size() + batches.size() < 2) batches.insert(batches.begin(), AxisRun{});
  const AxisRun n = features.empty() ? AxisRun{} : features.front();
  std::optional<MatrixProduct> best;
  const auto consider = [&](const AxisRun& batch, const AxisRun& m) {
    MatrixProduct one = made(batch, m, channels.front(), n);
    const bool better = !best || best->left.extents[1] < one.left.extents[1];
    if (is_product(one) && better) best = std::move(one);
  };
  if (!groups.empty()) {
    consider(groups.front(), batches.front());
  } else {
    consider(batches[0], batches[1]);
    consider(batches[1], batches[0]);
  }
  return best;
}

}  // namespace pet::gpu
