#include "verify/reduce/pair.h"

#include <algorithm>
#include <set>

#include "core/ir/copy.h"
#include "core/program/views.h"

namespace pet::reduce {
namespace {

class Rebuilding {
 public:
  Rebuilding(const Graph& program, const Changes& changes)
      : program_(program), changes_(changes), needed_(needed_after(program, changes)) {}

  void add_needed_inputs(std::set<std::string>& names) const {
    for (const NodeId id : program_.inputs()) {
      if (needed_[id.index()] != 0 && !changes_.cut.contains(id))
        names.insert(program_.node(id).input()->name);
    }
  }

  // New ones that are needed.
  void add_new_inputs(std::map<std::string, TensorType>& types) const {
    for (const auto& [id, name] : changes_.cut)
      if (needed_[id.index()] != 0) types[name] = program_.node(id).type;
  }

  // Both programs take what either needs.
  Result<Graph> run(const std::set<std::string>& inputs,
                    const std::map<std::string, TensorType>& new_inputs) {
    for (const NodeId id : program_.inputs()) {
      const Node& node = program_.node(id);
      if (inputs.contains(node.input()->name)) builder_.add_input(node.input()->name, node.type);
    }
    for (const auto& [name, type] : new_inputs) builder_.add_input(name, type);
    GraphCopy copy(program_, builder_,
                   {.instead = [this](NodeId id) { return instead(id); },
                    .keep = [this](NodeId id) { return needed_[id.index()] != 0; }});
    if (auto done = copy.make_kept(); !done) return std::move(done).error();
    for (const NodeId id : changes_.outputs) builder_.add_output(copy.at(id));
    return std::move(builder_).build();
  }

 private:
  Result<Instead> instead(NodeId id) {
    const Node& node = program_.node(id);
    if (const auto it = changes_.cut.find(id); it != changes_.cut.end()) {
      if (!node.type.shape) return Error{"the shape of what is to be an input is unknown"};
      return Instead(builder_.add_input(it->second, node.type));
    }
    const auto it = changes_.instead.find(id);
    if (it == changes_.instead.end()) return Instead(AsItIs{});
    return Instead(MadeOf{{it->second}, [this, &node](const std::vector<NodeId>& other) {
                            return in_shape_of(node, other[0]);
                          }});
  }

  Result<NodeId> in_shape_of(const Node& node, NodeId other) {
    if (builder_.type(other) == node.type) return other;
    if (!node.type.shape || !builder_.type(other).shape)
      return Error{"the shape of what is to be replaced is unknown"};
    return views::reshape(builder_, other, *node.type.shape);
  }

  const Graph& program_;
  const Changes& changes_;
  std::vector<char> needed_;
  GraphBuilder builder_;
};

}  // namespace

std::vector<char> needed_after(const Graph& program, const Changes& changes) {
  std::vector<char> out(program.nodes().size(), 0);
  for (const NodeId id : changes.outputs) out[id.index()] = 1;
  for (std::size_t i = out.size(); i-- > 0;) {  // who needs it comes later and is known
    const NodeId id(i);
    if (out[i] == 0 || changes.cut.contains(id)) continue;
    if (const auto it = changes.instead.find(id); it != changes.instead.end()) {
      out[it->second.index()] = 1;
      continue;
    }
    for (const NodeId operand : program.node(id).operands) out[operand.index()] = 1;
  }
  return out;
}

std::string leaf_key(const Node& node) {
  if (node.constant() != nullptr) return "constant " + node.constant()->digest().hex();
  return "input " + node.input()->name;
}

PairSize size_of(const Pair& pair) {
  PairSize out;
  std::set<std::string> seen;
  for (const Graph* program : {&pair.original, &pair.mutant}) {
    const auto needed = program->needed_by_outputs();
    for (const NodeId id : program->ids()) {
      const Node& node = program->node(id);
      const bool counts = needed[id.index()] != 0 || node.input() != nullptr;
      if (!counts) continue;
      if (node.op() != nullptr) {
        ++out.operators;
      } else if (seen.insert(leaf_key(node)).second) {
        const Dim elements = node.type.shape ? count(*node.type.shape) : 1;
        out.elements += elements;
        if (node.constant() != nullptr && elements > 1) ++out.constants;
      }
    }
  }
  out.outputs = std::max(pair.original.outputs().size(), pair.mutant.outputs().size());
  return out;
}

Digest digest_of(const Pair& pair) {
  return Digester("pair").add(pair.original.digest()).add(pair.mutant.digest()).finish();
}

Changes no_changes(const Graph& program) { return {{}, {}, program.outputs()}; }

Result<Pair> changed(const Pair& pair, const PairChanges& changes) {
  Rebuilding original(pair.original, changes.original);
  Rebuilding mutant(pair.mutant, changes.mutant);
  std::set<std::string> inputs;
  std::map<std::string, TensorType> new_inputs;
  for (const Rebuilding* program : {&original, &mutant}) {
    program->add_needed_inputs(inputs);
    program->add_new_inputs(new_inputs);
  }
  auto a = original.run(inputs, new_inputs);
  if (!a) return std::move(a).error();
  auto b = mutant.run(inputs, new_inputs);
  if (!b) return std::move(b).error();
  return Pair{*std::move(a), *std::move(b)};
}

}  // namespace pet::reduce
