// Rules that stand for many, and the ones that they stand for. A rule of format 2 has a form for
// each way in which its convolutions may slide (stride, zeros, dilation, along one to three axes),
// or for each number of axes in front of the values that have them. At one form it is a rule as any
// other: verified, matched and applied by the code that knows nothing of forms. It is called by the
// rule's name and the form's, "taso-pb-127@strides=2,2;pads=1,1,1,1;dilations=1,1" or
// "taso-pb-003@leading=1".
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/ir/graph.h"
#include "core/rewrite/rule.h"

namespace pet::rules {

struct Geometry {
  std::vector<Dim> strides, pads, dilations;  // pads: in front along each axis, then behind
  auto operator<=>(const Geometry&) const = default;
};

// Either.
struct RuleForm {
  std::optional<Geometry> geometry;
  std::size_t leading = 0;
  auto operator<=>(const RuleForm&) const = default;
};

std::string to_string(const RuleForm& form);
// What to_string wrote; nothing where it is none.
std::optional<RuleForm> parse_form(const std::string& text);

// The rule with every freedom that its structure allows; nothing where that is none. Whether it is
// right in every form is for verification to say.
std::optional<Rule> generalised(const Rule& rule);

bool stands_for_many(const Rule& rule);

// Forms at which a rule is looked at before it stands for all: strides, zeros of one side only,
// dilations, one and three axes; one and two axes in front.
std::vector<RuleForm> sample_forms();

// Nothing: the rule has no such freedom.
std::optional<Rule> at_form(const Rule& rule, const RuleForm& form);

// The rule of that name among these: one of them, or one at a form. Nothing: there is none.
std::optional<Rule> rule_called(const std::vector<Rule>& rules, const std::string& id);

// In which forms rules may stand in a program beside their own: of its convolutions that do not
// slide as SAME with a stride of 1, and of its products with more than two axes.
std::vector<RuleForm> forms_in(const Graph& program);

// These, each followed by what it is at the forms that stand in the program, as far as its source
// stands there at that form. What other rules would first have to bring about is not looked for: a
// rule is verified at each form at which it is used.
std::vector<Rule> with_forms(const std::vector<Rule>& rules, const Graph& program);

}  // namespace pet::rules
