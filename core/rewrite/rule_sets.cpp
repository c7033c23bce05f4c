#include "core/rewrite/rule_sets.h"

#include <algorithm>
#include <array>

#include "core/util/installation.h"
#include "core/util/overloaded.h"

namespace pet::rules {
namespace {

struct Named {
  std::string_view name;
  std::string_view file;
};
// Published rules in their general forms; the files that they are made of stay as they are.
constexpr std::array kSets = {Named{"taso", "taso_general.json"},
                              Named{"tensat", "tensat_general.json"}, Named{"own", "own.json"}};

std::filesystem::path path_of(const std::string& name) {
  const auto set = std::ranges::find(kSets, std::string_view(name), &Named::name);
  if (set == kSets.end()) return name;
  std::filesystem::path out;
  for (const auto& folder : places_of({installed_data("pet/rules"), "datasets/rules"})) {
    out = folder / set->file;
    std::error_code failure;
    if (std::filesystem::exists(out, failure)) break;
  }
  return out;
}

std::uint64_t word_of(Dim number) { return static_cast<std::uint64_t>(number); }

void add(Digester& digester, const Reference& reference) {
  digester.add(reference.input).add(reference.op).add(reference.output);
}

void add(Digester& digester, const RuleAttr& attr) {
  digester.add(attr.index());
  std::visit(overloaded{[&](const std::vector<Dim>& numbers) {
                          digester.add(numbers.size());
                          for (const Dim number : numbers) digester.add(word_of(number));
                        },
                        [&](const std::string& value) { digester.add(value); },
                        [&](Dim value) { digester.add(word_of(value)); }},
             attr);
}

void add(Digester& digester, const RuleProgram& program) {
  digester.add(program.ops.size());
  for (const RuleOp& op : program.ops) {
    digester.add(op.name).add(op.operands.size()).add(op.attrs.size());
    for (const Reference& operand : op.operands) add(digester, operand);
    for (const auto& [name, attr] : op.attrs) add(digester.add(name), attr);
  }
  digester.add(program.outputs.size());
  for (const Reference& output : program.outputs) add(digester, output);
}

}  // namespace

std::vector<std::string> rule_set_names() {
  std::vector<std::string> out;
  for (const Named& set : kSets) out.emplace_back(set.name);
  return out;
}

Result<RuleSet> read_rule_set(const std::string& name) {
  auto file = read_rules(path_of(name));
  if (!file) return std::move(file).error();
  Digester digester("rule set");
  for (const Rule& rule : file->rules) digester.add(digest_of(rule));
  return RuleSet{name, digester.finish(), *std::move(file)};
}

Digest digest_of(const Rule& rule) {
  Digester digester("rule");
  digester.add(rule.id).add(rule.inputs.size());
  for (const RuleInput& input : rule.inputs) digester.add(input.name).add(input.rank);
  add(digester, rule.source);
  add(digester, rule.target);
  // What only format 2 says: rules of format 1 have the digests that they had.
  for (const RuleInput& input : rule.inputs)
    if (input.leading) digester.add("leading").add(input.name);
  if (rule.any_geometry) digester.add("geometry");
  if (!rule.condition.empty()) digester.add("condition").add(rule.condition);
  digester.add(rule.given_shapes.size());
  for (const auto& [name, shape] : rule.given_shapes) {
    digester.add(name).add(shape.size());
    for (const Dim size : shape) digester.add(word_of(size));
  }
  return digester.finish();
}

}  // namespace pet::rules
