#include "core/eval/meaning_code.h"

#include "core/eval/in_place.h"

namespace pet {
namespace {

// Entries of one operator's tables. What is larger takes longer to evaluate than to compile.
constexpr std::size_t kMostKept = 1 << 12;

std::size_t entries(const AxisSum& sum) {
  std::size_t out = sum.steps.size();
  for (const auto& table : sum.tables) out += table.size();
  return out;
}

std::size_t entries(const TermPlan& plan) {
  std::size_t out = entries(plan.out_offset);
  for (const Check& check : plan.guards) out += entries(check.sum);
  for (const ReadPlan& read : plan.reads) {
    out += entries(read.offset) + read.dense.size();
    for (const Check& check : read.checks) out += entries(check.sum);
  }
  return out;
}

}  // namespace

MeaningCode::MeaningCode(const Meaning& meaning, std::vector<Shape> shapes, const Positions& at)
    : meaning_(meaning), out_(shape_at(at, meaning.sum.out)) {
  const std::size_t operands = shapes.size();
  applications_.reserve(meaning.applications.size());
  for (const Application& application : meaning.applications) {
    ApplicationCode& code = applications_.emplace_back();
    const auto shape_of = [&](const Access& access) -> const Shape& {
      return shapes[static_cast<std::size_t>(access.operand)];
    };
    for (const Access& access : application.elements)
      code.elements.push_back(compile_read(access, {}, application.out, shape_of(access)));
    if (application.window)
      code.window = compile_window(application, shape_of(application.window->read));
    shapes.push_back(application.out);
  }
  if (count(meaning.sum.out) == 0) return;  // its other extents may be too large to walk along
  is_result_in_place_ =
      at.empty() && !applications_.empty() && pet::is_result_in_place(meaning, operands);
  terms_.reserve(meaning.sum.terms.size());
  for (const Term& term : meaning.sum.terms) {
    if (count(term.reduce) == 0) continue;
    TermCode& code = terms_.emplace_back();
    code.plan = compile_term(term, meaning.sum.out, shapes, at);
    code.product = plan_contraction(code.plan);
  }
}

std::size_t MeaningCode::size() const {
  std::size_t out = 0;
  for (const ApplicationCode& application : applications_) {
    for (const TermPlan& plan : application.elements) out += entries(plan);
    if (application.window) out += entries(application.window->read);
  }
  for (const TermCode& term : terms_) out += entries(term.plan);
  return out;
}

std::shared_ptr<const MeaningCode> GraphCode::at(NodeId id) const {
  auto& kept = kept_[id.index()];
  if (kept) return kept;
  auto code = std::make_shared<const MeaningCode>(graph_.meaning(id), graph_.operand_shapes(id));
  if (code->size() <= kMostKept) kept = code;
  return code;
}

}  // namespace pet
