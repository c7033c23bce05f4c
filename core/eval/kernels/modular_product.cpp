#include "core/eval/kernels/modular_product.h"

#include <array>

#include "core/eval/kernels/micro_kernels.h"
#include "core/util/check.h"

namespace pet {

namespace {

constexpr std::size_t kGroup = 8;  // products between two conditional subtractions

using Sums = std::array<std::uint64_t, kPanelColumns>;

void store(const PrimeField& field, const Sums& sums, const ProductTile<std::uint32_t>& tile,
           std::size_t row) {
  std::uint32_t* out = tile.c.data + row * tile.c.row_stride;
  for (std::size_t n = 0; n < tile.columns; ++n) {
    const std::uint32_t sum = field.reduce(sums[n]);
    out[n] = tile.c.accumulate ? field.add(sum, out[n]) : sum;
  }
}

void portable_tile(const PrimeField& field, std::size_t rows,
                   const ProductTile<std::uint32_t>& tile) {
  const std::uint64_t limit = std::uint64_t{8} * field.prime() * field.prime();
  for (std::size_t row = 0; row < rows; ++row) {
    Sums sums{};
    for (std::size_t first = 0; first < tile.depth; first += kGroup) {
      const std::size_t end = std::min(first + kGroup, tile.depth);
      for (std::size_t k = first; k < end; ++k) {
        const std::uint64_t left = tile.a[k * kPanelRows + row];
        const std::uint32_t* right = tile.b + k * kPanelColumns;
        for (std::size_t n = 0; n < kPanelColumns; ++n) sums[n] += left * right[n];
      }
      for (std::uint64_t& sum : sums) sum = std::min(sum, sum - limit);  // wraps where sum < limit
    }
    store(field, sums, tile, row);
  }
}

}  // namespace

void modular_product(const PrimeField& field, const PackedRows<std::uint32_t>& a,
                     std::size_t first_k, const PackedColumns<std::uint32_t>& b,
                     ProductOutput<std::uint32_t> c, InstructionSet set) {
  PET_CHECK(supported(set), "the machine lacks the instructions of this kernel");
  if (set == InstructionSet::Portable) {
    for_each_tile(a, first_k, b, c, [&](std::size_t rows, const ProductTile<std::uint32_t>& tile) {
      portable_tile(field, rows, tile);
    });
    return;
  }
  const ModularKernels& kernels = set == InstructionSet::Avx512 ? kModularAvx512 : kModularAvx2;
  for_each_tile(a, first_k, b, c, [&](std::size_t rows, const ProductTile<std::uint32_t>& tile) {
    kernels[rows - 1](field, tile);
  });
}

void modular_product(const PrimeField& field, StridedMatrix<std::uint32_t> a,
                     StridedMatrix<std::uint32_t> b, std::size_t rows, std::size_t depth,
                     std::size_t columns, ProductOutput<std::uint32_t> c, InstructionSet set) {
  blocked_product(a, b, rows, depth, columns, c,
                  [&](const auto& packed, std::size_t first_k, const auto& block, auto output) {
                    modular_product(field, packed, first_k, block, output, set);
                  });
}

}  // namespace pet
