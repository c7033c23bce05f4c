#include "datasets/models/transformer_weights.h"

#include <cmath>

#include "core/util/check.h"

namespace pet::datasets {
namespace {

// Sums of embeddings stay small beside what the layers add, and logits of a tied table of the size
// of a few ones.
constexpr double kEmbeddingDeviation = 0.1;

Parameter normal(const Weights& weights, const std::string& name, const Dims& shape,
                 double deviation) {
  return {name, shape, weights.normal(name, element_count(shape), deviation)};
}

double keeping_size(std::int64_t inputs) { return 1 / std::sqrt(static_cast<double>(inputs)); }

}  // namespace

Parameter linear_weight(const Weights& weights, const std::string& name, const Features& features) {
  return normal(weights, name, {features.outputs, features.inputs}, keeping_size(features.inputs));
}

Parameter linear_bias(const Weights& weights, const std::string& name, std::int64_t outputs) {
  return normal(weights, name, {outputs}, 0.1);
}

Parameter patch_weight(const Weights& weights, const std::string& name, std::int64_t filters,
                       std::int64_t patch) {
  return normal(weights, name, {filters, 3, patch, patch}, keeping_size(3 * patch * patch));
}

Parameter conv1d_weight(const Weights& weights, const std::string& name, const Features& features) {
  return normal(weights, name, {features.inputs, features.outputs}, keeping_size(features.inputs));
}

Parameter norm_weight(const Weights& weights, const std::string& name, std::int64_t width) {
  return {name, {width}, weights.uniform(name, static_cast<std::size_t>(width), 0.8, 1.2)};
}

Parameter norm_bias(const Weights& weights, const std::string& name, std::int64_t width) {
  return normal(weights, name, {width}, 0.1);
}

Parameter embedding(const Weights& weights, const std::string& name, const Dims& shape) {
  return normal(weights, name, shape, kEmbeddingDeviation);
}

Parameter transposed(const Parameter& matrix) {
  PET_CHECK(matrix.shape.size() == 2, "a matrix is transposed");
  const auto rows = static_cast<std::size_t>(matrix.shape[0]);
  const auto columns = static_cast<std::size_t>(matrix.shape[1]);
  Parameter out{
      matrix.name, {matrix.shape[1], matrix.shape[0]}, std::vector<float>(rows * columns)};
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column)
      out.numbers[column * rows + row] = matrix.numbers[row * columns + column];
  }
  return out;
}

}  // namespace pet::datasets
