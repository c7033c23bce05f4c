#include "gpu/device/products.h"

#include <fmt/format.h>

#include <algorithm>

namespace pet::gpu {
namespace {

// Numbers of cuBLASLt's interface.
constexpr int kFloat32 = 0;
constexpr int kComputeFloat32 = 68;
constexpr int kComputeTf32 = 77;
constexpr int kTransposeLeft = 3;
constexpr int kTransposeRight = 4;
constexpr int kEpilogue = 7;
constexpr int kBiasPointer = 8;
constexpr int kLayoutBatches = 5;
constexpr int kLayoutStep = 6;
constexpr int kPreferenceWorkspace = 1;
constexpr std::int32_t kEpilogueNone = 1;
constexpr std::int32_t kEpilogueRelu = 2;
constexpr std::int32_t kEpilogueBias = 4;

std::int32_t epilogue_of(const MatrixProduct& product) {
  const std::int32_t both = (product.relu ? kEpilogueRelu : 0) | (product.bias ? kEpilogueBias : 0);
  return both == 0 ? kEpilogueNone : both;
}

}  // namespace

Stored stored(Dim rows, Dim columns, Dim by_row, Dim by_column) {
  if (by_row == 1 || rows == 1)
    return {false, rows, columns, std::max(rows, columns == 1 ? rows : by_column)};
  return {true, columns, rows, std::max(columns, by_row)};
}

ColumnMajor column_major(const MatrixProduct& p) {
  const Dim m = p.left.extents[1], k = p.left.extents[2], n = p.right.extents[2];
  const bool rows_together = p.result.strides[2] == 1 || n == 1;
  ColumnMajor out{.left = {}, .right = {}, .result = {}, .batch = p.result.extents[0]};
  const auto of = [](const View& view, bool transposed, Dim rows, Dim columns) {
    return transposed ? stored(columns, rows, view.strides[2], view.strides[1])
                      : stored(rows, columns, view.strides[1], view.strides[2]);
  };
  out.swapped = rows_together;
  const View& first = out.swapped ? p.right : p.left;
  const View& second = out.swapped ? p.left : p.right;
  out.left = out.swapped ? of(first, true, k, n) : of(first, false, m, k);
  out.right = out.swapped ? of(second, true, m, k) : of(second, false, k, n);
  out.result = of(p.result, out.swapped, m, n);
  out.left_step = first.strides[0];
  out.right_step = second.strides[0];
  out.result_step = p.result.strides[0];
  return out;
}

ProductPlan::ProductPlan(const CudaDevice& device, const MatrixProduct& product)
    : device_(device), product_(product), form_(column_major(product)) {}

Result<std::unique_ptr<ProductPlan>> ProductPlan::make(const CudaDevice& device,
                                                       const MatrixProduct& product,
                                                       std::size_t most_workspace, int most) {
  std::unique_ptr<ProductPlan> out(new ProductPlan(device, product));
  if (auto status = out->describe(); !status) return std::move(status).error();
  if (auto status = out->find_algorithms(most_workspace, most); !status)
    return std::move(status).error();
  return out;
}

Status ProductPlan::check(int code, const char* what) const {
  if (code == 0) return Done{};
  return Error{fmt::format("{}: {}", what, device_.lib().cublasLtGetStatusString(code)),
               ErrorKind::Tool};
}

BlasObject ProductPlan::layout(const Stored& matrix, Dim step) {
  const Libraries& lib = device_.lib();
  BlasObject out = nullptr;
  lib.cublasLtMatrixLayoutCreate(&out, kFloat32, static_cast<std::uint64_t>(matrix.rows),
                                 static_cast<std::uint64_t>(matrix.columns), matrix.leading);
  const auto batches = static_cast<std::int32_t>(form_.batch);
  lib.cublasLtMatrixLayoutSetAttribute(out, kLayoutBatches, &batches, sizeof batches);
  lib.cublasLtMatrixLayoutSetAttribute(out, kLayoutStep, &step, sizeof step);
  return out;
}

Status ProductPlan::describe() {
  const Libraries& lib = device_.lib();
  const int compute = device_.precision() == Precision::Fp32 ? kComputeFloat32 : kComputeTf32;
  if (auto status =
          check(lib.cublasLtMatmulDescCreate(&operation_, compute, kFloat32), "a product");
      !status)
    return status;
  const std::int32_t left = form_.left.transposed ? 1 : 0;
  const std::int32_t right = form_.right.transposed ? 1 : 0;
  const std::int32_t epilogue = epilogue_of(product_);
  lib.cublasLtMatmulDescSetAttribute(operation_, kTransposeLeft, &left, sizeof left);
  lib.cublasLtMatmulDescSetAttribute(operation_, kTransposeRight, &right, sizeof right);
  lib.cublasLtMatmulDescSetAttribute(operation_, kEpilogue, &epilogue, sizeof epilogue);
  left_ = layout(form_.left, form_.left_step);
  right_ = layout(form_.right, form_.right_step);
  result_ = layout(form_.result, form_.result_step);
  return Done{};
}

Status ProductPlan::find_algorithms(std::size_t most_workspace, int most) {
  const Libraries& lib = device_.lib();
  BlasObject preference = nullptr;
  lib.cublasLtMatmulPreferenceCreate(&preference);
  lib.cublasLtMatmulPreferenceSetAttribute(preference, kPreferenceWorkspace, &most_workspace,
                                           sizeof most_workspace);
  heuristics_.resize(static_cast<std::size_t>(most));
  int found = 0;
  const int code =
      lib.cublasLtMatmulAlgoGetHeuristic(device_.blas(), operation_, left_, right_, result_,
                                         result_, preference, most, heuristics_.data(), &found);
  lib.cublasLtMatmulPreferenceDestroy(preference);
  heuristics_.resize(code == 0 ? static_cast<std::size_t>(found) : 0);
  std::erase_if(heuristics_, [](const MatmulHeuristic& one) { return one.state != 0; });
  if (!heuristics_.empty()) return Done{};
  return Error{fmt::format("cuBLASLt has no algorithm for this product: {}",
                           lib.cublasLtGetStatusString(code)),
               ErrorKind::Unsupported};
}

std::size_t ProductPlan::workspace() const {
  return std::ranges::max_element(heuristics_, {}, &MatmulHeuristic::workspace)->workspace;
}

Status ProductPlan::execute(const ProductMemory& memory, std::size_t algorithm) const {
  const Libraries& lib = device_.lib();
  if (product_.bias)
    lib.cublasLtMatmulDescSetAttribute(operation_, kBiasPointer, &memory.bias, sizeof memory.bias);
  const float alpha = 1;
  const float beta = product_.residual ? 1 : 0;
  const auto pointer = [](Address address) {
    return reinterpret_cast<void*>(address);  // NOLINT: an address of the device
  };
  const Address added = product_.residual ? memory.residual : memory.result;
  const Address first = form_.swapped ? memory.right : memory.left;
  const Address second = form_.swapped ? memory.left : memory.right;
  const int code = lib.cublasLtMatmul(
      device_.blas(), operation_, &alpha, pointer(first), left_, pointer(second), right_, &beta,
      pointer(added), result_, pointer(memory.result), result_, &heuristics_[algorithm].algorithm,
      pointer(memory.workspace), heuristics_[algorithm].workspace, device_.stream());
  return check(code, "a product");
}

ProductPlan::~ProductPlan() {
  const Libraries& lib = device_.lib();
  if (operation_ != nullptr) lib.cublasLtMatmulDescDestroy(operation_);
  for (const BlasObject one : {left_, right_, result_}) {
    if (one != nullptr) lib.cublasLtMatrixLayoutDestroy(one);
  }
}

}  // namespace pet::gpu
