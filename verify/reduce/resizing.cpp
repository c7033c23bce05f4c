#include "verify/reduce/resizing.h"

#include <algorithm>

#include "core/ir/copy.h"
#include "core/program/subprogram.h"

namespace pet::reduce {
namespace {

constexpr std::size_t kMostAttempts = 48;

// The part at the front along every axis.
template <class T>
std::vector<T> front_of(std::span<const T> values, const Shape& from, const Shape& to) {
  const auto strides = row_major_strides(from);
  std::vector<T> out;
  Shape at(to.size(), 0);
  for (Dim i = 0; i < count(to); ++i) {
    Dim flat = 0;
    for (std::size_t a = 0; a < at.size(); ++a) flat += at[a] * strides[a];
    out.push_back(values[static_cast<std::size_t>(flat)]);
    for (std::size_t a = at.size(); a-- > 0;) {
      if (++at[a] < to[a]) break;
      at[a] = 0;
    }
  }
  return out;
}

Result<Tensor> front_of(const Tensor& tensor, const Shape& to) {
  if (tensor.type().dtype == DType::Float)
    return Tensor::of_floats(to, front_of(tensor.floats(), tensor.shape(), to));
  if (tensor.type().dtype == DType::Int64)
    return Tensor::of_ints(to, front_of(tensor.ints(), tensor.shape(), to));
  return Error{"a constant of that type is not made smaller"};
}

}  // namespace

// The program as some choices make it, and how many there were each time.
struct Resizing::Attempt {
  std::optional<Graph> program;  // nothing: an operator was none
  std::vector<std::size_t> ways;
};

Result<Graph> Resizing::find(const Accepts& accepts) const {
  std::vector<std::size_t> choices;
  for (std::size_t i = 0; i < kMostAttempts; ++i) {
    auto made = attempt(choices);
    if (!made) return std::move(made).error();
    if (made->program && accepts(*made->program)) return without_unused(*made->program);
    // The next one: another choice where there was one last.
    choices.resize(made->ways.size(), 0);
    while (!choices.empty() && choices.back() + 1 >= made->ways[choices.size() - 1])
      choices.pop_back();
    if (choices.empty()) break;
    ++choices.back();
  }
  return Error{"no program at these sizes was found"};
}

Result<Resizing::Attempt> Resizing::attempt(const std::vector<std::size_t>& choices) const {
  Attempt out;
  GraphBuilder builder;
  bool is_program = true;
  const auto resized = [&](NodeId id, const std::vector<NodeId>& operands) -> Result<NodeId> {
    const auto some = ways(id, operands, builder);
    is_program = !some.empty();
    if (!is_program) return Error{"no operator at these sizes"};
    if (some.size() == 1) return some[0];
    const std::size_t number = out.ways.size();
    out.ways.push_back(some.size());
    return some[number < choices.size() ? choices[number] : 0];
  };
  const auto instead = [&](NodeId id) -> Result<Instead> {
    const Node& node = program_.node(id);
    if (node.op() != nullptr) {
      return Instead(MadeOf{node.operands, [&resized, id](const std::vector<NodeId>& operands) {
                              return resized(id, operands);
                            }});
    }
    const auto made = leaf(node, builder);
    if (!made) return made.error();
    return Instead(*made);
  };
  GraphCopy copy(program_, builder, {.instead = instead});
  auto done = copy.make_kept();
  if (!is_program) return out;
  if (done) done = copy.make_outputs();
  if (!done) return std::move(done).error();
  out.program = std::move(builder).build();
  return out;
}

Result<NodeId> Resizing::leaf(const Node& node, GraphBuilder& builder) const {
  TensorType type = node.type;
  bool is_changed = false;
  if (type.shape) {
    for (std::size_t axis = 0; axis < type.shape->size(); ++axis) {
      const auto it = change_.extents.find({leaf_key(node), axis});
      if (it == change_.extents.end()) continue;
      (*type.shape)[axis] = it->second;
      is_changed = true;
    }
  }
  if (node.input() != nullptr) return builder.add_input(node.input()->name, std::move(type));
  if (!is_changed) return copy_node(builder, node, {});
  auto smaller = front_of(*node.constant(), *type.shape);
  if (!smaller) return std::move(smaller).error();
  return builder.add_constant(std::make_shared<const Tensor>(*std::move(smaller)), node.name);
}

// Different values that the operator may be now; what is not chosen is left in the builder.
std::vector<NodeId> Resizing::ways(NodeId id, const std::vector<NodeId>& operands,
                                   GraphBuilder& builder) const {
  const Node& node = program_.node(id);
  std::vector<Shape> before;
  std::vector<Shape> now;
  bool is_same = true;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const TensorType& old = program_.node(node.operands[i]).type;
    is_same = is_same && old == builder.type(operands[i]);
    if (!old.shape || !builder.type(operands[i]).shape) continue;
    before.push_back(*old.shape);
    now.push_back(*builder.type(operands[i]).shape);
  }
  if (is_same) {
    const auto copied = copy_node(builder, node, operands);
    return copied ? std::vector{*copied} : std::vector<NodeId>{};
  }
  // What an operator without a meaning yields at other sizes is not known.
  if (!program_.has_meaning(id) || before.size() != operands.size()) return {};
  std::vector<NodeId> out;
  for (Attrs& attrs : rescaled(*node.op(), before, now, *node.type.shape, change_)) {
    const auto made = builder.add(*node.op()->def, std::move(attrs), operands, node.name);
    if (made && std::find(out.begin(), out.end(), *made) == out.end()) out.push_back(*made);
  }
  return out;
}

}  // namespace pet::reduce
