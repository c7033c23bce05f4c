// LRN: x · (bias + alpha / size · sum of the squares)^(−beta) of an element and the channels around
// it, `size` in all.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/ops/ops.h"
#include "core/ops/parts/onnx_form.h"
#include "core/ops/parts/pointwise.h"
#include "core/ops/parts/sliding.h"

namespace pet::ops {
namespace {

const ElementFunction kLocalResponse{
    .name = "local_response",
    .totality = Totality::Partial,
    .text = "powf(p2 + p0 * r0, -p1)",
    .row_text = {{{Fold::Sum, "x * x"}}},
    .value =
        [](std::span<const double> p, const RowState& row, std::span<const Real>) {
          const Real base = static_cast<Real>(p[2]) + static_cast<Real>(p[0]) * row.first;
          return std::pow(base, -static_cast<Real>(p[1]));
        },
    .row = [](std::span<const double>, std::span<const Real> row) -> RowState {
      Real squares = 0;
      for (const Real x : row) squares += x * x;
      return {squares, 0};
    }};

Result<Meaning> lower_lrn(const Op& op, std::span<const Shape> in) {
  const Dim size = op.integer("size");
  if (in[0].size() < 3) return Error{fmt::format("LRN: {} has no spatial axis", to_string(in[0]))};
  if (size < 1 || size > kLargestAttribute || size % 2 == 0)
    return Error{fmt::format("LRN: a size of {}, which runtimes refuse", size),
                 ErrorKind::Unsupported};
  const Dim reach = std::min(size / 2, in[0][1]);  // what lies further out is no channel
  Window window{.extent = {2 * reach + 1},
                .guards = {},
                .read = {0, identity_index(in[0])},
                .symmetry = Symmetry::Multiset};
  window.read.index[1] = v(1) + v(in[0].size()) - reach;
  return Meaning{{{&kLocalResponse,
                   {op.real("alpha_by_size"), op.real("beta"), op.real("bias")},
                   in[0],
                   {},
                   std::move(window)}},
                 product_in_place({0, 1}, in[0])};
}

// A real attribute, or what it is by default.
Result<double> real_or(const OnnxCall& call, std::string_view name, float standard) {
  const AttrValue* value = call.attrs.find(name);
  if (value == nullptr) return static_cast<double>(standard);
  if (const auto* real = std::get_if<double>(value)) return *real;
  return Error{fmt::format("LRN: attribute {} has the wrong type", name)};
}

Imported lrn_from_onnx(const OnnxCall& call) {
  if (auto known = only_attributes(call, {"alpha", "beta", "bias", "size"}); !known)
    return std::move(known).error();
  if (!call.attrs.has("size")) return Error{"LRN: size is missing"};
  const auto size = integer_or(call, "size", 1);
  if (!size) return size.error();
  const auto alpha = real_or(call, "alpha", 1e-4F);
  if (!alpha) return alpha.error();
  const auto beta = real_or(call, "beta", 0.75F);
  if (!beta) return beta.error();
  const auto bias = real_or(call, "bias", 1);
  if (!bias) return bias.error();
  if (*size < 1 || *alpha <= 0 || *beta <= 0)
    return Error{"LRN: alpha, beta or size is not positive, which ONNX Runtime refuses",
                 ErrorKind::Unsupported};
  return one_result(lrn(),
                    Attrs{{"alpha_by_size", *alpha / static_cast<double>(*size)},
                          {"beta", *beta},
                          {"bias", *bias},
                          {"size", *size}},
                    {std::size_t{0}});
}

Result<OnnxEmitted> lrn_to_onnx(const Op& op, std::span<const Shape>, int opset) {
  const auto size = static_cast<double>(op.integer("size"));
  const auto alpha = static_cast<double>(static_cast<float>(op.real("alpha_by_size") * size));
  if (alpha / size != op.real("alpha_by_size"))
    return not_in_opset(op, "alpha_by_size", opset, "times the size it is no float32");
  return OnnxEmitted{"LRN",
                     Attrs{{"alpha", alpha},
                           {"beta", op.real("beta")},
                           {"bias", op.real("bias")},
                           {"size", op.integer("size")}},
                     {std::size_t{0}}};
}

}  // namespace

const OpDef& lrn() {
  static const OpDef def{.name = "LRN",
                         .summary = "divided by a power of the squares of the channels around",
                         .arity = {1, 1},
                         .attrs = {{"alpha_by_size", 0.0, AttrRole::Parameter, true},
                                   {"beta", 0.75, AttrRole::Parameter},
                                   {"bias", 1.0, AttrRole::Parameter},
                                   {"size", std::int64_t{1}, AttrRole::Geometry, true}},
                         .lower = lower_lrn,
                         .from_onnx = lrn_from_onnx,
                         .to_onnx = lrn_to_onnx};
  return def;
}

}  // namespace pet::ops
