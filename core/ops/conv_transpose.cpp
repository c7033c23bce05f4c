// ConvTranspose: y[n,f,o] = Σ_{c,k} x[n, c, i] · w[c,f,k] over all i with
// i·stride + k·dilation = o + pad (+ b[f]), 1 to 3 spatial axes, with groups.
#include <fmt/format.h>

#include <algorithm>

#include "core/ops/ops.h"
#include "core/ops/parts/onnx_form.h"
#include "core/ops/parts/pieces.h"
#include "core/ops/parts/sliding.h"
#include "core/ops/parts/transposed.h"

namespace pet::ops {
namespace {

Result<Ints> padding(const Op& op, std::string_view name, std::size_t size) {
  Ints list = op.ints(name);
  if (list.empty()) list.assign(size, 0);
  if (list.size() != size)
    return Error{fmt::format("ConvTranspose: {} must have {} entries", name, size)};
  for (const Dim x : list) {
    if (x < 0 || x > kLargestAttribute)
      return Error{fmt::format("ConvTranspose: {} holds {}", name, x)};
  }
  return list;
}

Result<std::vector<SlidingAxis>> axes_of(const Op& op, const Shape& x, const Shape& w) {
  const std::size_t rank = x.size() - 2;
  const auto pads = padding(op, "pads", 2 * rank);
  if (!pads) return pads.error();
  const auto more = padding(op, "output_padding", rank);
  if (!more) return more.error();
  std::vector<SlidingAxis> axes;
  for (std::size_t i = 0; i < rank; ++i) {
    const Dim stride = op.ints("strides").empty() ? 1 : op.ints("strides")[i];
    const Dim dilation = op.ints("dilations").empty() ? 1 : op.ints("dilations")[i];
    const auto extent = transposed_extent(x[i + 2], stride, dilation, w[i + 2], (*more)[i]);
    SlidingAxis axis{x[i + 2], w[i + 2], stride, dilation, (*pads)[i], (*pads)[rank + i]};
    axis.output = extent.value_or(0) - axis.pad_begin - axis.pad_end;
    if (!extent || axis.output < 1) {
      return Error{fmt::format("ConvTranspose: nothing is left of axis {}", i + 2),
                   ErrorKind::Unsupported};
    }
    // The standard allows for more where windows are dilated; runtimes do not.
    if ((*more)[i] >= stride) {
      return Error{
          fmt::format("ConvTranspose: output_padding of {} at a stride of {}", (*more)[i], stride),
          ErrorKind::Unsupported};
    }
    axes.push_back(axis);
  }
  return axes;
}

Status check_attributes(const Op& op, const Shape& w) {
  const std::size_t rank = w.size() - 2;
  for (const char* name : {"strides", "dilations"}) {
    const Ints& list = op.ints(name);
    if (!list.empty() && list.size() != rank)
      return Error{fmt::format("ConvTranspose: {} must have {} entries", name, rank)};
    for (const Dim x : list) {
      if (x < 1 || x > kLargestAttribute)
        return Error{fmt::format("ConvTranspose: {} holds {}", name, x)};
    }
  }
  const Ints kernel(w.begin() + 2, w.end());
  if (!op.ints("kernel_shape").empty() && op.ints("kernel_shape") != kernel)
    return Error{"ConvTranspose: kernel_shape contradicts the weight"};
  return Done{};
}

Status check_shapes(const Op& op, std::span<const Shape> in) {
  const Shape& x = in[0];
  const Shape& w = in[1];
  const Dim groups = op.integer("group");
  if (x.size() < 3 || w.size() != x.size()) {
    return Error{
        fmt::format("ConvTranspose: input {} and weight {} must both have rank 3 or more, the same",
                    to_string(x), to_string(w))};
  }
  if (x.size() > 5) {
    return Error{fmt::format("ConvTranspose: input {} has more than 3 spatial axes", to_string(x)),
                 ErrorKind::Unsupported};
  }
  if (groups < 1 || x[1] != w[0] || w[0] == 0 || w[0] % groups != 0 || w[1] < 1 ||
      w[1] > kMaxElements / groups) {
    return Error{fmt::format("ConvTranspose: input {} and weight {} do not fit {} groups",
                             to_string(x), to_string(w), groups)};
  }
  if (in.size() == 3 && in[2] != Shape{w[1] * groups}) {
    return Error{fmt::format("ConvTranspose: bias {} must have one entry an output channel",
                             to_string(in[2]))};
  }
  return check_attributes(op, w);
}

// Each term in every phase of one more axis.
Result<std::vector<Term>> for_each_phase(const std::vector<Term>& terms,
                                         const std::vector<Phase>& all) {
  if (terms.size() * all.size() > kMostPieces) {
    return Error{fmt::format("ConvTranspose: more than {} kinds of positions", kMostPieces),
                 ErrorKind::Unsupported};
  }
  std::vector<Term> out;
  for (const Term& term : terms) {
    for (const Phase& phase : all) {
      Term& here = out.emplace_back(term);
      here.reduce.push_back(phase.taps);
      here.guards.insert(here.guards.end(), phase.guards.begin(), phase.guards.end());
      here.factors[0].index.push_back(phase.input);
      here.factors[1].index.push_back(phase.tap);
    }
  }
  return out;
}

Result<Meaning> lower_conv_transpose(const Op& op, std::span<const Shape> in) {
  if (auto fits = check_shapes(op, in); !fits) return std::move(fits).error();
  const Shape& x = in[0];
  const Shape& w = in[1];
  const Dim groups = op.integer("group");
  const auto axes = axes_of(op, x, w);
  if (!axes) return axes.error();
  Shape out = {x[0], w[1] * groups};
  for (const auto& axis : *axes) out.push_back(axis.output);
  const int n = 0;
  const int f = 1;
  const int c = static_cast<int>(out.size());
  const Dim channels = w[0] / groups;
  const IndexExpr channel = groups == 1 ? v(c) : div(v(f), w[1]) * channels + v(c);
  const IndexExpr feature = groups == 1 ? v(f) : mod(v(f), w[1]);
  IndexedSum sum{std::move(out),
                 {{.coef = {},
                   .reduce = {channels},
                   .guards = {},
                   .factors = {{0, {v(n), channel}}, {1, {channel, feature}}}}}};
  for (std::size_t i = 0; i < axes->size(); ++i) {
    const int o = 2 + static_cast<int>(i);
    const auto all = phases((*axes)[i], v(o), v(c + 1 + static_cast<int>(i)));
    if (!all) return all.error();
    auto terms = for_each_phase(sum.terms, *all);
    if (!terms) return std::move(terms).error();
    sum.terms = *std::move(terms);
  }
  if (in.size() == 3)
    sum.terms.push_back({.coef = {}, .reduce = {}, .guards = {}, .factors = {{2, {v(f)}}}});
  return Meaning{{}, std::move(sum)};
}

// ---- as files hold it

struct Cut {
  Ints pads;
  Ints output_padding;
};

// Pads that leave `wanted` of an axis; of an odd number the larger half is at the end for
// SAME_UPPER, else at the beginning. What is wanted beyond its end is padding of the output.
void leave(Cut& cut, std::size_t i, Dim natural, Dim wanted, bool upper) {
  const Dim total = std::max<Dim>(natural - wanted, 0);
  cut.pads[i] = upper ? total / 2 : total - total / 2;
  cut.pads[cut.pads.size() / 2 + i] = total - cut.pads[i];
  cut.output_padding[i] += std::max<Dim>(wanted - natural, 0);
}

Result<std::optional<Ints>> output_shape(const OnnxCall& call, std::size_t rank) {
  const AttrValue* given = call.attrs.find("output_shape");
  if (given == nullptr || *given == AttrValue{Ints{}}) return std::optional<Ints>{};
  const auto* list = std::get_if<Ints>(given);
  if (list == nullptr) return Error{"ConvTranspose: attribute output_shape has the wrong type"};
  if (list->size() != rank) {
    return Error{"ConvTranspose: output_shape with batch and channels is not interpreted",
                 ErrorKind::Unsupported};
  }
  return std::optional<Ints>{*list};
}

Result<Cut> resolved(const OnnxCall& call, const Op& op, const Shape& w, const std::string& mode) {
  const auto x = operand_shape(call, 0);
  if (!x) return x.error();
  if (x->rank() != w.size()) return Error{"ConvTranspose: the input does not fit the weight"};
  const std::size_t rank = w.size() - 2;
  const auto wanted = output_shape(call, rank);
  if (!wanted) return wanted.error();
  const auto more = padding(op, "output_padding", rank);
  if (!more) return more.error();
  Cut cut{op.ints("pads"), *more};
  const bool same = mode == "SAME_UPPER" || mode == "SAME_LOWER";
  if (!*wanted && mode == "NOTSET") return cut;
  cut.pads.assign(2 * rank, 0);
  if (!*wanted && !same) return cut;
  for (std::size_t i = 0; i < rank; ++i) {
    const Dim stride = op.ints("strides")[i];
    const auto natural =
        transposed_extent((*x)[i + 2], stride, op.ints("dilations")[i], w[i + 2], (*more)[i]);
    if (!natural) return Error{"ConvTranspose: an empty or enormous axis", ErrorKind::Unsupported};
    const Dim extent = *wanted ? (**wanted)[i] : (*x)[i + 2] * stride;
    // Where taps leave gaps the standard adds zeros for SAME, and ONNX Runtime does not.
    if (extent < 1 || (!*wanted && extent > *natural) || mode == "VALID") {
      return Error{fmt::format("ConvTranspose: auto_pad {} with {} positions along axis {}", mode,
                               extent, i + 2),
                   ErrorKind::Unsupported};
    }
    leave(cut, i, *natural, extent, mode == "SAME_UPPER");
  }
  return cut;
}

Imported conv_transpose_from_onnx(const OnnxCall& call) {
  if (!call.has(1)) return Error{"ConvTranspose: the weight is missing"};
  const auto given_weight = operand_shape(call, 1);
  if (!given_weight) return given_weight.error();
  const Shape& w = given_weight->all();
  if (w.size() < 3) return Error{fmt::format("ConvTranspose: a weight {}", to_string(w))};
  // Its lists are those of a convolution; its pads are not.
  OnnxCall lists = call;
  std::string mode = "NOTSET";
  if (const AttrValue* given = call.attrs.find("auto_pad")) {
    const auto* text = std::get_if<std::string>(given);
    const bool known = text != nullptr && (*text == "NOTSET" || *text == "VALID" ||
                                           *text == "SAME_UPPER" || *text == "SAME_LOWER");
    if (!known) return Error{"ConvTranspose: attribute auto_pad has no such mode"};
    mode = *text;
    const AttrValue* pads = call.attrs.find("pads");
    if (mode != "NOTSET" && pads != nullptr && *pads != AttrValue{Ints{}})
      return Error{"ConvTranspose: pads beside auto_pad", ErrorKind::Unsupported};
    lists.attrs.erase("auto_pad");
  }
  lists.attrs.erase("output_shape");
  auto attrs = explicit_sliding_attrs(lists, Ints(w.begin() + 2, w.end()));
  if (!attrs) return std::move(attrs).error();
  auto op = make_op(conv_transpose(), *std::move(attrs));
  if (!op) return std::move(op).error();
  auto cut = resolved(call, *op, w, mode);
  if (!cut) return std::move(cut).error();
  op->attrs.set("pads", std::move(cut->pads));
  op->attrs.set("output_padding", std::move(cut->output_padding));
  std::vector<OnnxSource> operands = {std::size_t{0}, std::size_t{1}};
  if (call.has(2)) operands.emplace_back(std::size_t{2});
  return std::vector<OnnxImported>{{*std::move(op), std::move(operands)}};
}

// Its pads cut the result.
std::optional<Op> conv_transpose_without_padding(const Op&, Padding) { return std::nullopt; }

}  // namespace

const OpDef& conv_transpose() {
  static const OpDef def{.name = "ConvTranspose",
                         .summary = "transposed convolution over one to three spatial axes",
                         .arity = {2, 3},
                         .attrs = {{"group", std::int64_t{1}},
                                   {"kernel_shape", Ints{}},
                                   {"strides", Ints{}},
                                   {"dilations", Ints{}},
                                   {"pads", Ints{}},
                                   {"output_padding", Ints{}}},
                         .lower = lower_conv_transpose,
                         .from_onnx = conv_transpose_from_onnx,
                         .without_padding = conv_transpose_without_padding};
  return def;
}

}  // namespace pet::ops
