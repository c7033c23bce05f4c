#include "core/ir/infer.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/util/check.h"

namespace pet {
namespace {

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

Status check_arity(const OpDef& def, std::size_t operands) {
  if (operands >= def.arity.min && operands <= def.arity.max) return Done{};
  return Error{fmt::format("{}: takes {} to {} operands, not {}", def.name, def.arity.min,
                           def.arity.max, operands)};
}

// Known, and of tensors that may exist.
Result<std::vector<Shape>> checked_shapes(const OpDef& def, std::span<const TensorType> operands) {
  std::vector<Shape> shapes;
  shapes.reserve(operands.size());
  for (const TensorType& type : operands) {
    if (!type.shape)
      return Error{fmt::format("{}: the shape of an operand is unknown", def.name),
                   ErrorKind::Unsupported};
    if (!checked_count(*type.shape))
      return Error{fmt::format("{}: an operand of shape {}", def.name, to_string(*type.shape))};
    shapes.push_back(*type.shape);
  }
  return shapes;
}

Result<DType> element_type(const Op& op, std::span<const TensorType> operands,
                           const Meaning& meaning) {
  const OpDef& def = *op.def;
  std::vector<DType> dtypes;
  for (const TensorType& type : operands) dtypes.push_back(type.dtype);
  if (def.element_type != nullptr) return def.element_type(op, dtypes);
  if (dtypes.empty()) return DType::Float;
  if (std::ranges::any_of(dtypes, [&](DType dtype) { return dtype != dtypes.front(); }))
    return Error{fmt::format("{}: operands of different types", def.name), ErrorKind::Unsupported};
  if (dtypes.front() != DType::Float && !is_data_movement(meaning))
    return Error{fmt::format("{}: defined for float operands only", def.name),
                 ErrorKind::Unsupported};
  return dtypes.front();
}

Status check_meaning(const OpDef& def, const Meaning& meaning) {
  if (!checked_count(meaning.sum.out))
    return Error{
        fmt::format("{}: the result {} is too large", def.name, to_string(meaning.sum.out))};
  if (!can_be_evaluated(meaning))
    return Error{fmt::format("{}: needs more work than can be done", def.name),
                 ErrorKind::Unsupported};
  return Done{};
}

}  // namespace

Result<Inferred> infer(const Op& op, std::span<const TensorType> operands,
                       const KnownNumbers& numbers) {
  const OpDef& def = *op.def;
  PET_CHECK(def.lower != nullptr, "nothing is inferred of an opaque operator");
  if (auto fits = check_arity(def, operands.size()); !fits) return std::move(fits).error();
  const auto shapes = checked_shapes(def, operands);
  if (!shapes) return shapes.error();
  auto meaning = meaning_of(op, *shapes, numbers);
  if (!meaning) return std::move(meaning).error();
  if (auto sound = check_meaning(def, *meaning); !sound) return std::move(sound).error();
  const auto dtype = element_type(op, operands, *meaning);
  if (!dtype) return dtype.error();
  TensorType type{*dtype, meaning->sum.out};
  return Inferred{std::move(type), *std::move(meaning)};
}

}  // namespace pet
