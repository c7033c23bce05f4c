// Over 400 lines: one operator after another.
#include "tests/support/op_instances.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include "core/util/check.h"
#include "tests/support/element_types.h"

namespace pet::test {
namespace {

struct Sample {
  Attrs attrs;
  std::vector<Shape> operands;
};

std::size_t axis_count(Rng& rng, std::size_t least, std::size_t most) {
  return least + static_cast<std::size_t>(rng.below(most - least + 1));
}

Shape random_shape(Rng& rng, std::size_t rank, Dim most = 4) {
  Shape shape;
  for (std::size_t i = 0; i < rank; ++i) shape.push_back(rng.between(1, most));
  return shape;
}

Shape any_shape(Rng& rng) { return random_shape(rng, axis_count(rng, 0, 4)); }

// A shape that broadcasts to `shape`: outer axes dropped, extents replaced by 1.
Shape broadcastable(Rng& rng, const Shape& shape) {
  const std::size_t dropped = rng.below(3) == 0 ? axis_count(rng, 0, shape.size()) : 0;
  Shape out(shape.begin() + static_cast<std::ptrdiff_t>(dropped), shape.end());
  for (Dim& extent : out) extent = rng.below(4) == 0 ? 1 : extent;
  return out;
}

Ints random_subset(Rng& rng, std::size_t size) {
  Ints out;
  for (std::size_t i = 0; i < size; ++i) {
    if (rng.below(2) == 0) out.push_back(static_cast<std::int64_t>(i));
  }
  return out;
}

Sample unary(Rng& rng) { return {{}, {any_shape(rng)}}; }

Sample binary(Rng& rng) {
  const Shape out = any_shape(rng);
  Sample sample{{}, {out, broadcastable(rng, out)}};
  if (rng.below(2) == 0) std::swap(sample.operands[0], sample.operands[1]);
  return sample;
}

// Of slopes, which x is not broadcast to.
Sample p_relu(Rng& rng) {
  const Shape x = any_shape(rng);
  return {{}, {x, broadcastable(rng, x)}};
}

Sample several(Rng& rng) {
  const Shape out = any_shape(rng);
  Sample sample{{}, {out}};
  while (rng.below(3) != 0) sample.operands.push_back(broadcastable(rng, out));
  return sample;
}

// Strides, dilations and pads for a window of `kernel` that fits `input`; the input grows where it
// must.
Attrs sliding(Rng& rng, Shape& input, const Shape& kernel, Dim most_pad) {
  Ints strides;
  Ints dilations;
  Ints begin;
  Ints end;
  for (std::size_t i = 0; i < kernel.size(); ++i) {
    strides.push_back(rng.between(1, 3));
    dilations.push_back(rng.between(1, 2));
    begin.push_back(rng.between(0, std::min(most_pad, kernel[i] - 1)));
    end.push_back(rng.between(0, std::min(most_pad, kernel[i] - 1)));
    const Dim span = dilations[i] * (kernel[i] - 1) + 1;
    input[i + 2] = std::max(input[i + 2], span);
  }
  begin.insert(begin.end(), end.begin(), end.end());
  return {{"strides", strides}, {"dilations", dilations}, {"pads", begin}};
}

Sample conv(Rng& rng) {
  const std::size_t spatial = axis_count(rng, 1, 3);
  const Shape kernel = random_shape(rng, spatial, 3);
  const Dim groups = rng.between(1, 3);
  const Dim channels = rng.between(1, 3);
  const Dim filters = groups * rng.between(1, 3);
  Shape x = {rng.between(1, 2), groups * channels};
  for (std::size_t i = 0; i < spatial; ++i) x.push_back(rng.between(1, 6));
  Shape w = {filters, channels};
  w.insert(w.end(), kernel.begin(), kernel.end());
  Attrs attrs = sliding(rng, x, kernel, 2);
  attrs.set("group", groups);
  Sample sample{std::move(attrs), {x, w}};
  if (rng.below(2) == 0) sample.operands.push_back({filters});
  return sample;
}

// A result of at least one position along every axis.
Sample conv_transpose(Rng& rng) {
  const std::size_t spatial = axis_count(rng, 1, 3);
  const Dim groups = rng.between(1, 3);
  const Dim features = rng.between(1, 3);
  Shape x = {rng.between(1, 2), groups * rng.between(1, 2)};
  Shape w = {x[1], features};
  Ints strides;
  Ints dilations;
  Ints more;
  Ints pads(2 * spatial, 0);
  for (std::size_t i = 0; i < spatial; ++i) {
    strides.push_back(rng.between(1, 4));
    dilations.push_back(rng.between(1, 3));
    more.push_back(rng.between(0, strides.back() - 1));
    x.push_back(rng.between(1, 4));
    w.push_back(rng.between(1, 4));
    const Dim extent =
        (x.back() - 1) * strides.back() + (w.back() - 1) * dilations.back() + 1 + more.back();
    pads[i] = rng.between(0, std::min<Dim>(3, extent - 1));
    pads[spatial + i] = rng.between(0, std::min<Dim>(3, extent - 1 - pads[i]));
  }
  Sample sample{{{"group", groups},
                 {"strides", strides},
                 {"dilations", dilations},
                 {"output_padding", more},
                 {"pads", pads}},
                {x, w}};
  if (rng.below(2) == 0) sample.operands.push_back({features * groups});
  return sample;
}

Sample einsum(Rng& rng) {
  static const std::vector<std::pair<std::string, std::vector<Shape>>> forms = {
      {"ij,jk->ik", {{2, 3}, {3, 4}}},
      {"bij,kjb->kbi", {{2, 3, 4}, {5, 4, 2}}},
      {"i,j->ji", {{3}, {4}}},
      {"...ij,...jk->...ik", {{2, 1, 2, 3}, {2, 1, 3, 2}}},
      {"i...->...i", {{3, 2, 2}}},
      {"ijk->kj", {{2, 3, 4}}},
      {"iij->j", {{3, 3, 2}}},
      {"ij,ij", {{2, 5}, {2, 5}}},
      {",ij", {{}, {2, 3}}},
      {"Abc,cA->b", {{2, 3, 4}, {4, 2}}},
      {"nhqd,nhkd->nqhk", {{1, 2, 3, 4}, {1, 2, 5, 4}}}};
  const auto& [equation, operands] = forms[rng.below(forms.size())];
  return {{{"equation", equation}}, operands};
}

Sample pool(Rng& rng) {
  const std::size_t spatial = axis_count(rng, 1, 3);
  const Shape kernel = random_shape(rng, spatial, 3);
  Shape x = {rng.between(1, 2), rng.between(1, 3)};
  for (std::size_t i = 0; i < spatial; ++i) x.push_back(rng.between(1, 6));
  Attrs attrs = sliding(rng, x, kernel, 2);
  attrs.set("kernel_shape", Ints(kernel));
  return {std::move(attrs), {x}};
}

Sample average_pool(Rng& rng) {
  Sample sample = pool(rng);
  sample.attrs.set("count_include_pad", static_cast<std::int64_t>(rng.below(2)));
  return sample;
}

Sample global_pool(Rng& rng) { return {{}, {random_shape(rng, axis_count(rng, 3, 5))}}; }

Sample batch_normalization(Rng& rng) {
  const Shape x = random_shape(rng, axis_count(rng, 2, 4));
  const Shape channels = {x[1]};
  return {{}, {x, channels, channels, channels, channels}};
}

Sample clip(Rng& rng) { return {{}, {any_shape(rng), {}, rng.below(2) == 0 ? Shape{} : Shape{1}}}; }

Sample concat(Rng& rng) {
  const Shape first = random_shape(rng, axis_count(rng, 1, 4));
  const auto axis = static_cast<std::size_t>(rng.below(first.size()));
  Sample sample{{{"axis", static_cast<std::int64_t>(axis)}}, {first}};
  for (std::size_t i = axis_count(rng, 0, 2); i > 0; --i) {
    sample.operands.push_back(first);
    sample.operands.back()[axis] = rng.between(0, 3);
  }
  return sample;
}

Sample depth_to_space(Rng& rng) {
  const Dim block = rng.between(1, 3);
  return {{{"blocksize", block}, {"mode", std::string(rng.below(2) == 0 ? "DCR" : "CRD")}},
          {{rng.between(1, 2), block * block * rng.between(1, 2), rng.between(1, 3),
            rng.between(1, 3)}}};
}

Sample space_to_depth(Rng& rng) {
  const Dim block = rng.between(1, 3);
  return {{{"blocksize", block}},
          {{rng.between(1, 2), rng.between(1, 3), block * rng.between(1, 3),
            block * rng.between(1, 3)}}};
}

Sample expand(Rng& rng) {
  const Shape to = any_shape(rng);
  return {{{"shape", Ints(to)}}, {broadcastable(rng, to)}};
}

Sample flatten(Rng& rng) {
  const Shape x = any_shape(rng);
  return {{{"axis", static_cast<std::int64_t>(rng.below(x.size() + 1))}}, {x}};
}

Sample gather(Rng& rng) {
  const Shape x = random_shape(rng, axis_count(rng, 1, 4));
  const auto axis = static_cast<std::size_t>(rng.below(x.size()));
  const Shape shape = random_shape(rng, axis_count(rng, 0, 2), 6);
  Ints indices;
  for (Dim i = count(shape); i > 0; --i) indices.push_back(rng.between(0, x[axis] - 1));
  return {{{"axis", static_cast<std::int64_t>(axis)}, {"indices", indices}, {"shape", Ints(shape)}},
          {x}};
}

Sample gelu(Rng& rng) {
  return {{{"approximate", std::string(rng.below(2) == 0 ? "none" : "tanh")}}, {any_shape(rng)}};
}

Sample gemm(Rng& rng) {
  const Dim m = rng.between(1, 5);
  const Dim n = rng.between(1, 5);
  const Dim k = rng.between(1, 5);
  const bool turn_a = rng.below(2) == 0;
  const bool turn_b = rng.below(2) == 0;
  Sample sample{{{"alpha", 0.5},
                 {"beta", -2.0},
                 {"transA", std::int64_t{turn_a}},
                 {"transB", std::int64_t{turn_b}}},
                {turn_a ? Shape{k, m} : Shape{m, k}, turn_b ? Shape{n, k} : Shape{k, n}}};
  if (rng.below(2) == 0) sample.operands.push_back(broadcastable(rng, {m, n}));
  return sample;
}

Sample layer_normalization(Rng& rng) {
  const Shape x = random_shape(rng, axis_count(rng, 1, 4));
  const auto axis = static_cast<std::size_t>(rng.below(x.size()));
  const Shape row(x.begin() + static_cast<std::ptrdiff_t>(axis), x.end());
  Sample sample{{{"axis", static_cast<std::int64_t>(axis)}}, {x, row}};
  if (rng.below(2) == 0) sample.operands.push_back(row);
  return sample;
}

Sample instance_normalization(Rng& rng) {
  const Shape x = random_shape(rng, axis_count(rng, 3, 4));
  return {{}, {x, {x[1]}, {x[1]}}};
}

Sample group_normalization(Rng& rng) {
  Shape x = random_shape(rng, axis_count(rng, 2, 4));
  const Dim groups = rng.between(1, 3);
  x[1] = groups * rng.between(1, 2);
  return {{{"num_groups", groups}}, {x, {x[1]}, {x[1]}}};
}

Sample rms_normalization(Rng& rng) {
  const Shape x = random_shape(rng, axis_count(rng, 1, 4));
  return {{{"axis", static_cast<std::int64_t>(rng.below(x.size()))}}, {x, broadcastable(rng, x)}};
}

Sample mean_variance_normalization(Rng& rng) {
  const Shape x = random_shape(rng, axis_count(rng, 1, 4));
  Ints axes = random_subset(rng, x.size());
  if (axes.empty()) axes = {0};
  return {{{"axes", axes}}, {x}};
}

Sample lrn(Rng& rng) {
  return {{{"alpha_by_size", 0.125}, {"beta", 0.5}, {"size", 2 * rng.between(0, 3) + 1}},
          {random_shape(rng, axis_count(rng, 3, 4))}};
}

Sample mat_mul(Rng& rng) {
  const Dim k = rng.between(1, 5);
  const Shape batch = random_shape(rng, axis_count(rng, 0, 2), 3);
  Shape a = broadcastable(rng, batch);
  Shape b = broadcastable(rng, batch);
  a.insert(a.end(), {rng.between(1, 5), k});
  b.insert(b.end(), {k, rng.between(1, 5)});
  if (rng.below(6) == 0) a = {k};
  if (rng.below(6) == 0) b = {k};
  return {{}, {a, b}};
}

Sample pad(Rng& rng) {
  const Shape x = any_shape(rng);
  Ints pads;
  static const std::string modes[] = {"edge", "reflect", "wrap"};
  if (rng.below(2) == 0) {
    for (std::size_t i = 0; i < 2 * x.size(); ++i)
      pads.push_back(rng.between(0, x[i % x.size()] - 1));
    return {{{"mode", modes[rng.below(3)]}, {"pads", pads}}, {x}};
  }
  for (std::size_t i = 0; i < x.size(); ++i) pads.push_back(rng.between(-(x[i] / 2), 2));
  for (std::size_t i = 0; i < x.size(); ++i) pads.push_back(rng.between(-(x[i] / 2), 2));
  return {{{"pads", pads}}, {x}};
}

Sample reduction(Rng& rng) {
  const Shape x = any_shape(rng);
  return {{{"axes", random_subset(rng, x.size())},
           {"keepdims", static_cast<std::int64_t>(rng.below(2))}},
          {x}};
}

// Two factorings of one size, common digits or not.
Sample reshape(Rng& rng) {
  static const std::vector<Shape> shapes = {{4, 6}, {6, 4},    {24},   {2, 3, 4}, {1, 24, 1},
                                            {3, 8}, {2, 2, 6}, {8, 3}, {12, 2}};
  const Shape& from = shapes[rng.below(shapes.size())];
  return {{{"shape", Ints(shapes[rng.below(shapes.size())])}}, {from}};
}

// Small extents, where float32 chooses the nearest element that exact coordinates do.
Sample resize(Rng& rng) {
  static const std::string modes[] = {"nearest", "linear"};
  static const std::string coordinates[] = {"half_pixel", "asymmetric", "align_corners",
                                            "pytorch_half_pixel"};
  static const std::string roundings[] = {"floor", "ceil", "round_prefer_floor",
                                          "round_prefer_ceil"};
  const Shape x = any_shape(rng);
  Shape sizes;
  for (std::size_t i = 0; i < x.size(); ++i) sizes.push_back(rng.between(1, 6));
  return {{{"mode", modes[rng.below(2)]},
           {"coordinate_transformation_mode", coordinates[rng.below(4)]},
           {"nearest_mode", roundings[rng.below(4)]},
           {"sizes", Ints(sizes)}},
          {x}};
}

Sample slice(Rng& rng) {
  const Shape x = any_shape(rng);
  const Ints axes = random_subset(rng, x.size());
  Ints starts;
  Ints ends;
  Ints steps;
  for (const auto axis : axes) {
    const Dim extent = x[static_cast<std::size_t>(axis)];
    const bool back = rng.below(2) == 0;
    starts.push_back(back ? rng.between(0, extent - 1) : rng.between(0, extent));
    ends.push_back(back ? rng.between(-1, starts.back()) : rng.between(starts.back(), extent));
    steps.push_back((back ? -1 : 1) * rng.between(1, 2));
  }
  return {{{"axes", axes}, {"starts", starts}, {"ends", ends}, {"steps", steps}}, {x}};
}

Sample softmax(Rng& rng) {
  const Shape x = random_shape(rng, axis_count(rng, 1, 4));
  return {{{"axis", static_cast<std::int64_t>(rng.below(x.size()))},
           {"to_end", static_cast<std::int64_t>(rng.below(2))}},
          {x}};
}

Sample split(Rng& rng) {
  const Shape x = random_shape(rng, axis_count(rng, 1, 4));
  const auto axis = static_cast<std::size_t>(rng.below(x.size()));
  const Dim begin = rng.between(0, x[axis]);
  return {{{"axis", static_cast<std::int64_t>(axis)},
           {"begin", begin},
           {"end", rng.between(begin, x[axis])}},
          {x}};
}

Sample squeeze(Rng& rng) {
  Shape x = any_shape(rng);
  const Ints axes = random_subset(rng, x.size());
  for (const auto axis : axes) x[static_cast<std::size_t>(axis)] = 1;
  return {{{"axes", axes}}, {x}};
}

// By 1 it is a product with another function.
Sample swish(Rng& rng) { return {{{"alpha", rng.below(2) == 0 ? 1.0 : 0.25}}, {any_shape(rng)}}; }

Sample tile(Rng& rng) {
  const Shape x = any_shape(rng);
  Ints repeats;
  for (std::size_t i = 0; i < x.size(); ++i) repeats.push_back(rng.between(0, 3));
  return {{{"repeats", repeats}}, {x}};
}

Sample unsqueeze(Rng& rng) {
  const Shape to = any_shape(rng);
  const Ints axes = random_subset(rng, to.size());
  return {{{"axes", axes}},
          {Shape(to.begin() + static_cast<std::ptrdiff_t>(axes.size()), to.end())}};
}

Sample trilu(Rng& rng) {
  return {{{"k", rng.between(-4, 4)}, {"upper", static_cast<std::int64_t>(rng.below(2))}},
          {random_shape(rng, axis_count(rng, 2, 4))}};
}

Sample cum_sum(Rng& rng) {
  const Shape x = random_shape(rng, axis_count(rng, 1, 4));
  return {{{"axis", static_cast<std::int64_t>(rng.below(x.size()))},
           {"exclusive", static_cast<std::int64_t>(rng.below(2))},
           {"reverse", static_cast<std::int64_t>(rng.below(2))}},
          {x}};
}

Sample transpose(Rng& rng) {
  const Shape x = any_shape(rng);
  Ints perm(x.size());
  std::iota(perm.begin(), perm.end(), 0);
  for (std::size_t i = perm.size(); i > 1; --i) std::swap(perm[i - 1], perm[rng.below(i)]);
  return {{{"perm", perm}}, {x}};
}

Sample where(Rng& rng) {
  const Shape out = any_shape(rng);
  Sample sample{{}, {broadcastable(rng, out), broadcastable(rng, out), broadcastable(rng, out)}};
  sample.operands[rng.below(3)] = out;
  return sample;
}

Sample cast(Rng& rng) {
  static const std::int64_t types[] = {1, 6, 7, 9};
  return {{{"to", types[rng.below(4)]}}, {any_shape(rng)}};
}

using Sampler = Sample (*)(Rng&);

const std::map<std::string, Sampler>& samplers() {
  static const std::map<std::string, Sampler> all = {
      {"Abs", unary},
      {"Acos", unary},
      {"Acosh", unary},
      {"Add", binary},
      {"And", binary},
      {"Asin", unary},
      {"Asinh", unary},
      {"Atan", unary},
      {"Atanh", unary},
      {"AveragePool", average_pool},
      {"BatchNormalization", batch_normalization},
      {"Cast", cast},
      {"Ceil", unary},
      {"Celu", unary},
      {"Clip", clip},
      {"Concat", concat},
      {"Conv", conv},
      {"ConvTranspose", conv_transpose},
      {"Cos", unary},
      {"Cosh", unary},
      {"CumSum", cum_sum},
      {"DepthToSpace", depth_to_space},
      {"Div", binary},
      {"Dropout", unary},
      {"Einsum", einsum},
      {"Elu", unary},
      {"Equal", binary},
      {"Erf", unary},
      {"Exp", unary},
      {"Expand", expand},
      {"Flatten", flatten},
      {"Floor", unary},
      {"Gather", gather},
      {"Gelu", gelu},
      {"Gemm", gemm},
      {"GlobalAveragePool", global_pool},
      {"GlobalMaxPool", global_pool},
      {"Greater", binary},
      {"GreaterOrEqual", binary},
      {"GroupNormalization", group_normalization},
      {"HardSigmoid", unary},
      {"HardSwish", unary},
      {"Identity", unary},
      {"InstanceNormalization", instance_normalization},
      {"IsNaN", unary},
      {"LRN", lrn},
      {"LayerNormalization", layer_normalization},
      {"LeakyRelu", unary},
      {"Less", binary},
      {"LessOrEqual", binary},
      {"Log", unary},
      {"LogSoftmax", softmax},
      {"MatMul", mat_mul},
      {"Max", several},
      {"MaxPool", pool},
      {"Mean", several},
      {"MeanVarianceNormalization", mean_variance_normalization},
      {"Min", several},
      {"Mish", unary},
      {"Mul", binary},
      {"Neg", unary},
      {"Not", unary},
      {"Or", binary},
      {"PRelu", p_relu},
      {"Pad", pad},
      {"Pow", binary},
      {"RMSNormalization", rms_normalization},
      {"Reciprocal", unary},
      {"ReduceL1", reduction},
      {"ReduceL2", reduction},
      {"ReduceLogSum", reduction},
      {"ReduceLogSumExp", reduction},
      {"ReduceMax", reduction},
      {"ReduceMean", reduction},
      {"ReduceMin", reduction},
      {"ReduceProd", reduction},
      {"ReduceSum", reduction},
      {"ReduceSumSquare", reduction},
      {"Relu", unary},
      {"Reshape", reshape},
      {"Resize", resize},
      {"Round", unary},
      {"Selu", unary},
      {"Shrink", unary},
      {"Sigmoid", unary},
      {"Sign", unary},
      {"Sin", unary},
      {"Sinh", unary},
      {"Slice", slice},
      {"Softmax", softmax},
      {"Softplus", unary},
      {"Softsign", unary},
      {"SpaceToDepth", space_to_depth},
      {"Split", split},
      {"Sqrt", unary},
      {"Squeeze", squeeze},
      {"Sub", binary},
      {"Sum", several},
      {"Swish", swish},
      {"Tan", unary},
      {"Tanh", unary},
      {"ThresholdedRelu", unary},
      {"Tile", tile},
      {"Transpose", transpose},
      {"Trilu", trilu},
      {"Unsqueeze", unsqueeze},
      {"Where", where},
      {"Xor", binary},
  };
  return all;
}

}  // namespace

std::optional<OpInstance> sample_instance(const OpDef& def, Rng& rng) {
  const auto it = samplers().find(def.name);
  if (it == samplers().end()) return std::nullopt;
  Sample sample = it->second(rng);
  auto op = make_op(def, std::move(sample.attrs));
  PET_CHECK(op.ok(), "a sampler makes attributes that its operator refuses");
  const auto elements = element_types(*op, sample.operands);
  PET_CHECK(!elements.empty(), "a sampler makes operands that its operator refuses");
  return OpInstance{*std::move(op), std::move(sample.operands),
                    elements[rng.below(elements.size())]};
}

}  // namespace pet::test
