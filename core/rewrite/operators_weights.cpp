// Operators of rules that make weights: enlarged and merged ones, and constants.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <set>

#include "core/ops/ops.h"
#include "core/rewrite/operator_parts.h"

namespace pet::rules {
namespace {

constexpr Dim kLargestKernel = 16;

// Weights.

// To the kernel of the second operand, or to what the attributes say.
Values enlarged_shape(Draft& draft, const Operands& at) {
  const Value& w = at.values[0];
  if (w.shape.size() != 4) return means_nothing(at.op, "a rank other than 4");
  Value out = w;
  const char* const attrs[] = {"kernel_h", "kernel_w"};
  for (const std::size_t axis : {2U, 3U}) {
    if (at.values.size() == 2) {
      if (at.values[1].shape.size() != 4) return means_nothing(at.op, "a rank other than 4");
      out.shape[axis] = at.values[1].shape[axis];
    } else {
      const Dim kernel = at.op.integer(attrs[axis - 2], 1);
      out.shape[axis] = kernel;
      draft.sizes.widen(w.shape[axis], std::clamp<Dim>(kernel - kLargestSize, 0, kLargestKernel));
    }
    draft.sizes.at_least(out.shape[axis] - w.shape[axis], 0);
  }
  draft.enlarged.push_back({w, out});
  return one(std::move(out));
}

Nodes build_enlarged(const Building& at, const Operands& operands, std::span<const NodeId> nodes) {
  const Shape from = *at.builder.type(nodes[0]).shape;
  Ints pad(8, 0);
  for (const std::size_t axis : {2U, 3U}) {
    const Dim to = nodes.size() == 2 ? (*at.builder.type(nodes[1]).shape)[axis]
                                     : operands.op.integer(axis == 2 ? "kernel_h" : "kernel_w", 1);
    if (to < from[axis]) return means_nothing(operands.op, "a kernel that is larger already");
    pad[axis] = (to - from[axis]) / 2;
    pad[axis + 4] = to - from[axis] - pad[axis];
  }
  return one(at.builder.add(ops::pad(), Attrs{{"pads", pad}}, {nodes[0]}));
}

// The numbers of groups of the convolutions that a weight belongs to; empty: none is known.
std::set<Dim> groups_of(const Draft& draft, const Value& weight) {
  std::set<Dim> out;
  for (const Grouped& convolution : draft.convolutions) {
    if (!weight.input.empty() && convolution.weight.input == weight.input)
      out.insert(convolution.groups);
  }
  return out;
}

Values merged_groups_shape(Draft& draft, const Operands& at) {
  const Value& w = at.values[0];
  const Dim merged = at.op.integer("count", 0);
  constexpr Dim kMostMerged = 64;
  if (w.shape.size() != 4 || merged < 1 || merged > kMostMerged)
    return means_nothing(at.op, "a weight or a count that means nothing");
  const auto groups = groups_of(draft, w);
  if (groups.empty()) return means_nothing(at.op, "of a weight that no convolution reads");
  draft.merges.insert(merged);
  // Read in different numbers of groups it is not one weight of so many groups.
  if (groups.size() > 1 || *groups.begin() % merged != 0) draft.give_up();
  Value out = w;
  out.shape[1] = w.shape[1] * merged;
  return one(std::move(out));
}

// Each group's features read, of the channels of `count` groups in a row, their own.
Nodes build_merged_groups(const Building& at, const Operands& operands,
                          std::span<const NodeId> nodes) {
  const Shape w = *at.builder.type(nodes[0]).shape;
  const Dim groups = *groups_of(at.draft, operands.values[0]).begin();
  const Dim merged = operands.op.integer("count", 1);
  const Dim features = w[0] / groups;
  std::vector<NodeId> rows;
  for (Dim group = 0; group < groups; ++group) {
    const auto own = at.builder.add(ops::slice(),
                                    Attrs{{"axes", Ints{0}},
                                          {"starts", Ints{group * features}},
                                          {"ends", Ints{(group + 1) * features}},
                                          {"steps", Ints{1}}},
                                    {nodes[0]});
    if (!own) return own.error();
    const Dim before = group % merged;
    const auto placed = at.builder.add(
        ops::pad(),
        Attrs{{"pads", Ints{0, before * w[1], 0, 0, 0, (merged - 1 - before) * w[1], 0, 0}}},
        {*own});
    if (!placed) return placed.error();
    rows.push_back(*placed);
  }
  if (rows.size() == 1) return rows;
  return one(at.builder.add(ops::concat(), Attrs{{"axis", std::int64_t{0}}}, std::move(rows)));
}

// Constants.

// The sizes that the attributes kernel_h and kernel_w say, 1 where they say nothing.
Result<std::vector<Size>> kernel_of(const RuleOp& op) {
  std::vector<Size> out;
  for (const char* attr : {"kernel_h", "kernel_w"}) {
    const Dim size = op.integer(attr, 1);
    if (size < 1 || size > kLargestKernel)
      return means_nothing(op, fmt::format("a {} of {}", attr, size));
    out.emplace_back(size);
  }
  return out;
}

Values identity_matrix_shape(Draft& draft, const Operands&) {
  const Size n = draft.sizes.made();
  return one({{n, n}, {}, {}});
}

Values ones_shape(Draft& draft, const Operands& at) {
  const Dim rank = at.op.integer("rank", 2);
  if (rank > static_cast<Dim>(kMaxRank)) return means_nothing(at.op, "a rank that no tensor has");
  Value out;
  for (Dim i = 0; i < rank; ++i) out.shape.push_back(draft.sizes.made());
  return one(std::move(out));
}

Values kernel_shape(const RuleOp& op, Size features, Size channels) {
  const auto kernel = kernel_of(op);
  if (!kernel) return kernel.error();
  return one({{std::move(features), std::move(channels), (*kernel)[0], (*kernel)[1]}, {}, {}});
}

Values identity_kernel_shape(Draft& draft, const Operands& at) {
  const Size n = draft.sizes.made();
  return kernel_shape(at.op, n, n);
}

Values pooling_kernel_shape(Draft& draft, const Operands& at) {
  return kernel_shape(at.op, draft.sizes.made(), 1);
}

NodeId constant(const Building& at, const Shape& shape, std::vector<float> values) {
  return at.builder.add_constant(
      std::make_shared<const Tensor>(Tensor::of_floats(shape, std::move(values))));
}

Nodes build_ones(const Building& at, const Operands& operands, std::span<const NodeId>) {
  const Shape shape = known_shape(operands.results[0], at.values);
  return std::vector{
      constant(at, shape, std::vector<float>(static_cast<std::size_t>(count(shape)), 1))};
}

// Ones where the first two axes meet and every further one is in its middle.
Nodes build_identity(const Building& at, const Operands& operands, std::span<const NodeId>) {
  const Shape shape = known_shape(operands.results[0], at.values);
  std::vector<float> values(static_cast<std::size_t>(count(shape)));
  const auto strides = row_major_strides(shape);
  for (Dim i = 0; i < shape[0]; ++i) {
    Dim flat = i * (strides[0] + strides[1]);
    for (std::size_t axis = 2; axis < shape.size(); ++axis)
      flat += (shape[axis] - 1) / 2 * strides[axis];
    values[static_cast<std::size_t>(flat)] = 1;
  }
  return std::vector{constant(at, shape, std::move(values))};
}

// One over the size of the window is no float: it is the mean of a one and zeros.
Nodes build_pooling_kernel(const Building& at, const Operands& operands, std::span<const NodeId>) {
  const Shape shape = known_shape(operands.results[0], at.values);
  std::vector<float> one_hot(static_cast<std::size_t>(shape[2] * shape[3]));
  one_hot[0] = 1;
  const NodeId row = constant(at, {shape[2] * shape[3]}, std::move(one_hot));
  const auto mean = at.builder.add(ops::reduce_mean(),
                                   Attrs{{"axes", Ints{0}}, {"keepdims", std::int64_t{0}}}, {row});
  if (!mean) return mean.error();
  const NodeId all =
      constant(at, shape, std::vector<float>(static_cast<std::size_t>(count(shape)), 1));
  return one(at.builder.add(ops::mul(), {}, {all, *mean}));
}

constexpr std::array kOfKernel = {RuleAttribute{"kernel_h"}, RuleAttribute{"kernel_w"}};
constexpr std::array kOfMerged = {RuleAttribute{"count"}};
constexpr std::array kOfOnes = {RuleAttribute{"rank"}};

constexpr std::array kWeights = {
    RuleOperator{"enlarge", 1, 2, kOfKernel, Leading::No, enlarged_shape, build_enlarged},
    RuleOperator{"merge_gconv", 1, 1, kOfMerged, Leading::No, merged_groups_shape,
                 build_merged_groups},
    RuleOperator{"const_imm", 0, 0, {}, Leading::No, identity_matrix_shape, build_identity},
    RuleOperator{"const_one", 0, 0, kOfOnes, Leading::No, ones_shape, build_ones},
    RuleOperator{"const_iconv", 0, 0, kOfKernel, Leading::No, identity_kernel_shape,
                 build_identity},
    RuleOperator{"const_pool", 0, 0, kOfKernel, Leading::No, pooling_kernel_shape,
                 build_pooling_kernel},
};

}  // namespace

std::span<const RuleOperator> weight_operators() { return kWeights; }

std::vector<Dim> zeros_before(const Enlarged& kernel, const std::vector<Dim>& values) {
  std::vector<Dim> out;
  for (const std::size_t axis : {2U, 3U})
    out.push_back((kernel.to.shape[axis] - kernel.from.shape[axis]).at(values) / 2);
  return out;
}

}  // namespace pet::rules
