// Einsum: the product of one or two operands, summed over every label that the result does not
// have: "ij,jk->ik".
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/ops/ops.h"

namespace pet::ops {
namespace {

struct Labels {
  std::vector<std::string> operands;
  std::string result;
};

Error refused(std::string_view why, ErrorKind kind) {
  return {fmt::format("Einsum: attribute equation {}", why), kind};
}

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_letter(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }

// Without an arrow the result has the labels that occur once, in alphabetical order; where capitals
// stand in it is not agreed upon.
Result<std::string> implicit_result(const std::string& all) {
  std::string once;
  for (const char c : all) {
    if (is_letter(c) && std::count(all.begin(), all.end(), c) == 1) once += c;
  }
  if (!std::all_of(once.begin(), once.end(), is_lower))
    return refused("has no arrow and capital letters", ErrorKind::Unsupported);
  std::sort(once.begin(), once.end());
  return once;
}

Result<Labels> labels_of(std::string equation) {
  constexpr std::size_t kLongest = 4 * kMaxRank;  // two operands, a result, an arrow
  std::erase(equation, ' ');
  if (equation.size() > kLongest) return refused("is too long", ErrorKind::Unsupported);
  if (equation.find('.') != std::string::npos)
    return refused("has an ellipsis, which is not interpreted", ErrorKind::Unsupported);
  const auto arrow = equation.find("->");
  const std::string left = equation.substr(0, arrow);
  Labels labels{{""}, ""};
  for (const char c : left) {
    if (c == ',') {
      labels.operands.emplace_back();
    } else if (is_letter(c)) {
      labels.operands.back() += c;
    } else {
      return refused("is no list of labels", ErrorKind::Malformed);
    }
  }
  if (arrow == std::string::npos) {
    auto result = implicit_result(left);
    if (!result) return std::move(result).error();
    labels.result = *std::move(result);
    return labels;
  }
  labels.result = equation.substr(arrow + 2);
  for (const char c : labels.result) {
    if (!is_letter(c) || left.find(c) == std::string::npos)
      return refused("names a label of the result that no operand has", ErrorKind::Malformed);
    if (std::count(labels.result.begin(), labels.result.end(), c) > 1)
      return refused("repeats a label of the result", ErrorKind::Malformed);
  }
  return labels;
}

// Of every label that the operands have. One that stands for different extents might be broadcast
// by one runtime and refused by another.
Result<std::map<char, Dim>> extents_of(const Labels& labels, std::span<const Shape> in) {
  if (labels.operands.size() != in.size()) {
    return Error{
        fmt::format("Einsum: {} operands, {} in the equation", in.size(), labels.operands.size())};
  }
  std::map<char, Dim> extents;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::string& mine = labels.operands[i];
    if (mine.size() != in[i].size())
      return Error{fmt::format("Einsum: {} has no labels {}", to_string(in[i]), mine)};
    for (std::size_t k = 0; k < mine.size(); ++k) {
      const auto [it, is_new] = extents.try_emplace(mine[k], in[i][k]);
      if (it->second != in[i][k]) {
        return Error{
            fmt::format("Einsum: label {} stands for {} and {}", mine[k], it->second, in[i][k]),
            ErrorKind::Unsupported};
      }
    }
  }
  return extents;
}

Result<Meaning> lower(const Op& op, std::span<const Shape> in) {
  const auto labels = labels_of(op.text("equation"));
  if (!labels) return labels.error();
  const auto extents = extents_of(*labels, in);
  if (!extents) return extents.error();
  Shape out;
  std::map<char, int> axes;
  for (const char c : labels->result) {
    axes.emplace(c, static_cast<int>(out.size()));
    out.push_back(extents->at(c));
  }
  Term products{.coef = {}, .reduce = {}, .guards = {}, .factors = {}};
  for (const auto& [c, extent] : *extents) {
    if (!axes.try_emplace(c, static_cast<int>(axes.size())).second) continue;
    products.reduce.push_back(extent);
  }
  for (std::size_t i = 0; i < in.size(); ++i) {
    Access read{static_cast<int>(i), {}};
    for (const char c : labels->operands[i]) read.index.push_back(v(axes.at(c)));
    products.factors.push_back(std::move(read));
  }
  return Meaning{{}, {std::move(out), {std::move(products)}}};
}

Result<std::vector<OnnxImported>> from_onnx(const OnnxCall& call) {
  if (call.operands.size() > 2)
    return Error{"Einsum: more than two operands are not interpreted", ErrorKind::Unsupported};
  auto op = make_op(einsum(), call.attrs);
  if (!op) return std::move(op).error();
  OnnxImported imported{*std::move(op), {}};
  for (std::size_t i = 0; i < call.operands.size(); ++i) imported.operands.emplace_back(i);
  return std::vector<OnnxImported>{std::move(imported)};
}

}  // namespace

const OpDef& einsum() {
  static const OpDef def{.name = "Einsum",
                         .summary = "product of one or two operands, summed over labels",
                         .arity = {1, 2},
                         .attrs = {{"equation", std::string(), AttrRole::Geometry, true}},
                         .since = 12,
                         .lower = lower,
                         .from_onnx = from_onnx};
  return def;
}

}  // namespace pet::ops
