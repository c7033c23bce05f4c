// Matrix products of cuBLASLt.
#pragma once

#include <memory>

#include "gpu/device/device.h"
#include "gpu/launch/launch.h"

namespace pet::gpu {

// A matrix as cuBLASLt is told of it: columns one after another, `leading` elements apart, and
// whether it is to be read transposed.
struct Stored {
  bool transposed = false;
  Dim rows = 1, columns = 1;  // as stored
  Dim leading = 1;
};
// Of a matrix whose neighbours in a column are `by_row` apart and in a row `by_column`, one of
// which is 1 (or its extent is).
Stored stored(Dim rows, Dim columns, Dim by_row, Dim by_column);

// Columns of the result lie together: where its rows do, the transposed product is computed.
struct ColumnMajor {
  Stored left, right, result;
  Dim batch = 1;
  Dim left_step = 0, right_step = 0, result_step = 0;
  bool swapped = false;  // left and right have changed places
};
ColumnMajor column_major(const MatrixProduct& product);

struct ProductMemory {
  Address left = 0, right = 0, result = 0, residual = 0, bias = 0, workspace = 0;
};

// A product made ready: its descriptors and the algorithms that compute it.
class ProductPlan {
 public:
  static Result<std::unique_ptr<ProductPlan>> make(const CudaDevice& device,
                                                   const MatrixProduct& product,
                                                   std::size_t most_workspace, int most);
  ~ProductPlan();
  ProductPlan(const ProductPlan&) = delete;
  ProductPlan& operator=(const ProductPlan&) = delete;

  std::size_t algorithms() const { return heuristics_.size(); }
  std::size_t workspace() const;  // of the one that needs most
  Status execute(const ProductMemory& memory, std::size_t algorithm) const;

 private:
  ProductPlan(const CudaDevice& device, const MatrixProduct& product);
  Status describe();
  Status find_algorithms(std::size_t most_workspace, int most);
  BlasObject layout(const Stored& matrix, Dim step);
  Status check(int code, const char* what) const;

  const CudaDevice& device_;
  MatrixProduct product_;
  ColumnMajor form_;
  BlasObject operation_ = nullptr, left_ = nullptr, right_ = nullptr, result_ = nullptr;
  std::vector<MatmulHeuristic> heuristics_;
};

}  // namespace pet::gpu
