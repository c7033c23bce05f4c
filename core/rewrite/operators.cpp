#include "core/rewrite/operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/ops/ops.h"
#include "core/rewrite/operator_parts.h"
#include "core/util/printable.h"

namespace pet::rules {
namespace {

void equal_shapes(Draft& draft, const Value& a, const Value& b) {
  for (std::size_t i = 0; i < a.shape.size(); ++i) draft.sizes.equal(a.shape[i], b.shape[i]);
}

// Elementwise operators.

Values same_as_first(Draft& draft, const Operands& at) {
  const Value& a = at.values[0];
  for (const Value& b : at.values.subspan(1)) {
    if (b.shape.size() != a.shape.size()) return means_nothing(at.op, "ranks that do not fit");
    equal_shapes(draft, a, b);
  }
  return one(a);
}

Values scaled_shape(Draft&, const Operands& at) {
  if (!at.values[1].shape.empty()) return means_nothing(at.op, "the factor is no scalar");
  return one(at.values[0]);
}

template <const OpDef& (*op)()>
Nodes apply(const Building& at, const Operands&, std::span<const NodeId> nodes) {
  return one(at.builder.add(op(), {}, {nodes.begin(), nodes.end()}));
}

// Products.

Values product_shape(Draft& draft, const Operands& at) {
  const Value& a = at.values[0];
  const Value& b = at.values[1];
  const std::size_t rank = a.shape.size();
  const std::size_t of_b = b.shape.size();
  // A matrix multiplies each of many.
  if (rank < 2 || (of_b != rank && of_b != 2) || of_b > rank)
    return means_nothing(at.op, "ranks that do not fit");
  Value out;
  for (std::size_t i = 0; i + 2 < rank; ++i) {
    if (of_b == rank) draft.sizes.equal(a.shape[i], b.shape[i]);
    out.shape.push_back(a.shape[i]);
    if (of_b != rank && a.cuts.contains(i)) out.cuts[i] = a.cuts.at(i);
  }
  draft.sizes.equal(a.shape[rank - 1], b.shape[of_b - 2]);
  out.shape.push_back(a.shape[rank - 2]);
  out.shape.push_back(b.shape[of_b - 1]);
  if (a.cuts.contains(rank - 2)) out.cuts[rank - 2] = a.cuts.at(rank - 2);
  if (b.cuts.contains(of_b - 1)) out.cuts[rank - 1] = b.cuts.at(of_b - 1);
  return one(std::move(out));
}

Nodes build_product(const Building& at, const Operands& operands, std::span<const NodeId> nodes) {
  return one(activated(at, operands.op, at.builder.add(ops::mat_mul(), {}, {nodes[0], nodes[1]})));
}

std::size_t axis_of(const RuleOp& op) { return static_cast<std::size_t>(op.integer("axis", 0)); }

// A vector along an axis, added to all that lies there.

Values biased_shape(Draft& draft, const Operands& at) {
  const Value& x = at.values[0];
  const Value& bias = at.values[1];
  const std::size_t axis = axis_of(at.op);
  if (axis >= x.shape.size() || bias.shape.size() != 1)
    return means_nothing(at.op, "an axis that is not there, or no vector");
  draft.sizes.equal(x.shape[axis], bias.shape[0]);
  return one(x);
}

Nodes build_biased(const Building& at, const Operands& operands, std::span<const NodeId> nodes) {
  const std::size_t behind = operands.values[0].shape.size() - axis_of(operands.op) - 1;
  NodeId bias = nodes[1];
  if (behind > 0) {
    Shape shape(behind + 1, 1);
    shape[0] = at.builder.type(bias).shape->front();
    const auto spread = at.builder.add(ops::reshape(), Attrs{{"shape", shape}}, {bias});
    if (!spread) return spread.error();
    bias = *spread;
  }
  return one(at.builder.add(ops::add(), {}, {nodes[0], bias}));
}

// Layout.

Values concatenated_shape(Draft& draft, const Operands& at) {
  Value out = at.values[0];
  const std::size_t axis = axis_of(at.op);
  if (axis >= out.shape.size()) return means_nothing(at.op, "an axis that is not there");
  if (at.op.integer("num_dim", static_cast<Dim>(out.shape.size())) !=
      static_cast<Dim>(out.shape.size()))
    return means_nothing(at.op, "operands of another rank than num_dim");
  const auto operands = static_cast<Dim>(at.values.size());
  if (at.op.integer("num_inputs", operands) != operands)
    return means_nothing(at.op, "another number of operands than num_inputs");
  for (const Value& b : at.values.subspan(1)) {
    if (b.shape.size() != out.shape.size()) return means_nothing(at.op, "ranks that do not fit");
    for (std::size_t i = 0; i < out.shape.size(); ++i) {
      if (i != axis) draft.sizes.equal(out.shape[i], b.shape[i]);
    }
    out.cuts[axis] = out.shape[axis];
    out.shape[axis] += b.shape[axis];
  }
  return one(std::move(out));
}

Nodes build_concatenation(const Building& at, const Operands& operands,
                          std::span<const NodeId> nodes) {
  return one(at.builder.add(ops::concat(), Attrs{{"axis", operands.op.integer("axis", 0)}},
                            {nodes.begin(), nodes.end()}));
}

Values split_shapes(Draft&, const Operands& at) {
  const Value& x = at.values[0];
  const std::size_t axis = axis_of(at.op);
  if (at.op.integer("num_outputs", 2) != 2)
    return means_nothing(at.op, "results other than the two parts");
  if (!x.cuts.contains(axis))
    return means_nothing(at.op, "nothing was concatenated along its axis before");
  Value first = x;
  Value second = x;
  first.shape[axis] = x.cuts.at(axis);
  second.shape[axis] = x.shape[axis] - x.cuts.at(axis);
  for (Value* part : {&first, &second}) {
    part->cuts.erase(axis);
    part->input.clear();
  }
  return std::vector{std::move(first), std::move(second)};
}

Nodes build_split(const Building& at, const Operands& operands, std::span<const NodeId> nodes) {
  const auto axis = axis_of(operands.op);
  const Dim cut = operands.values[0].cuts.at(axis).at(at.values);
  const Dim size = (*at.builder.type(nodes[0]).shape)[axis];
  std::vector<NodeId> out;
  for (const auto& [from, to] : {std::pair{Dim{0}, cut}, std::pair{cut, size}}) {
    const auto part = at.builder.add(ops::slice(),
                                     Attrs{{"axes", Ints{static_cast<Dim>(axis)}},
                                           {"starts", Ints{from}},
                                           {"ends", Ints{to}},
                                           {"steps", Ints{1}}},
                                     {nodes[0]});
    if (!part) return part.error();
    out.push_back(*part);
  }
  return out;
}

Values transposed_shape(Draft&, const Operands& at) {
  const Value& x = at.values[0];
  const auto perm = at.op.integers("perm");
  auto sorted = perm;
  std::sort(sorted.begin(), sorted.end());
  bool is_order = sorted.size() == x.shape.size();
  for (std::size_t i = 0; i < sorted.size(); ++i)
    is_order = is_order && sorted[i] == static_cast<Dim>(i);
  if (!is_order) return means_nothing(at.op, "\"perm\" is no order of the axes");
  Value out;
  for (std::size_t i = 0; i < x.shape.size(); ++i) {
    const auto from = static_cast<std::size_t>(perm[i]);
    out.shape.push_back(x.shape[from]);
    if (x.cuts.contains(from)) out.cuts[i] = x.cuts.at(from);
  }
  return one(std::move(out));
}

Nodes build_transpose(const Building& at, const Operands& operands, std::span<const NodeId> nodes) {
  return one(
      at.builder.add(ops::transpose(), Attrs{{"perm", operands.op.integers("perm")}}, {nodes[0]}));
}

// TASO counts operands and results a second time.
constexpr std::array kOfProduct = {kActivation};
constexpr RuleAttribute kAxis{"axis", RuleAttribute::Holds::Axis};
constexpr std::array kOfBias = {kAxis};
constexpr std::array kOfConcatenation = {
    kAxis, RuleAttribute{"num_dim", RuleAttribute::Holds::Rank}, RuleAttribute{"num_inputs"}};
constexpr std::array kOfSplit = {kAxis, RuleAttribute{"num_outputs"}};
constexpr std::array kOfTranspose = {RuleAttribute{"perm", RuleAttribute::Holds::Order}};

constexpr std::array kPlain = {
    RuleOperator{"ewadd", 2, 2, {}, Leading::All, same_as_first, apply<ops::add>},
    RuleOperator{"ewmul", 2, 2, {}, Leading::All, same_as_first, apply<ops::mul>},
    RuleOperator{"smul", 2, 2, {}, Leading::First, scaled_shape, apply<ops::mul>},
    RuleOperator{"relu", 1, 1, {}, Leading::All, same_as_first, apply<ops::relu>},
    RuleOperator{"sigmoid", 1, 1, {}, Leading::All, same_as_first, apply<ops::sigmoid>},
    RuleOperator{"tanh", 1, 1, {}, Leading::All, same_as_first, apply<ops::tanh>},
    RuleOperator{"bias", 2, 2, kOfBias, Leading::First, biased_shape, build_biased},
    RuleOperator{"matmul", 2, 2, kOfProduct, Leading::First, product_shape, build_product},
    RuleOperator{"concat", 2, 2, kOfConcatenation, Leading::All, concatenated_shape,
                 build_concatenation},
    RuleOperator{"split", 1, 1, kOfSplit, Leading::All, split_shapes, build_split},
    RuleOperator{"transpose", 1, 1, kOfTranspose, Leading::All, transposed_shape, build_transpose},
};

// Null: there is none of that name.
const RuleOperator* find_operator(std::string_view name) {
  for (const auto family :
       {std::span<const RuleOperator>(kPlain), window_operators(), weight_operators()}) {
    const auto it = std::find_if(family.begin(), family.end(),
                                 [&](const RuleOperator& o) { return o.name == name; });
    if (it != family.end()) return &*it;
  }
  return nullptr;
}

// Which alternative of RuleAttr.
std::size_t kind_of(RuleAttribute::Holds holds) {
  switch (holds) {
    case RuleAttribute::Holds::Text:
      return 1;
    case RuleAttribute::Holds::Numbers:
    case RuleAttribute::Holds::Order:
      return 2;
    default:
      return 0;
  }
}

// What an operator does not know it would leave out.
Status check_attributes(const RuleOp& op, const RuleOperator& known) {
  for (const auto& [name, value] : op.attrs) {
    const auto it = std::find_if(known.attributes.begin(), known.attributes.end(),
                                 [&](const RuleAttribute& a) { return a.name == name; });
    if (it == known.attributes.end())
      return means_nothing(op, fmt::format("it has no attribute \"{}\"", printable(name)));
    const std::size_t kind = kind_of(it->holds);
    if (value.index() == kind) continue;
    constexpr std::array kWords = {"a number", "text", "a list of numbers"};
    return means_nothing(op, fmt::format("its attribute \"{}\" is not {}", name, kWords[kind]));
  }
  return Done{};
}

}  // namespace

Error means_nothing(const RuleOp& op, const std::string& what) {
  return Error{fmt::format("{}: {}", printable(op.name), what), ErrorKind::Malformed};
}

Values one(Value value) {
  value.input.clear();
  return std::vector{std::move(value)};
}

Nodes one(Result<NodeId> node) {
  if (!node) return std::move(node).error();
  return std::vector{*node};
}

Result<NodeId> activated(const Building& at, const RuleOp& op, Result<NodeId> node) {
  const std::string activation = op.text("activation", "NONE");
  if (!node || activation == "NONE") return node;
  if (activation == "RELU") return at.builder.add(ops::relu(), {}, {*node});
  if (activation == "SIGMOID") return at.builder.add(ops::sigmoid(), {}, {*node});
  if (activation == "TANH") return at.builder.add(ops::tanh(), {}, {*node});
  return means_nothing(op, fmt::format("no activation is called \"{}\"", printable(activation)));
}
Shape known_shape(const Value& value, const std::vector<Dim>& values) {
  Shape out;
  for (const Size& size : value.shape) out.push_back(size.at(values));
  return out;
}

Result<const RuleOperator*> operator_of(const RuleOp& op) {
  const RuleOperator* it = find_operator(op.name);
  if (it == nullptr)
    return Error{fmt::format("no rule operator is called \"{}\"", printable(op.name)),
                 ErrorKind::Unsupported};
  if (op.operands.size() != it->operands && op.operands.size() != it->or_so)
    return Error{
        fmt::format("{} takes {} operands, not {}", it->name, it->operands, op.operands.size()),
        ErrorKind::Malformed};
  if (auto known = check_attributes(op, *it); !known) return std::move(known).error();
  return it;
}

}  // namespace pet::rules
