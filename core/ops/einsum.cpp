// Einsum: the product of one or two operands, summed over every label that the result does not
// have: "ij,jk->ik". An ellipsis stands for the axes of its operand that have no letters.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "core/ops/ops.h"
#include "core/ops/parts/reduction.h"

namespace pet::ops {
namespace {

// Letters, and for the axes of an ellipsis (which is one sign until they are counted) their numbers
// from the last one on: 1, 2, ...
struct Labels {
  std::vector<std::string> operands;
  std::string result;
};

constexpr char kEllipsis = '*';

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
  if (equation.find(kEllipsis) != std::string::npos)
    return refused("is no list of labels", ErrorKind::Malformed);
  for (std::size_t at = 0; (at = equation.find("...", at)) != std::string::npos; ++at)
    equation.replace(at, 3, 1, kEllipsis);
  const auto arrow = equation.find("->");
  const std::string left = equation.substr(0, arrow);
  Labels labels{{""}, ""};
  for (const char c : left) {
    if (c == ',') {
      labels.operands.emplace_back();
    } else if (is_letter(c) ||
               (c == kEllipsis && labels.operands.back().find(c) == std::string::npos)) {
      labels.operands.back() += c;
    } else {
      return refused("is no list of labels", ErrorKind::Malformed);
    }
  }
  const bool has_ellipsis = left.find(kEllipsis) != std::string::npos;
  if (arrow == std::string::npos) {
    auto result = implicit_result(left);
    if (!result) return std::move(result).error();
    labels.result = (has_ellipsis ? std::string{kEllipsis} : "") + *std::move(result);
    return labels;
  }
  labels.result = equation.substr(arrow + 2);
  if (has_ellipsis && labels.result.find(kEllipsis) == std::string::npos)
    return refused("has an ellipsis on the left of its arrow alone", ErrorKind::Unsupported);
  for (const char c : labels.result) {
    if ((!is_letter(c) && c != kEllipsis) || left.find(c) == std::string::npos)
      return refused("names a label of the result that no operand has", ErrorKind::Malformed);
    if (std::count(labels.result.begin(), labels.result.end(), c) > 1)
      return refused("repeats a label of the result", ErrorKind::Malformed);
  }
  return labels;
}

// In place of an ellipsis the labels of the axes that it stands for.
void spell_out(std::string& labels, std::size_t axes) {
  const auto at = labels.find(kEllipsis);
  if (at == std::string::npos) return;
  std::string spelled;
  for (std::size_t i = axes; i > 0; --i) spelled += static_cast<char>(i);
  labels.replace(at, 1, spelled);
}

// Runtimes refuse ellipses of several lengths.
Status spell_out(Labels& labels, std::span<const Shape> in) {
  if (labels.operands.size() != in.size()) {
    return Error{
        fmt::format("Einsum: {} operands, {} in the equation", in.size(), labels.operands.size())};
  }
  std::optional<std::size_t> hidden;
  for (std::size_t i = 0; i < in.size(); ++i) {
    std::string& mine = labels.operands[i];
    const bool has_ellipsis = mine.find(kEllipsis) != std::string::npos;
    const std::size_t letters = mine.size() - (has_ellipsis ? 1 : 0);
    if (in[i].size() < letters || (in[i].size() > letters && !has_ellipsis))
      return Error{fmt::format("Einsum: {} labels for {}", letters, to_string(in[i]))};
    if (!has_ellipsis) continue;
    if (hidden && *hidden != in[i].size() - letters)
      return refused("has an ellipsis of several lengths", ErrorKind::Unsupported);
    hidden = in[i].size() - letters;
    spell_out(mine, *hidden);
  }
  spell_out(labels.result, hidden.value_or(0));
  return Done{};
}

// Of every label that the operands have. One that stands for different extents might be broadcast
// by one runtime and refused by another.
Result<std::map<char, Dim>> extents_of(const Labels& labels, std::span<const Shape> in) {
  std::map<char, Dim> extents;
  for (std::size_t i = 0; i < in.size(); ++i) {
    const std::string& mine = labels.operands[i];
    for (std::size_t k = 0; k < mine.size(); ++k) {
      const Dim extent = extents.try_emplace(mine[k], in[i][k]).first->second;
      if (extent != in[i][k]) {
        return Error{fmt::format("Einsum: one label stands for {} and {}", extent, in[i][k]),
                     ErrorKind::Unsupported};
      }
    }
  }
  return extents;
}

Result<Meaning> lower_einsum(const Op& op, std::span<const Shape> in) {
  auto labels = labels_of(op.text("equation"));
  if (!labels) return labels.error();
  if (auto done = spell_out(*labels, in); !done) return std::move(done).error();
  const auto extents = extents_of(*labels, in);
  if (!extents) return extents.error();
  if (std::ranges::any_of(*extents, [](const auto& label) { return label.second == 0; }))
    return sums_over_nothing("Einsum");
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

Result<std::vector<OnnxImported>> einsum_from_onnx(const OnnxCall& call) {
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
                         .lower = lower_einsum,
                         .affine_in_sizes = with_any_attributes,
                         .from_onnx = einsum_from_onnx};
  return def;
}

}  // namespace pet::ops
