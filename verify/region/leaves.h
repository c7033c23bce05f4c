// What sums of products are made of: elements of inputs and symbols, results of operators without
// a meaning of ours, and results of element functions, which are known by the function, its
// parameters and its arguments as sums of products (theory: section 6, uninterpreted).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/util/id.h"
#include "verify/values/value_table.h"

namespace pet::region {

using Leaf = Id<struct LeafTag>;

enum class LeafKind { Input, Symbol, Opaque, Total, Partial };

// Shared by the two programs of a comparison: equal things are equal leaves.
class LeafTable {
 public:
  Leaf of_value(ValueId value, LeafKind kind);
  // `key`: everything but the index at which it is read. Compared in full, never by a hash.
  // By leaves: a function of elements of leaves, read at an index. Else its arguments are part of
  // the key, in variables of the box at hand.
  enum class Known { ByLeaves, InFull };
  Leaf of_function(const std::string& key, Totality totality, Known known);
  // Of what is no element function.
  std::optional<ValueId> value_of(Leaf leaf) const { return infos_[leaf.index()].value; }
  LeafKind kind(Leaf leaf) const { return infos_[leaf.index()].kind; }
  bool is_by_leaves(Leaf leaf) const { return infos_[leaf.index()].known == Known::ByLeaves; }

 private:
  struct Info {
    LeafKind kind = LeafKind::Input;
    Known known = Known::ByLeaves;
    std::optional<ValueId> value = {};  // of no element function
  };
  Leaf put(const Info& info);

  std::map<ValueId, Leaf> values_;
  std::map<std::string, Leaf> functions_;
  std::vector<Info> infos_;
};

}  // namespace pet::region
