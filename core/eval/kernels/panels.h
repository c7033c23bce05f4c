// The layout in which the products read their operands, for whoever packs them:
// C[M,N] += A[M,K] * B[K,N].
//
//   A, PackedRows     panels of 8 rows; all rows of one k lie side by side:
//                     A(m, k) is at data[(m / 8) * 8 * depth + k * 8 + m % 8]
//   B, PackedColumns  panels of 16 columns; all columns of one k lie side by side:
//                     B(k, n) is at data[(n / 16) * 16 * depth + k * 16 + n % 16]
//
// A is packed once, at its whole depth. B is usually too large for that (it is the unrolled input
// of a convolution): its packer fills blocks of about kBlockDepth x kBlockColumns, which stay in
// the second-level cache, and each block multiplies the slice of A that starts at its first k.
// Columns are the vector direction: put the longer of M and N there (transpose the product if M is
// long and N is short). What lies in the padding of the last panel does not matter.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "core/util/check.h"

namespace pet {

inline constexpr std::size_t kPanelRows = 8;
inline constexpr std::size_t kPanelColumns = 16;
inline constexpr std::size_t kBlockDepth = 256;
inline constexpr std::size_t kBlockColumns = 1024;

// Storage aligned for the widest vectors; grows, never shrinks, starts as zeros.
template <class T>
class AlignedBuffer {
 public:
  void grow_to(std::size_t size) {
    if (size <= size_) return;
    data_.reset(new (kAlignment) T[size]());
    size_ = size;
  }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }

 private:
  static constexpr std::align_val_t kAlignment{64};
  struct Free {
    void operator()(T* p) const { ::operator delete[](p, kAlignment); }
  };
  std::unique_ptr<T[], Free> data_;
  std::size_t size_ = 0;
};

// `lines` (rows of A or columns of B) in panels of Width, each line `depth` long.
template <class T, std::size_t Width>
class Panels {
 public:
  Panels() = default;
  Panels(std::size_t lines, std::size_t depth) { reshape(lines, depth); }

  // For the next block; the contents are lost, the memory is kept.
  void reshape(std::size_t lines, std::size_t depth) {
    buffer_.grow_to(panel_count(lines) * Width * depth);
    lines_ = lines;
    depth_ = depth;
  }

  std::size_t lines() const { return lines_; }
  std::size_t depth() const { return depth_; }
  std::size_t panels() const { return panel_count(lines_); }
  std::size_t offset(std::size_t line, std::size_t k) const {
    return (line / Width) * Width * depth_ + k * Width + line % Width;
  }
  T& at(std::size_t line, std::size_t k) { return buffer_.data()[offset(line, k)]; }
  const T& at(std::size_t line, std::size_t k) const { return buffer_.data()[offset(line, k)]; }

  // Panel i, whose entry (k, line in the panel) is at [k * Width + line].
  T* panel(std::size_t i) { return buffer_.data() + i * Width * depth_; }
  const T* panel(std::size_t i) const { return buffer_.data() + i * Width * depth_; }

 private:
  static std::size_t panel_count(std::size_t lines) { return (lines + Width - 1) / Width; }

  AlignedBuffer<T> buffer_;
  std::size_t lines_ = 0;
  std::size_t depth_ = 0;
};

template <class T>
using PackedRows = Panels<T, kPanelRows>;
template <class T>
using PackedColumns = Panels<T, kPanelColumns>;

// A matrix somewhere in memory, by its strides: a transposed operand needs no copy of its own.
template <class T>
struct StridedMatrix {
  const T* data;
  std::size_t row_stride;
  std::size_t column_stride = 1;
};

// Fills `panels` with lines x depth values; entry (line, k) is source[line * line_stride + k *
// depth_stride].
template <class T, std::size_t Width>
void pack_panels(Panels<T, Width>& panels, const T* source, std::size_t line_stride,
                 std::size_t depth_stride) {
  for (std::size_t i = 0; i < panels.panels(); ++i) {
    const T* from = source + i * Width * line_stride;
    T* to = panels.panel(i);
    const std::size_t width = std::min(Width, panels.lines() - i * Width);
    const bool side_by_side = line_stride == 1 && width == Width;
    for (std::size_t k = 0; k < panels.depth(); ++k, to += Width) {
      if (side_by_side) {
        std::copy_n(from + k * depth_stride, Width, to);
      } else {
        for (std::size_t line = 0; line < width; ++line)
          to[line] = from[line * line_stride + k * depth_stride];
      }
    }
  }
}

// The rows x depth matrix A, and the depth x columns matrix B.
template <class T>
void pack_a(PackedRows<T>& panels, StridedMatrix<T> a) {
  pack_panels(panels, a.data, a.row_stride, a.column_stride);
}
template <class T>
void pack_b(PackedColumns<T>& panels, StridedMatrix<T> b) {
  pack_panels(panels, b.data, b.column_stride, b.row_stride);
}

// Where a product goes: row m, column n at data[m * row_stride + n].
template <class T>
struct ProductOutput {
  T* data;
  std::size_t row_stride;
  bool accumulate;  // add to what is there (fully reduced residues, for a field) instead of
                    // replacing it
};

// One call of a micro-kernel: up to kPanelRows x kPanelColumns results.
template <class T>
struct ProductTile {
  const T* a;  // a panel of rows, from the first k on
  const T* b;  // a panel of columns
  std::size_t depth;
  std::size_t columns;  // 1..kPanelColumns
  ProductOutput<T> c;
};

// Calls run(rows, tile) for every tile of C[:, :] (+)= A[:, first_k : first_k + b.depth()] * B.
template <class T, class Run>
void for_each_tile(const PackedRows<T>& a, std::size_t first_k, const PackedColumns<T>& b,
                   ProductOutput<T> c, Run&& run) {
  PET_CHECK(first_k + b.depth() <= a.depth(), "the block of B reaches beyond the depth of A");
  for (std::size_t j = 0; j < b.panels(); ++j) {
    const std::size_t column = j * kPanelColumns;
    const std::size_t columns = std::min(kPanelColumns, b.lines() - column);
    for (std::size_t i = 0; i < a.panels(); ++i) {
      const std::size_t row = i * kPanelRows;
      ProductOutput<T> place = c;
      place.data += row * c.row_stride + column;
      run(std::min(kPanelRows, a.lines() - row),
          ProductTile<T>{a.panel(i) + first_k * kPanelRows, b.panel(j), b.depth(), columns, place});
    }
  }
}

// A whole product of matrices in memory, block by block: multiply(a, first_k, b, output) multiplies
// one block.
template <class T, class Multiply>
void blocked_product(StridedMatrix<T> a, StridedMatrix<T> b, std::size_t rows, std::size_t depth,
                     std::size_t columns, ProductOutput<T> c, Multiply&& multiply) {
  PackedRows<T> packed_a(rows, depth);
  pack_a(packed_a, a);
  PackedColumns<T> block;
  for (std::size_t n = 0; n < columns; n += kBlockColumns) {
    const std::size_t width = std::min(kBlockColumns, columns - n);
    for (std::size_t k = 0; k == 0 || k < depth; k += kBlockDepth) {
      block.reshape(width, std::min(kBlockDepth, depth - k));
      pack_b(block,
             {b.data + k * b.row_stride + n * b.column_stride, b.row_stride, b.column_stride});
      multiply(packed_a, k, block,
               ProductOutput<T>{c.data + n, c.row_stride, c.accumulate || k > 0});
    }
  }
}

}  // namespace pet
