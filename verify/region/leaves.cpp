#include "verify/region/leaves.h"

namespace pet::region {

Leaf LeafTable::put(const Info& info) {
  infos_.push_back(info);
  return Leaf(infos_.size() - 1);
}

Leaf LeafTable::of_value(ValueId value, LeafKind kind) {
  const auto found = values_.find(value);
  if (found != values_.end()) return found->second;
  return values_.emplace(value, put({kind, Known::ByLeaves, value})).first->second;
}

Leaf LeafTable::of_function(const std::string& key, Totality totality, Known known) {
  const auto found = functions_.find(key);
  if (found != functions_.end()) return found->second;
  const auto kind = totality == Totality::Total ? LeafKind::Total : LeafKind::Partial;
  return functions_.emplace(key, put({kind, known, std::nullopt})).first->second;
}

}  // namespace pet::region
