#include <algorithm>
#include <vector>

#include "core/ops/ops.h"

namespace pet::ops {

std::span<const OpDef* const> all() {
  static const std::vector<const OpDef*> list = {
#define OP(name) &name(),
#include "core/ops/all_ops.def"
#undef OP
  };
  return list;
}

const OpDef* find(std::string_view name) {
  const auto it =
      std::find_if(all().begin(), all().end(), [&](const OpDef* def) { return def->name == name; });
  return it == all().end() ? nullptr : *it;
}

}  // namespace pet::ops
