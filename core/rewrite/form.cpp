#include "core/rewrite/form.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <set>

#include "core/ops/ops.h"
#include "core/rewrite/operators.h"
#include "core/rewrite/rewriter.h"

namespace pet::rules {
namespace {

constexpr std::size_t kPlainRank = 4;  // of what a convolution of a rule slides over

bool is_convolution(const RuleOp& op) { return op.name == "conv2d"; }

// What tells of a convolution's windows, in a rule that has no form.
constexpr std::array kWindowAttributes = {"stride_h", "stride_w", "padding", "kernel_h",
                                          "kernel_w"};

std::vector<RuleProgram*> programs_of(Rule& rule) { return {&rule.source, &rule.target}; }
std::vector<const RuleProgram*> programs_of(const Rule& rule) {
  return {&rule.source, &rule.target};
}

std::vector<const RuleOp*> convolutions_of(const Rule& rule) {
  std::vector<const RuleOp*> out;
  for (const RuleProgram* program : programs_of(rule))
    for (const RuleOp& op : program->ops)
      if (is_convolution(op)) out.push_back(&op);
  return out;
}

// All slide alike, in a way that a form can say.
bool may_slide_otherwise(const std::vector<const RuleOp*>& convolutions) {
  const auto alike = [&](const RuleOp* op) {
    const RuleOp& first = *convolutions.front();
    return !op->attrs.contains("strides") &&
           op->integer("stride_h", 1) == first.integer("stride_h", 1) &&
           op->integer("stride_w", 1) == first.integer("stride_w", 1) &&
           op->text("padding", "SAME") == first.text("padding", "SAME");
  };
  return std::ranges::all_of(convolutions, alike);
}

// Which values of a rule have axes in front: those that have to agree are one class.
class LeadingClasses {
 public:
  explicit LeadingClasses(const Rule& rule) : rule_(rule) {
    for (const RuleInput& input : rule.inputs) of_inputs_[input.name] = add(true);
  }

  // Nothing where no assignment makes every result of the rule have them.
  std::optional<std::set<std::string>> run() {
    for (const RuleProgram* program : programs_of(rule_))
      if (!unite(*program)) return std::nullopt;
    std::set<std::string> out;
    for (const auto& [name, value] : of_inputs_)
      if (leads(value)) out.insert(name);
    const bool all_lead =
        std::ranges::all_of(outputs_, [this](std::size_t output) { return leads(output); });
    if (!all_lead || out.empty()) return std::nullopt;
    return out;
  }

 private:
  std::size_t add(bool may_lead) {
    of_.push_back(of_.size());
    may_lead_.push_back(static_cast<char>(may_lead));
    return of_.size() - 1;
  }
  std::size_t find(std::size_t value) const {
    while (of_[value] != value) value = of_[value];
    return value;
  }
  void put_together(std::size_t a, std::size_t b) {
    a = find(a);
    b = find(b);
    may_lead_[a] = static_cast<char>(may_lead_[a] != 0 && may_lead_[b] != 0);
    of_[b] = a;
  }
  bool leads(std::size_t value) const { return may_lead_[find(value)] != 0; }

  bool unite(const RuleProgram& program) {
    std::vector<std::size_t> results;
    const auto value_of = [&](const Reference& reference) {
      return reference.input.empty() ? results[reference.op] : of_inputs_.at(reference.input);
    };
    for (const RuleOp& op : program.ops) {
      const auto known = operator_of(op);
      if (!known) return false;
      const Leading leading = (*known)->leading;
      results.push_back(add(leading != Leading::No));
      for (std::size_t i = 0; i < op.operands.size(); ++i) {
        const std::size_t operand = value_of(op.operands[i]);
        if (leading == Leading::All || (leading == Leading::First && i == 0)) {
          put_together(results.back(), operand);
        } else {
          may_lead_[find(operand)] = 0;
        }
      }
    }
    for (const Reference& output : program.outputs) outputs_.push_back(value_of(output));
    return true;
  }

  const Rule& rule_;
  std::map<std::string, std::size_t> of_inputs_;
  std::vector<std::size_t> of_;  // by value: another of its class, or itself
  std::vector<char> may_lead_;   // by class
  std::vector<std::size_t> outputs_;
};

// Axes counted from those in front on.
void shift_axes(RuleOp& op, std::size_t by) {
  const auto known = operator_of(op);
  if (!known) return;
  for (const RuleAttribute& attribute : (*known)->attributes) {
    const auto it = op.attrs.find(std::string(attribute.name));
    if (it == op.attrs.end()) continue;
    if (attribute.holds == RuleAttribute::Holds::Axis ||
        attribute.holds == RuleAttribute::Holds::Rank)
      std::get<Dim>(it->second) += static_cast<Dim>(by);
    if (attribute.holds != RuleAttribute::Holds::Order) continue;
    auto& order = std::get<std::vector<Dim>>(it->second);
    for (Dim& axis : order) axis += static_cast<Dim>(by);
    std::vector<Dim> in_front(by);
    std::iota(in_front.begin(), in_front.end(), Dim{0});
    order.insert(order.begin(), in_front.begin(), in_front.end());
  }
}

// An operator leads where its first operand does.
void lead(const Rule& rule, RuleProgram& program, std::size_t by) {
  std::vector<char> leads;
  const auto is_leading = [&](const Reference& reference) {
    if (reference.input.empty()) return leads[reference.op] != 0;
    const auto input = std::ranges::find(rule.inputs, reference.input, &RuleInput::name);
    return input != rule.inputs.end() && input->leading;
  };
  for (RuleOp& op : program.ops) {
    leads.push_back(static_cast<char>(!op.operands.empty() && is_leading(op.operands[0])));
    if (leads.back() != 0) shift_axes(op, by);
  }
}

void slide(RuleOp& op, const Geometry& geometry) {
  for (const char* attr : kWindowAttributes) op.attrs.erase(attr);
  op.attrs["strides"] = geometry.strides;
  op.attrs["pads"] = geometry.pads;
  op.attrs["dilations"] = geometry.dilations;
}

Rule with_geometry(Rule rule, const Geometry& geometry) {
  const std::size_t rank = geometry.strides.size() + 2;
  for (RuleInput& input : rule.inputs)
    if (input.rank == kPlainRank) input.rank = rank;
  for (RuleProgram* program : programs_of(rule)) {
    for (RuleOp& op : program->ops) {
      if (is_convolution(op)) slide(op, geometry);
      const auto counted = op.attrs.find("num_dim");
      if (counted != op.attrs.end()) counted->second = static_cast<Dim>(rank);
    }
  }
  rule.any_geometry = false;
  return rule;
}

Rule with_leading(Rule rule, std::size_t number) {
  for (RuleProgram* program : programs_of(rule)) lead(rule, *program, number);
  for (RuleInput& input : rule.inputs) {
    if (input.leading) input.rank += number;
    input.leading = false;
  }
  return rule;
}

std::vector<Dim> or_all(const std::vector<Dim>& given, std::size_t number, Dim otherwise) {
  return given.empty() ? std::vector<Dim>(number, otherwise) : given;
}

// Those that slide in another way than rules without a form say.
std::optional<Geometry> geometry_of(const Graph& program, const Node& node) {
  const auto& weight = program.node(node.operands[1]).type.shape;
  if (!weight || weight->size() < 3) return std::nullopt;
  const std::size_t axes = weight->size() - 2;
  const Op& op = *node.op();
  Geometry out{or_all(op.ints("strides"), axes, 1), or_all(op.ints("pads"), 2 * axes, 0),
               or_all(op.ints("dilations"), axes, 1)};
  bool is_plain = axes == kPlainRank - 2;
  for (std::size_t i = 0; i < axes; ++i) {
    const Dim zeros = (*weight)[i + 2] - 1;
    is_plain = is_plain && out.strides[i] == 1 && out.dilations[i] == 1 &&
               out.pads[i] == zeros / 2 && out.pads[i + axes] == zeros - zeros / 2;
  }
  if (is_plain) return std::nullopt;
  return out;
}

std::optional<std::vector<Dim>> parse_numbers(std::string_view text) {
  std::vector<Dim> out;
  while (true) {
    Dim number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failed != std::errc() || number < 0) return std::nullopt;
    out.push_back(number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) return out;
    if (text.front() != ',') return std::nullopt;
    text.remove_prefix(1);
  }
}

// The text behind `key`, up to the next part.
std::optional<std::vector<Dim>> part_of(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  text.remove_prefix(at + key.size());
  return parse_numbers(text.substr(0, text.find(';')));
}

constexpr char kAt = '@';

// Its source, whatever its condition says.
bool stands_in(const Rule& rule, const Graph& program) {
  auto usable_anywhere = usable(rule, "");
  if (!usable_anywhere) return false;
  std::vector<UsableRule> all;
  all.push_back(*std::move(usable_anywhere));
  Rewriter rewriter(std::move(all));
  return std::ranges::any_of(rewriter.matches(program), [&](const Match& match) {
    return rewriter.decide(program, match).fit == Fit::Fits;
  });
}

}  // namespace

std::string to_string(const RuleForm& form) {
  if (!form.geometry) return fmt::format("leading={}", form.leading);
  return fmt::format("strides={};pads={};dilations={}", fmt::join(form.geometry->strides, ","),
                     fmt::join(form.geometry->pads, ","), fmt::join(form.geometry->dilations, ","));
}

std::optional<RuleForm> parse_form(const std::string& text) {
  RuleForm out;
  if (const auto leading = part_of(text, "leading="); leading && leading->size() == 1) {
    constexpr Dim kMost = 8;
    if (leading->front() < 1 || leading->front() > kMost) return std::nullopt;
    out.leading = static_cast<std::size_t>(leading->front());
  } else {
    const auto strides = part_of(text, "strides=");
    const auto pads = part_of(text, "pads=");
    const auto dilations = part_of(text, "dilations=");
    if (!strides || !pads || !dilations) return std::nullopt;
    out.geometry = Geometry{*strides, *pads, *dilations};
  }
  if (to_string(out) != text) return std::nullopt;
  return out;
}

std::optional<Rule> generalised(const Rule& rule) {
  Rule out = rule;
  const auto convolutions = convolutions_of(rule);
  if (!convolutions.empty()) {
    if (!may_slide_otherwise(convolutions)) return std::nullopt;
    out.any_geometry = true;
    return out;
  }
  const auto leading = LeadingClasses(rule).run();
  if (!leading) return std::nullopt;
  for (RuleInput& input : out.inputs) input.leading = leading->contains(input.name);
  return out;
}

bool stands_for_many(const Rule& rule) {
  return rule.any_geometry || std::ranges::any_of(rule.inputs, &RuleInput::leading);
}

std::vector<RuleForm> sample_forms() {
  const auto sliding = [](Geometry geometry) { return RuleForm{std::move(geometry), 0}; };
  return {sliding({{2, 2}, {1, 1, 1, 1}, {1, 1}}),
          sliding({{2, 2}, {0, 0, 1, 1}, {1, 1}}),
          sliding({{1, 1}, {0, 0, 0, 0}, {1, 1}}),
          sliding({{1, 1}, {2, 2, 2, 2}, {2, 2}}),
          sliding({{1, 2}, {0, 1, 1, 0}, {1, 1}}),
          sliding({{1}, {1, 1}, {1}}),
          sliding({{2}, {0, 1}, {1}}),
          sliding({{1, 1, 1}, {0, 0, 0, 0, 0, 0}, {1, 1, 1}}),
          {std::nullopt, 1},
          {std::nullopt, 2}};
}

std::optional<Rule> at_form(const Rule& rule, const RuleForm& form) {
  if (!stands_for_many(rule) || rule.any_geometry != form.geometry.has_value()) return std::nullopt;
  Rule out = form.geometry ? with_geometry(rule, *form.geometry) : with_leading(rule, form.leading);
  if (std::ranges::any_of(out.inputs, [](const RuleInput& i) { return i.rank > kMaxRank; }))
    return std::nullopt;
  out.id += kAt + to_string(form);
  out.given_shapes.clear();
  return out;
}

std::optional<Rule> rule_called(const std::vector<Rule>& rules, const std::string& id) {
  const auto named = [&](const std::string& name) {
    return std::ranges::find(rules, name, &Rule::id);
  };
  if (const auto it = named(id); it != rules.end()) return *it;
  const std::size_t at = id.rfind(kAt);
  if (at == std::string::npos) return std::nullopt;
  const auto it = named(id.substr(0, at));
  const auto form = parse_form(id.substr(at + 1));
  if (it == rules.end() || !form) return std::nullopt;
  return at_form(*it, *form);
}

std::vector<RuleForm> forms_in(const Graph& program) {
  std::set<RuleForm> out;
  const auto needed = program.needed_by_outputs();
  for (const NodeId id : program.ids()) {
    const Node& node = program.node(id);
    if (needed[id.index()] == 0 || !program.has_meaning(id)) continue;
    if (node.op()->def == &ops::conv()) {
      if (auto geometry = geometry_of(program, node)) out.insert({std::move(geometry), 0});
    }
    if (node.op()->def != &ops::mat_mul()) continue;
    const std::size_t rank = program.node(node.operands[0]).type.shape->size();
    if (rank > 2 && program.node(node.operands[1]).type.shape->size() == 2)
      out.insert({std::nullopt, rank - 2});
  }
  return {out.begin(), out.end()};
}

std::vector<Rule> with_forms(const std::vector<Rule>& rules, const Graph& program) {
  std::vector<Rule> out;
  const auto forms = forms_in(program);
  for (const Rule& rule : rules) {
    out.push_back(rule);
    for (const RuleForm& form : forms) {
      auto one = at_form(rule, form);
      if (one && stands_in(*one, program)) out.push_back(*std::move(one));
    }
  }
  return out;
}

}  // namespace pet::rules
