// A sum of products (core/analysis/product.h) in the forms that libraries take: with one axis of a
// kind, where several lie in memory as one.
#pragma once

#include <optional>

#include "gpu/launch/launch.h"
#include "gpu/lower/axis_runs.h"

namespace pet::gpu {

// The buffers are left open. nullopt: it has no such form.
std::optional<Convolution> as_convolution(const Graph& graph, const Product& product);
// A bias only where features lie next to each other in the result: elsewhere no library adds one.
std::optional<MatrixProduct> as_matrix_product(const Product& product, const Layouts& layouts);

// The dimension of the result that is its features, and nothing else: what a bias is added along.
std::optional<std::size_t> feature_dimension(const Product& product);

}  // namespace pet::gpu
