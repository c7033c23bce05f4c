#include "core/ops/ops.h"

#include <fmt/format.h>

#include "app/pet/commands.h"

namespace pet::app {

Command add_ops(CLI::App& parent) {
  parent.add_subcommand("ops", "the table of operators, from their definitions");
  return [] {
    for (const OpDef* def : ops::all()) {
      fmt::print("{:<22} {}\n", def->name, def->summary);
      for (const AttrDef& attr : def->attrs) {
        fmt::print("    {:<18} {}{}\n", attr.name,
                   attr.role == AttrRole::Parameter ? "parameter" : "geometry",
                   attr.required ? ", required" : ", default " + to_string(attr.standard));
      }
    }
    return kDone;
  };
}

}  // namespace pet::app
