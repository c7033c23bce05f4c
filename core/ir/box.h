// Boxes and regions: where two programs differ. A region's boxes live in a factored view of the
// shape, its digit basis: n = 2·n_outer + n_inner. After one reshape a box in digits is an ordinary
// sub-tensor, which is what makes correction kernels regular.
#pragma once

#include <string>
#include <vector>

#include "core/ir/shape.h"

namespace pet {

// Half-open: low[i] <= x[i] < high[i].
struct Box {
  Shape low;
  Shape high;

  Dim volume() const;
  bool contains(const Shape& point) const;
  bool operator==(const Box&) const = default;
};

// For every axis its digits, outermost first; their product is the axis' extent.
struct DigitBasis {
  std::vector<Shape> digits;

  static DigitBasis plain(const Shape& shape);  // every axis its own only digit
  Shape flat() const;                           // all digits in a row: the factored shape
  Shape shape() const;                          // the shape that it factors
  bool operator==(const DigitBasis&) const = default;
};

struct Region {
  DigitBasis basis;
  std::vector<Box> boxes;  // disjoint, in the factored shape

  bool empty() const { return boxes.empty(); }
  Dim volume() const;
  std::vector<char> points()
      const;  // one mark a position, row-major; the same in the basis and in its shape
};

// Its boxes lie inside of the shape that its digits make, and that is a shape: what was read from a
// file need not.
bool is_sound(const Region& region);

std::string to_string(const Box& box);  // [0,1)x[0,32)x[27,28)
std::string to_string(
    const Region& region);  // boxes; the basis first where an axis has several digits

}  // namespace pet
