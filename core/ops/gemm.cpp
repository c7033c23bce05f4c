// Gemm: y[m,n] = alpha · Σ_k a[m,k] · b[k,n] + beta · c[m,n], a and b transposed if wanted, c
// broadcast.
#include <fmt/format.h>

#include "core/ops/ops.h"
#include "core/ops/parts/onnx_form.h"
#include "core/ops/parts/reduction.h"

namespace pet::ops {
namespace {

Result<Meaning> lower_gemm(const Op& op, std::span<const Shape> in) {
  if (in[0].size() != 2 || in[1].size() != 2) {
    return Error{
        fmt::format("Gemm: {} and {} must be matrices", to_string(in[0]), to_string(in[1]))};
  }
  const bool turn_a = op.integer("transA") != 0;
  const bool turn_b = op.integer("transB") != 0;
  const Dim depth = in[0][turn_a ? 0 : 1];
  const Shape out = {in[0][turn_a ? 1 : 0], in[1][turn_b ? 0 : 1]};
  if (depth != in[1][turn_b ? 1 : 0]) {
    return Error{fmt::format("Gemm: {} and {} do not fit", to_string(in[0]), to_string(in[1]))};
  }
  if (depth == 0) return sums_over_nothing("Gemm");
  const Rational alpha = exact(op.real("alpha"));
  if (sgn(alpha) == 0) {
    return Error{"Gemm: alpha is 0, and runtimes multiply by it what may be infinite",
                 ErrorKind::Unsupported};
  }
  enum { m, n, k };
  IndexedSum sum{out, {}};
  sum.terms.push_back(
      {.coef = {.scale = alpha, .tables = {}},
       .reduce = {depth},
       .guards = {},
       .factors = {{0, turn_a ? std::vector{v(k), v(m)} : std::vector{v(m), v(k)}},
                   {1, turn_b ? std::vector{v(n), v(k)} : std::vector{v(k), v(n)}}}});
  if (in.size() == 3) {
    if (broadcast(in[2], out) != out) {
      return Error{
          fmt::format("Gemm: {} does not broadcast to {}", to_string(in[2]), to_string(out))};
    }
    // Runtimes do not read c where beta is 0.
    const Rational beta = exact(op.real("beta"));
    if (sgn(beta) != 0) {
      sum.terms.push_back({.coef = {.scale = beta, .tables = {}},
                           .reduce = {},
                           .guards = {},
                           .factors = {{2, broadcast_index(in[2], out)}}});
    }
  }
  return Meaning{{}, std::move(sum)};
}

Imported gemm_from_onnx(const OnnxCall& call) {
  std::vector<OnnxSource> operands = {std::size_t{0}, std::size_t{1}};
  if (call.has(2)) operands.emplace_back(std::size_t{2});
  Attrs attrs = call.attrs;
  for (const char* name : {"transA", "transB"}) {
    const auto turned = integer_or(call, name, 0);
    if (!turned) return turned.error();
    attrs.set(name, std::int64_t{*turned != 0 ? 1 : 0});
  }
  return one_result(gemm(), std::move(attrs), std::move(operands));
}

Result<OnnxEmitted> gemm_to_onnx(const Op& op, std::span<const Shape> in, int opset) {
  constexpr int kAddendIsLeftOutSince = 11;
  if (in.size() < 3 && opset < kAddendIsLeftOutSince)
    return not_in_opset(op, "", opset, "it has an addend there");
  OnnxEmitted form{"Gemm", op.attrs, {}};
  for (std::size_t i = 0; i < in.size(); ++i) form.operands.emplace_back(i);
  return form;
}

}  // namespace

const OpDef& gemm() {
  static const OpDef def{
      .name = "Gemm",
      .summary = "matrix product with factors, transpositions and an optional addend",
      .arity = {2, 3},
      .attrs = {{"alpha", 1.0},
                {"beta", 1.0},
                {"transA", std::int64_t{0}},
                {"transB", std::int64_t{0}}},
      .lower = lower_gemm,
      .affine_in_sizes = with_any_attributes,
      .from_onnx = gemm_from_onnx,
      .to_onnx = gemm_to_onnx};
  return def;
}

}  // namespace pet::ops
