#include "core/eval/kernels/real_product.h"

#include <type_traits>

#include "core/eval/kernels/micro_kernels.h"
#include "core/util/check.h"

namespace pet {

namespace {

template <class T>
void portable_tile(std::size_t rows, const ProductTile<T>& tile) {
  for (std::size_t row = 0; row < rows; ++row) {
    std::array<T, kPanelColumns> sums{};
    for (std::size_t k = 0; k < tile.depth; ++k) {
      const T left = tile.a[k * kPanelRows + row];
      for (std::size_t n = 0; n < kPanelColumns; ++n)
        sums[n] += left * tile.b[k * kPanelColumns + n];
    }
    T* out = tile.c.data + row * tile.c.row_stride;
    for (std::size_t n = 0; n < tile.columns; ++n)
      out[n] = tile.c.accumulate ? out[n] + sums[n] : sums[n];
  }
}

}  // namespace

template <class T>
void real_product(const PackedRows<T>& a, std::size_t first_k, const PackedColumns<T>& b,
                  ProductOutput<T> c, InstructionSet set) {
  PET_CHECK(supported(set), "the machine lacks the instructions of this kernel");
  if constexpr (std::is_same_v<T, double>) {
    if (set != InstructionSet::Portable) {
      const RealKernels& kernels = set == InstructionSet::Avx512 ? kRealAvx512 : kRealAvx2;
      for_each_tile(a, first_k, b, c,
                    [&](std::size_t rows, const ProductTile<T>& tile) { kernels[rows - 1](tile); });
      return;
    }
  }
  for_each_tile(a, first_k, b, c,
                [&](std::size_t rows, const ProductTile<T>& tile) { portable_tile(rows, tile); });
}

template <class T>
void real_product(StridedMatrix<T> a, StridedMatrix<T> b, std::size_t rows, std::size_t depth,
                  std::size_t columns, ProductOutput<T> c, InstructionSet set) {
  blocked_product(a, b, rows, depth, columns, c,
                  [&](const auto& packed, std::size_t first_k, const auto& block, auto output) {
                    real_product<T>(packed, first_k, block, output, set);
                  });
}

template void real_product<float>(const PackedRows<float>&, std::size_t,
                                  const PackedColumns<float>&, ProductOutput<float>,
                                  InstructionSet);
template void real_product<double>(const PackedRows<double>&, std::size_t,
                                   const PackedColumns<double>&, ProductOutput<double>,
                                   InstructionSet);
template void real_product<long double>(const PackedRows<long double>&, std::size_t,
                                        const PackedColumns<long double>&,
                                        ProductOutput<long double>, InstructionSet);
template void real_product<float>(StridedMatrix<float>, StridedMatrix<float>, std::size_t,
                                  std::size_t, std::size_t, ProductOutput<float>, InstructionSet);
template void real_product<double>(StridedMatrix<double>, StridedMatrix<double>, std::size_t,
                                   std::size_t, std::size_t, ProductOutput<double>, InstructionSet);
template void real_product<long double>(StridedMatrix<long double>, StridedMatrix<long double>,
                                        std::size_t, std::size_t, std::size_t,
                                        ProductOutput<long double>, InstructionSet);

}  // namespace pet
