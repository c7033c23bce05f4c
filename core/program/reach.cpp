#include "core/program/reach.h"

#include <algorithm>

namespace pet {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

}  // namespace

Reach::Reach(const Graph& program, const std::vector<NodeId>& linear) {
  std::vector<std::size_t> number(program.nodes().size(), kNone);
  for (std::size_t i = 0; i < linear.size(); ++i) number[linear[i].index()] = i;
  pieces_.emplace_back();
  const Row nothing((linear.size() + kPieceBits - 1) / kPieceBits, 0);
  std::vector<Row> above(program.nodes().size(), nothing);
  std::vector<Row> through_others(program.nodes().size(), nothing);
  for (const NodeId id : program.ids()) {
    for (const NodeId operand : program.node(id).operands) {
      const std::size_t from = operand.index();
      include(above[id.index()], above[from]);
      const bool is_linear = number[from] != kNone;
      include(through_others[id.index()], is_linear ? through_others[from] : above[from]);
      if (is_linear) set(above[id.index()], number[from]);
    }
  }
  for (const NodeId id : linear) {
    above_.push_back(std::move(above[id.index()]));
    above_through_others_.push_back(std::move(through_others[id.index()]));
  }
}

void Reach::include(Row& row, const Row& more) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (row[i] == more[i] || more[i] == 0) continue;
    if (row[i] == 0) {
      row[i] = more[i];
      continue;
    }
    Piece both = pieces_[row[i]];
    for (std::size_t word = 0; word < kPieceWords; ++word) both[word] |= pieces_[more[i]][word];
    if (both == pieces_[row[i]]) continue;
    if (both == pieces_[more[i]]) {
      row[i] = more[i];
      continue;
    }
    row[i] = static_cast<std::uint32_t>(pieces_.size());
    pieces_.push_back(both);
  }
}

void Reach::set(Row& row, std::size_t bit) {
  std::uint32_t& number = row[bit / kPieceBits];
  Piece piece = pieces_[number];
  piece[bit % kPieceBits / 64] |= std::uint64_t{1} << (bit % 64);
  if (piece == pieces_[number]) return;
  number = static_cast<std::uint32_t>(pieces_.size());
  pieces_.push_back(piece);
}

bool Reach::is_convex(const std::vector<std::size_t>& set) const {
  const auto in_set = [&](std::size_t i) { return std::binary_search(set.begin(), set.end(), i); };
  for (std::size_t w = set.front() + 1; w < set.back(); ++w) {
    if (in_set(w)) continue;
    const bool below =
        std::any_of(set.begin(), set.end(), [&](std::size_t i) { return depends(w, i); });
    if (below && std::any_of(set.begin(), set.end(), [&](std::size_t i) { return depends(i, w); }))
      return false;
  }
  for (const std::size_t later : set) {
    for (const std::size_t earlier : set) {
      if (depends_through_others(later, earlier)) return false;
    }
  }
  return true;
}

}  // namespace pet
