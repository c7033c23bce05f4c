// Which linear operators of a program depend on which, and whether by a way that leaves them.
#pragma once

#include <cstdint>
#include <vector>

#include "core/ir/graph.h"

namespace pet {

class Reach {
 public:
  // `linear`: of the program, in order. They are numbered by their place in it.
  Reach(const Graph& program, const std::vector<NodeId>& linear);

  bool depends(std::size_t later, std::size_t earlier) const {
    return test(above_, later, earlier);
  }
  // Some way from the one to the other passes an operator that is not linear: no set of linear
  // operators that holds both is convex.
  bool depends_through_others(std::size_t later, std::size_t earlier) const {
    return test(above_through_others_, later, earlier);
  }
  // Nothing outside lies between two members. REQUIRES: sorted
  bool is_convex(const std::vector<std::size_t>& set) const;

 private:
  using Rows = std::vector<std::vector<std::uint64_t>>;
  static bool test(const Rows& rows, std::size_t row, std::size_t bit) {
    return (rows[row][bit / 64] >> (bit % 64) & 1U) != 0;
  }

  Rows above_;
  Rows above_through_others_;
};

}  // namespace pet
