#include "core/rewrite/expression_digest.h"

#include <algorithm>

#include "core/analysis/commutative.h"

namespace pet::rules {

Digest expression_digest(const Graph& program) {
  std::vector<Digest> of;  // by node
  for (const NodeId id : program.ids()) {
    std::vector<Digest> operands;
    for (const NodeId operand : program.node(id).operands) operands.push_back(of[operand.index()]);
    if (operands.size() == 2 && program.has_meaning(id) && operands[1] < operands[0] &&
        is_commutative(program, id))
      std::swap(operands[0], operands[1]);
    Digester digester("expression");
    digester.add(program.what_is(id));
    for (const Digest& operand : operands) digester.add(operand);
    of.push_back(digester.finish());
  }
  Digester digester("expressions");
  for (const NodeId id : program.outputs()) digester.add(of[id.index()]);
  return digester.finish();
}

}  // namespace pet::rules
