#include "core/rewrite/rule_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/util/overloaded.h"
#include "core/util/printable.h"

namespace pet::rules {
namespace {

// Of each operator: what is read often is written often.
constexpr std::size_t kLongest = 300;

std::string value_in_words(const RuleAttr& attr) {
  return std::visit(overloaded{[](Dim number) { return fmt::format("{}", number); },
                               [](const std::string& text) { return printable(text); },
                               [](const std::vector<Dim>& numbers) {
                                 return fmt::format("[{}]", fmt::join(numbers, ","));
                               }},
                    attr);
}

std::string cut(std::string text) {
  if (text.size() <= kLongest) return text;
  text.resize(kLongest);
  return printable(text) + "...";
}

std::string reference_in_words(const Reference& to, const RuleProgram& program,
                               const std::vector<std::string>& ops) {
  if (!to.input.empty()) return printable(to.input);
  const bool has_parts = program.ops[to.op].name == "split";
  return has_parts ? fmt::format("{}.{}", ops[to.op], to.output) : ops[to.op];
}

std::string program_in_words(const RuleProgram& program) {
  std::vector<std::string> ops;
  for (const RuleOp& op : program.ops) {
    std::vector<std::string> operands;
    for (const Reference& operand : op.operands)
      operands.push_back(reference_in_words(operand, program, ops));
    std::vector<std::string> attrs;
    for (const auto& [name, value] : op.attrs)
      attrs.push_back(fmt::format("{}={}", printable(name), value_in_words(value)));
    ops.push_back(cut(fmt::format("{}{}({})", printable(op.name),
                                  attrs.empty() ? "" : fmt::format("<{}>", fmt::join(attrs, ",")),
                                  fmt::join(operands, ", "))));
  }
  std::vector<std::string> outputs;
  for (const Reference& output : program.outputs)
    outputs.push_back(reference_in_words(output, program, ops));
  return fmt::format("{}", fmt::join(outputs, "; "));
}

}  // namespace

std::string in_words(const Rule& rule) {
  return fmt::format("{} => {}", program_in_words(rule.source), program_in_words(rule.target));
}

}  // namespace pet::rules
