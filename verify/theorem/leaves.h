// What products are made of in the end: inputs, weights, values that both programs compute alike,
// and results of functions of single elements of these (1/sqrt(variance + epsilon), one a channel).
// Equal leaves of both programs have one number.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/ir/meaning.h"
#include "verify/theorem/rows.h"
#include "verify/values/value_table.h"

namespace pet::theorem {

using Leaf = std::uint32_t;

class LeafTable {
 public:
  struct About {
    std::size_t rank = 0;     // so many coordinates has an index
    std::string name;         // for people
    bool is_partial = false;  // not defined for all inputs
  };
  Leaf of_value(ValueId value, About about);
  // Of its elements: nothing where one is read outside of its tensor.
  Leaf of_function(const Application& application,
                   const std::vector<std::optional<Leaf>>& elements);

  std::size_t size() const { return leaves_.size(); }
  const About& about(Leaf leaf) const { return leaves_[leaf]; }

 private:
  using Key = std::vector<std::uint64_t>;
  Leaf numbered(Key key, About about);

  std::map<Key, Leaf> known_;
  std::map<std::string, std::uint64_t> functions_;  // by name
  std::vector<About> leaves_;
};

// The elements of leaves that are read in one box, by both programs.
class LeafReads {
 public:
  LeafReads(const LeafTable& leaves, std::size_t width) : leaves_(leaves), width_(width) {}

  // `index`: one row a coordinate, one after the other.
  std::uint32_t number(Leaf leaf, Row index) {
    while (reads_.size() <= leaf)
      reads_.emplace_back(leaves_.about(Leaf(reads_.size())).rank * width_);
    return reads_[leaf].number(index);
  }
  std::size_t leaves() const { return reads_.size(); }
  const Rows& of(Leaf leaf) const { return reads_[leaf]; }
  std::size_t width() const { return width_; }

 private:
  const LeafTable& leaves_;
  std::size_t width_;
  std::vector<Rows> reads_;
};

}  // namespace pet::theorem
