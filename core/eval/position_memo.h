// Numbers the positions of one node as they are asked for, and remembers their values.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "core/ir/shape.h"

namespace pet {

class PositionMemo {
 public:
  // Those not seen before get the next numbers; their values are 0 at first.
  std::uint32_t number(Dim position) {
    if (2 * positions_.size() >= table_.size()) grow();
    std::uint32_t& entry = entry_of(position);
    if (entry == 0) {
      positions_.push_back(position);
      values_.push_back(0);
      entry = static_cast<std::uint32_t>(positions_.size());
    }
    return entry - 1;
  }

  std::size_t size() const { return positions_.size(); }
  std::span<const Dim> positions() const { return positions_; }
  std::span<std::uint32_t> values() { return values_; }

 private:
  // The one of the position, or a free one: 0.
  std::uint32_t& entry_of(Dim position) {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15ULL;
    std::size_t at = (static_cast<std::uint64_t>(position) * kOdd) >> shift_;
    while (table_[at] != 0 && positions_[table_[at] - 1] != position)
      at = (at + 1) & (table_.size() - 1);
    return table_[at];
  }

  void grow() {
    const std::size_t size = table_.empty() ? 64 : 4 * table_.size();
    shift_ = 64 - std::countr_zero(size);
    table_.assign(size, 0);
    for (std::size_t i = 0; i < positions_.size(); ++i)
      entry_of(positions_[i]) = static_cast<std::uint32_t>(i + 1);
  }

  int shift_ = 0;
  std::vector<std::uint32_t> table_;  // a power of two of them: number + 1, or 0
  std::vector<Dim> positions_;
  std::vector<std::uint32_t> values_;
};

}  // namespace pet
