#include "core/ir/op.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pet {

Result<Op> make_op(const OpDef& def, Attrs attrs) {
  for (const auto& [name, value] : attrs) {
    const auto it = std::find_if(def.attrs.begin(), def.attrs.end(),
                                 [&](const AttrDef& a) { return a.name == name; });
    if (it == def.attrs.end()) {
      return Error{fmt::format("{} has no attribute {}", def.name, name), ErrorKind::Unsupported};
    }
    if (value.index() != it->standard.index()) {
      return Error{fmt::format("{}: attribute {} has the wrong type", def.name, name)};
    }
    if (const auto* real = std::get_if<double>(&value); real != nullptr && !std::isfinite(*real)) {
      return Error{fmt::format("{}: attribute {} is not finite", def.name, name),
                   ErrorKind::Unsupported};
    }
  }
  for (const AttrDef& attr : def.attrs) {
    if (attrs.has(attr.name)) continue;
    if (attr.required)
      return Error{fmt::format("{}: attribute {} is missing", def.name, attr.name)};
    attrs.set(attr.name, attr.standard);
  }
  return Op{&def, std::move(attrs)};
}

std::string to_string(const Op& op) {
  std::string inside;
  for (const AttrDef& attr : op.def->attrs) {
    const AttrValue* value = op.attrs.find(attr.name);
    if (value == nullptr || (!attr.required && *value == attr.standard)) continue;
    inside += fmt::format("{}{}={}", inside.empty() ? "" : ", ", attr.name, to_string(*value));
  }
  return inside.empty() ? op.def->name : fmt::format("{}<{}>", op.def->name, inside);
}

void digest_into(Digester& digester, const Op& op) {
  digester.add(op.def->name);
  digest_into(digester, op.attrs);
}

}  // namespace pet
