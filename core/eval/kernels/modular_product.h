// Matrix products modulo a 30-bit prime, on packed operands (panels.h). The work horse of every
// evaluation.
//
// How: a product of two residues is below 2^60, so a 64-bit sum kept below 8 p^2 takes eight more
// of them before one conditional subtraction of 8 p^2 brings it back. A Barrett step at the end
// gives residues in [0, p).
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/eval/kernels/instruction_set.h"
#include "core/eval/kernels/panels.h"
#include "core/eval/kernels/prime.h"

namespace pet {

// C (+)= A[:, first_k : first_k + b.depth()] * B. All entries in [0, p), and so are the results. A
// block of depth 0 gives zeros. Safe to call from several threads on different outputs. REQUIRES:
// supported(set), first_k + b.depth() <= a.depth()
void modular_product(const PrimeField& field, const PackedRows<std::uint32_t>& a,
                     std::size_t first_k, const PackedColumns<std::uint32_t>& b,
                     ProductOutput<std::uint32_t> c, InstructionSet set = best_instruction_set());

// C[rows, columns] (+)= A[rows, depth] * B[depth, columns], packed on the way.
void modular_product(const PrimeField& field, StridedMatrix<std::uint32_t> a,
                     StridedMatrix<std::uint32_t> b, std::size_t rows, std::size_t depth,
                     std::size_t columns, ProductOutput<std::uint32_t> c,
                     InstructionSet set = best_instruction_set());

}  // namespace pet
