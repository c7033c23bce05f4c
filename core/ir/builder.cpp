#include "core/ir/builder.h"

#include <fmt/format.h>

#include <algorithm>

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

// More multiply-adds than anybody waits for, yet far from overflow.
constexpr Dim kMostWork = Dim{1} << 56;

bool loops_fit(const Shape& out, const Shape& inside, Dim limit) {
  Shape loops = out;
  loops.insert(loops.end(), inside.begin(), inside.end());
  return checked_volume(loops, limit).has_value();
}

bool can_be_evaluated(const Meaning& meaning) {
  const auto& terms = meaning.sum.terms;
  return std::all_of(meaning.applications.begin(), meaning.applications.end(),
                     [](const Application& a) {
                       return checked_count(a.out) &&
                              (!a.window || loops_fit(a.out, a.window->extent, kMaxElements));
                     }) &&
         std::all_of(terms.begin(), terms.end(), [&](const Term& t) {
           return checked_count(t.reduce) && loops_fit(meaning.sum.out, t.reduce, kMostWork);
         });
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
  const OpDef& def = *op.def;
  PET_CHECK(def.lower != nullptr, "an opaque operator is added by add_opaque");
  if (operands.size() < def.arity.min || operands.size() > def.arity.max) {
    return Error{fmt::format("{}: takes {} to {} operands, not {}", def.name, def.arity.min,
                             def.arity.max, operands.size())};
  }
  std::vector<Shape> shapes;
  bool all_float = true;
  for (const NodeId operand : operands) {
    const TensorType& t = type(operand);
    if (!t.shape)
      return Error{fmt::format("{}: the shape of an operand is unknown", def.name),
                   ErrorKind::Unsupported};
    if (!checked_count(*t.shape)) {
      return Error{fmt::format("{}: an operand of shape {}", def.name, to_string(*t.shape))};
    }
    if (t.dtype != type(operands.front()).dtype) {
      return Error{fmt::format("{}: operands of different types", def.name),
                   ErrorKind::Unsupported};
    }
    all_float = all_float && t.dtype == DType::Float;
    shapes.push_back(*t.shape);
  }
  auto meaning = meaning_of(op, shapes, known_numbers(graph_, operands));
  if (!meaning) return std::move(meaning).error();
  if (!checked_count(meaning->sum.out)) {
    return Error{
        fmt::format("{}: the result {} is too large", def.name, to_string(meaning->sum.out))};
  }
  if (!can_be_evaluated(*meaning)) {
    return Error{fmt::format("{}: needs more work than can be done", def.name),
                 ErrorKind::Unsupported};
  }
  if (!all_float && !is_data_movement(*meaning)) {
    return Error{fmt::format("{}: defined for float operands only", def.name),
                 ErrorKind::Unsupported};
  }
  TensorType result{type(operands.front()).dtype, meaning->sum.out};
  return intern({std::move(op), std::move(operands), std::move(result), std::move(name)},
                std::make_shared<const Meaning>(*std::move(meaning)));
}

NodeId GraphBuilder::add_input(std::string name, TensorType type) {
  const NodeId next(graph_.nodes_.size());
  const NodeId id = intern({InputLeaf{name}, {}, std::move(type), name});
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
