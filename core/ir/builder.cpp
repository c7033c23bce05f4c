#include "core/ir/builder.h"

#include "core/ir/infer.h"
#include "core/ir/known_numbers.h"
#include "core/util/check.h"
#include "core/util/overloaded.h"

namespace pet {
namespace {

Digest digest_of_what(const Node& node) {
  Digester digester("node");
  digester.add(static_cast<std::uint64_t>(node.what.index()));
  std::visit(overloaded{[&](const Op& op) { digest_into(digester, op); },
                        [&](const InputLeaf& leaf) { digester.add(leaf.name); },
                        [&](const ConstantLeaf& leaf) { digester.add(leaf->digest()); }},
             node.what);
  return digester.finish();
}

}  // namespace

NodeId GraphBuilder::intern(Node node, std::shared_ptr<const Meaning> meaning) {
  const Digest what = digest_of_what(node);
  const auto [it, is_new] =
      interned_.try_emplace({what, node.operands}, NodeId(graph_.nodes_.size()));
  if (is_new) {
    graph_.nodes_.push_back(std::move(node));
    graph_.what_.push_back(what);
    graph_.meanings_.push_back(std::move(meaning));
  }
  return it->second;
}

Result<NodeId> GraphBuilder::add(const OpDef& def, Attrs attrs, std::vector<NodeId> operands,
                                 std::string name) {
  auto op = make_op(def, std::move(attrs));
  if (!op) return std::move(op).error();
  return add(*std::move(op), std::move(operands), std::move(name));
}

Result<NodeId> GraphBuilder::add(Op op, std::vector<NodeId> operands, std::string name) {
  const KnownNumbers numbers = known_numbers(graph_, *op.def, operands);
  return add_knowing(numbers, std::move(op), std::move(operands), std::move(name));
}

Result<NodeId> GraphBuilder::add_knowing(const KnownNumbers& numbers, Op op,
                                         std::vector<NodeId> operands, std::string name) {
  PET_CHECK(op.def->lower != nullptr, "an opaque operator is added by add_opaque");
  auto inferred = infer(op, types(operands), numbers);
  if (!inferred) return std::move(inferred).error();
  return intern({std::move(op), std::move(operands), std::move(inferred->type), std::move(name)},
                std::make_shared<const Meaning>(std::move(inferred->meaning)));
}

std::vector<TensorType> GraphBuilder::types(const std::vector<NodeId>& ids) const {
  std::vector<TensorType> out;
  out.reserve(ids.size());
  for (const NodeId id : ids) out.push_back(type(id));
  return out;
}

NodeId GraphBuilder::add_input(std::string name, TensorType type) {
  const NodeId next(graph_.nodes_.size());
  const NodeId id = intern({InputLeaf{name}, {}, std::move(type), std::move(name)});
  if (id == next) graph_.inputs_.push_back(id);
  return id;
}

NodeId GraphBuilder::add_constant(std::shared_ptr<const Tensor> tensor, std::string name) {
  TensorType type = tensor->type();
  return intern({std::move(tensor), {}, std::move(type), std::move(name)});
}

NodeId GraphBuilder::add_scalar(float value) {
  return add_constant(std::make_shared<const Tensor>(Tensor::of_floats({}, {value})));
}

NodeId GraphBuilder::add_opaque(std::string what, const Digest& content,
                                std::vector<NodeId> operands, TensorType type, std::string name) {
  Op op{&opaque_operator(), Attrs{{"what", std::move(what)}, {"content", content.hex()}}};
  return add_opaque(std::move(op), std::move(operands), std::move(type), std::move(name));
}

NodeId GraphBuilder::add_opaque(Op op, std::vector<NodeId> operands, TensorType type,
                                std::string name) {
  PET_CHECK(op.def == &opaque_operator(), "only an opaque operator is added without inference");
  return intern({std::move(op), std::move(operands), std::move(type), std::move(name)});
}

Graph GraphBuilder::build() && { return std::move(graph_); }

const OpDef& opaque_operator() {
  static const OpDef def{.name = "Opaque",
                         .summary = "an operator that we do not interpret; written back as it came",
                         .arity = {0, kAnyNumber},
                         .attrs = {{"what", std::string{}, AttrRole::Parameter, true},
                                   {"content", std::string{}, AttrRole::Parameter, true}}};
  return def;
}

}  // namespace pet
