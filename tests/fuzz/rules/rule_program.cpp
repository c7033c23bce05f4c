#include "tests/fuzz/rules/rule_program.h"

#include <array>
#include <string>

#include "core/ir/copy.h"
#include "core/ops/ops.h"
#include "core/rewrite/draw.h"
#include "core/util/check.h"

namespace pet::fuzz {
namespace {

class Program {
 public:
  explicit Program(Rng& rng) : rng_(rng) {}

  bool add(const rules::Rule& rule) {
    rules::Wish wish;
    if (!rule.condition.empty() && rng_.below(4) != 0) wish.accepts = holds(rule.condition);
    const auto drawn = rules::draw(rule, rng_, wish);
    if (!drawn || !drawn->instance) return false;
    const Graph& source = drawn->instance->source;
    GraphCopy copy(source, builder_, {.name = [this](NodeId) { return next_name(); }});
    for (const NodeId id : source.inputs()) copy.put(id, value_of(source.node(id).type));
    for (const NodeId id : source.outputs()) {
      const auto made = copy.make(id);
      PET_CHECK(made.ok(), "what a rule builds can be built again");
      values_.push_back(copy.at(id));
      ends_.push_back(maybe_function_of(copy.at(id)));
    }
    return true;
  }

  Graph finish() && {
    for (const NodeId id : ends_) builder_.add_output(id);
    return std::move(builder_).build();
  }

 private:
  // Sizes at which a condition holds are seldom drawn.
  static std::function<bool(const std::vector<rules::Quantity>&)> holds(const std::string& text) {
    return [&text](const std::vector<rules::Quantity>& quantities) {
      const auto condition = rules::parse_condition(text, quantities);
      return condition && condition->holds(quantities);
    };
  }

  std::string next_name() { return "v" + std::to_string(names_++); }

  // What is there already and has that type, an input, or a function of one.
  NodeId value_of(const TensorType& type) {
    std::vector<NodeId> fitting;
    for (const NodeId id : values_)
      if (builder_.type(id) == type) fitting.push_back(id);
    if (!fitting.empty() && rng_.below(2) == 0) return fitting[rng_.below(fitting.size())];
    const NodeId input = builder_.add_input("x" + std::to_string(names_++), type);
    values_.push_back(input);
    return maybe_function_of(input);
  }

  NodeId maybe_function_of(NodeId value) {
    constexpr std::array kFunctions = {&ops::relu, &ops::tanh, &ops::sigmoid};
    if (rng_.below(2) == 0) return value;
    const auto& function = *kFunctions[rng_.below(kFunctions.size())];
    const NodeId made = *builder_.add(function(), {}, {value}, next_name());
    values_.push_back(made);
    return made;
  }

  Rng& rng_;
  GraphBuilder builder_;
  std::vector<NodeId> values_, ends_;
  std::size_t names_ = 0;
};

}  // namespace

std::optional<Graph> program_around(const std::vector<const rules::Rule*>& rules, Rng& rng) {
  Program program(rng);
  bool has_one = false;
  for (const rules::Rule* rule : rules) has_one = program.add(*rule) || has_one;
  if (!has_one) return std::nullopt;
  return std::move(program).finish();
}

}  // namespace pet::fuzz
