// Quasi-affine index expressions over the axes of one term: sums of  coefficient * ((base div
// divisor) mod modulus), where base is an axis or another such sum. Division rounds down, the
// remainder is never negative.
//
// Axes are numbered: the output's first, then the reduction's.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/ir/shape.h"

namespace pet {

class IndexExpr {
 public:
  struct Part {
    Dim coefficient = 1;
    int axis = -1;                           // -1: `inner` is the base
    std::shared_ptr<const IndexExpr> inner;  // null unless axis < 0
    Dim divisor = 1;
    Dim modulus = 0;  // 0: no remainder is taken

    Dim value(std::span<const Dim> axes) const;
    bool is_plain_axis() const { return axis >= 0 && divisor == 1 && modulus == 0; }
    bool operator==(const Part& other) const;
  };

  IndexExpr(Dim constant = 0)
      : constant_(constant) {}  // NOLINT: an index may be written as a number
  static IndexExpr of_axis(int axis);

  Dim value(std::span<const Dim> axes)
      const {  // here, because whoever walks meanings spends their time on it
    Dim sum = constant_;
    for (const Part& part : parts_) {
      sum += part.is_plain_axis() ? part.coefficient * axes[static_cast<std::size_t>(part.axis)]
                                  : part.value(axes);
    }
    return sum;
  }
  Dim constant() const { return constant_; }
  const std::vector<Part>& parts() const { return parts_; }
  std::vector<int> axes() const;  // sorted, each once
  bool depends_on(int axis) const;

  // The expression as a sum of functions of one axis each: f[k](v) of the k-th entry of axes()
  // (constant() apart). nullopt if some part mixes axes.
  bool is_separable() const;
  Dim value_along(int axis, Dim v) const;  // REQUIRES: is_separable(); the summand of this axis

  // Every axis replaced by an expression.
  IndexExpr substitute(std::span<const IndexExpr> replacements) const;

  // Smallest and largest value over the box of axis extents (exact for separable expressions, else
  // an enclosure).
  std::pair<Dim, Dim> bounds(std::span<const Dim> extents) const;

  IndexExpr& operator+=(const IndexExpr& other);
  bool operator==(const IndexExpr& other) const = default;

  friend IndexExpr operator+(IndexExpr a, const IndexExpr& b) { return a += b; }
  friend IndexExpr operator-(IndexExpr a, const IndexExpr& b) { return a += b * Dim{-1}; }
  friend IndexExpr operator*(const IndexExpr& e, Dim factor);
  friend IndexExpr div(const IndexExpr& e, Dim divisor);  // REQUIRES: divisor > 0
  friend IndexExpr mod(const IndexExpr& e, Dim modulus);  // REQUIRES: modulus > 0

 private:
  void add_part(Part part);

  Dim constant_ = 0;
  std::vector<Part> parts_;
};

// The axis numbered `axis`: v(oh) * stride + v(kh) - pad.
inline IndexExpr v(int axis) { return IndexExpr::of_axis(axis); }
inline IndexExpr v(std::size_t axis) { return IndexExpr::of_axis(static_cast<int>(axis)); }

std::string to_string(const IndexExpr& e);

}  // namespace pet
