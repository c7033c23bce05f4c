// Which linear operators of a program depend on which, and whether by a way that leaves them.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
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
  // A bit for every linear operator, in pieces. Programs are long rather than wide: a row differs
  // from that of an operand in few pieces, and rows have those in common that are equal.
  static constexpr std::size_t kPieceWords = 16;
  static constexpr std::size_t kPieceBits = 64 * kPieceWords;
  using Piece = std::array<std::uint64_t, kPieceWords>;
  using Row = std::vector<std::uint32_t>;  // numbers in `pieces_`; 0: no bit is set

  bool test(const std::vector<Row>& rows, std::size_t row, std::size_t bit) const {
    const Piece& piece = pieces_[rows[row][bit / kPieceBits]];
    return (piece[bit % kPieceBits / 64] >> (bit % 64) & 1U) != 0;
  }
  void include(Row& row, const Row& more);
  void set(Row& row, std::size_t bit);

  std::deque<Piece> pieces_;
  std::vector<Row> above_;
  std::vector<Row> above_through_others_;
};

}  // namespace pet
