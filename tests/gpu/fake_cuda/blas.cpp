// cuBLASLt: matrix products by columns.
#include <cstdint>
#include <cstring>

#include "tests/gpu/fake_cuda/stream.h"

namespace {

constexpr int kRefused = 7;
constexpr double kMostWork = 1e7;  // larger ones are for timing alone

struct Operation {
  std::int32_t left = 0, right = 0, epilogue = 1;
  const float* bias = nullptr;
};
struct Layout {
  std::uint64_t rows = 0, columns = 0;
  std::int64_t leading = 0;
  std::int32_t batches = 1;
  std::int64_t step = 0;
};
struct Heuristic {
  std::uint64_t algorithm[8];
  std::size_t workspace;
  int state;
  float waves;
  int reserved[4];
};

std::uint64_t rows(const Layout& m, int transposed) { return transposed != 0 ? m.columns : m.rows; }
std::uint64_t columns(const Layout& m, int transposed) {
  return transposed != 0 ? m.rows : m.columns;
}

bool fits(const Operation& op, const Layout& a, const Layout& b, const Layout& c) {
  const auto whole = [](const Layout& m) {
    return m.leading >= static_cast<std::int64_t>(m.rows) && m.rows > 0 && m.columns > 0;
  };
  return whole(a) && whole(b) && whole(c) && columns(a, op.left) == rows(b, op.right) &&
         rows(a, op.left) == c.rows && columns(b, op.right) == c.columns &&
         a.batches == c.batches && b.batches == c.batches;
}

float at(const float* memory, const Layout& m, int transposed, std::uint64_t i, std::uint64_t j) {
  const std::uint64_t row = transposed != 0 ? j : i;
  const std::uint64_t column = transposed != 0 ? i : j;
  return memory[row + column * static_cast<std::uint64_t>(m.leading)];
}

void multiply(const Operation& op, const Layout& a, const Layout& b, const Layout& d, float alpha,
              const float* left, const float* right, float beta, const float* added, float* out) {
  for (std::uint64_t j = 0; j < d.columns; ++j) {
    for (std::uint64_t i = 0; i < d.rows; ++i) {
      double sum = 0;
      for (std::uint64_t k = 0; k < columns(a, op.left); ++k)
        sum += double{at(left, a, op.left, i, k)} * double{at(right, b, op.right, k, j)};
      double value = alpha * sum;
      const std::uint64_t place = i + j * static_cast<std::uint64_t>(d.leading);
      if (beta != 0) value += beta * added[place];
      if ((op.epilogue & 4) != 0) value += op.bias[i];
      if ((op.epilogue & 2) != 0 && value < 0) value = 0;
      out[place] = static_cast<float>(value);
    }
  }
}

}  // namespace

extern "C" {

std::size_t cublasLtGetVersion() { return 130000; }
int cublasLtCreate(void** handle) { return *handle = new int, 0; }
int cublasLtDestroy(void* handle) { return delete static_cast<int*>(handle), 0; }
const char* cublasLtGetStatusString(int) { return "refused by the fake cuBLASLt"; }
int cublasLtMatmulDescCreate(void** operation, int compute, int scale) {
  if ((compute != 68 && compute != 77) || scale != 0) return kRefused;
  *operation = new Operation;
  return 0;
}
int cublasLtMatmulDescDestroy(void* operation) {
  return delete static_cast<Operation*>(operation), 0;
}
int cublasLtMatmulDescSetAttribute(void* operation, int attribute, const void* value,
                                   std::size_t size) {
  auto& it = *static_cast<Operation*>(operation);
  void* to = attribute == 3   ? static_cast<void*>(&it.left)
             : attribute == 4 ? static_cast<void*>(&it.right)
             : attribute == 7 ? static_cast<void*>(&it.epilogue)
             : attribute == 8 ? static_cast<void*>(&it.bias)
                              : nullptr;
  if (to == nullptr || size != (attribute == 8 ? 8U : 4U)) return kRefused;
  std::memcpy(to, value, size);
  return 0;
}
int cublasLtMatrixLayoutCreate(void** layout, int type, std::uint64_t rows, std::uint64_t columns,
                               std::int64_t leading) {
  if (type != 0) return kRefused;
  *layout = new Layout{rows, columns, leading};
  return 0;
}
int cublasLtMatrixLayoutDestroy(void* layout) { return delete static_cast<Layout*>(layout), 0; }
int cublasLtMatrixLayoutSetAttribute(void* layout, int attribute, const void* value,
                                     std::size_t size) {
  auto& it = *static_cast<Layout*>(layout);
  if (attribute == 5 && size == 4) return std::memcpy(&it.batches, value, size), 0;
  if (attribute == 6 && size == 8) return std::memcpy(&it.step, value, size), 0;
  return kRefused;
}
int cublasLtMatmulPreferenceCreate(void** preference) { return *preference = new int, 0; }
int cublasLtMatmulPreferenceDestroy(void* preference) {
  return delete static_cast<int*>(preference), 0;
}
int cublasLtMatmulPreferenceSetAttribute(void*, int attribute, const void*, std::size_t size) {
  return attribute == 1 && size == 8 ? 0 : kRefused;
}
int cublasLtMatmulAlgoGetHeuristic(void*, void* operation, void* a, void* b, void* c, void* d,
                                   void*, int most, Heuristic* found, int* count) {
  if (most < 1 || c != d ||
      !fits(*static_cast<Operation*>(operation), *static_cast<Layout*>(a), *static_cast<Layout*>(b),
            *static_cast<Layout*>(d)))
    return kRefused;
  *found = {{42}, 16, 0, 1, {}};
  *count = 1;
  return 0;
}
int cublasLtMatmul(void*, void* operation, const void* alpha, const void* left, void* a,
                   const void* right, void* b, const void* beta, const void* added, void*,
                   void* out, void* d, const void* algorithm, void* workspace,
                   std::size_t workspace_bytes, void*) {
  const Operation op = *static_cast<Operation*>(operation);
  const Layout la = *static_cast<Layout*>(a), lb = *static_cast<Layout*>(b),
               ld = *static_cast<Layout*>(d);
  if (!fits(op, la, lb, ld) || *static_cast<const std::uint64_t*>(algorithm) != 42 ||
      workspace == nullptr || workspace_bytes < 16 ||
      ((op.epilogue & 4) != 0 && op.bias == nullptr))
    return kRefused;
  const double work = static_cast<double>(ld.rows) * static_cast<double>(ld.columns) *
                      static_cast<double>(columns(la, op.left));
  if (work > kMostWork) return 0;
  const float scale = *static_cast<const float*>(alpha), keep = *static_cast<const float*>(beta);
  pet::fake::submit([=] {
    for (std::int64_t batch = 0; batch < ld.batches; ++batch)
      multiply(op, la, lb, ld, scale, static_cast<const float*>(left) + batch * la.step,
               static_cast<const float*>(right) + batch * lb.step, keep,
               static_cast<const float*>(added) + batch * ld.step,
               static_cast<float*>(out) + batch * ld.step);
  });
  return 0;
}

}  // extern "C"
