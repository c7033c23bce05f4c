// Rows of one length, numbered as they come.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "verify/theorem/digit_box.h"

namespace pet::theorem {

class Rows {
 public:
  Rows() = default;
  explicit Rows(std::size_t length) : length_(length) {}

  std::size_t size() const { return count_; }
  Row row(std::size_t number) const { return Row(numbers_).subspan(number * length_, length_); }

  // Its number; one that was not seen before gets the next. REQUIRES: it is of that length
  std::uint32_t number(Row row) {
    if (2 * (count_ + 1) > table_.size()) grow();
    std::uint32_t& entry = entry_of(row);
    if (entry == 0) {
      numbers_.insert(numbers_.end(), row.begin(), row.end());
      entry = static_cast<std::uint32_t>(++count_);
    }
    return entry - 1;
  }

 private:
  std::uint32_t& entry_of(Row row) {
    constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15ULL;
    std::uint64_t hash = 0;
    for (const Dim x : row) hash = (hash ^ static_cast<std::uint64_t>(x)) * kOdd + (hash >> 29);
    std::size_t at = (hash ^ (hash >> 32)) & (table_.size() - 1);
    while (table_[at] != 0 && !std::ranges::equal(this->row(table_[at] - 1), row))
      at = (at + 1) & (table_.size() - 1);
    return table_[at];
  }

  void grow() {
    table_.assign(table_.empty() ? 16 : 2 * table_.size(), 0);
    for (std::size_t i = 0; i < count_; ++i) entry_of(row(i)) = static_cast<std::uint32_t>(i + 1);
  }

  std::size_t length_ = 0;
  std::size_t count_ = 0;
  std::vector<Dim> numbers_;
  std::vector<std::uint32_t> table_;  // a power of two of them: number + 1, or 0
};

}  // namespace pet::theorem
