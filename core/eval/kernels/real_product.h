// Matrix products of reals on the packed operands of panels.h, so that one packer serves residues
// and reals. double is vectorised (fused multiply-add where the machine has it); float and long
// double are plain loops.
#pragma once

#include <cstddef>

#include "core/eval/kernels/instruction_set.h"
#include "core/eval/kernels/panels.h"

namespace pet {

// C (+)= A[:, first_k : first_k + b.depth()] * B, each sum in the order of k. T is float, double or
// long double. REQUIRES: supported(set), first_k + b.depth() <= a.depth()
template <class T>
void real_product(const PackedRows<T>& a, std::size_t first_k, const PackedColumns<T>& b,
                  ProductOutput<T> c, InstructionSet set = best_instruction_set());

// C[rows, columns] (+)= A[rows, depth] * B[depth, columns], packed on the way.
template <class T>
void real_product(StridedMatrix<T> a, StridedMatrix<T> b, std::size_t rows, std::size_t depth,
                  std::size_t columns, ProductOutput<T> c,
                  InstructionSet set = best_instruction_set());

}  // namespace pet
