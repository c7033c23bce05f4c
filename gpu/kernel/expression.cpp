#include "gpu/kernel/expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <set>

#include "core/util/check.h"

namespace pet::gpu {
namespace {

ExpressionRef made(Expression e) {
  for (const ExpressionRef& operand : e.operands) e.depth = std::max(e.depth, operand->depth + 1);
  return std::make_shared<const Expression>(std::move(e));
}

std::optional<bool> known_comparison(Operation operation, float a, float b) {
  switch (operation) {
    case Operation::Less:
      return a < b;
    case Operation::LessEqual:
      return a <= b;
    case Operation::Greater:
      return a > b;
    case Operation::GreaterEqual:
      return a >= b;
    case Operation::Equal:
      return a == b;
    case Operation::NotEqual:
      return a != b;
    default:
      return std::nullopt;
  }
}

bool is_number_of_any_value(const ExpressionRef& e) { return e->kind == Expression::Kind::Number; }

// Every node once more as `change` has it, after its operands.
ExpressionRef mapped(const ExpressionRef& root, const std::function<void(Expression&)>& change) {
  std::map<const Expression*, ExpressionRef> done;
  for (const Expression* e : in_order(root)) {
    Expression copy = *e;
    for (ExpressionRef& operand : copy.operands) operand = done.at(operand.get());
    change(copy);
    done.emplace(e, made(std::move(copy)));
  }
  return done.at(root.get());
}

}  // namespace

ExpressionRef number(float value) {
  return made({.number = value, .index = {}, .table = {}, .guards = {}, .operands = {}});
}

ExpressionRef local(int which) {
  return made({.kind = Expression::Kind::Local,
               .which = which,
               .index = {},
               .table = {},
               .guards = {},
               .operands = {}});
}

ExpressionRef load(int buffer, std::vector<IndexExpr> index) {
  return made({.kind = Expression::Kind::Load,
               .which = buffer,
               .index = std::move(index),
               .table = {},
               .guards = {},
               .operands = {}});
}

ExpressionRef table(std::vector<float> values, IndexExpr index) {
  return made({.kind = Expression::Kind::Table,
               .index = {std::move(index)},
               .table = std::move(values),
               .guards = {},
               .operands = {}});
}

ExpressionRef guarded(std::vector<Guard> guards, ExpressionRef inside, ExpressionRef outside) {
  if (guards.empty()) return inside;
  return made({.kind = Expression::Kind::Guarded,
               .index = {},
               .table = {},
               .guards = std::move(guards),
               .operands = {std::move(inside), std::move(outside)}});
}

ExpressionRef call(Operation operation, std::vector<ExpressionRef> operands) {
  if (operands.size() == 2 && std::ranges::all_of(operands, is_number_of_any_value)) {
    const auto known = known_comparison(operation, operands[0]->number, operands[1]->number);
    if (known) return number(*known ? 1.0F : 0.0F);
  }
  if (operation == Operation::Select && is_number_of_any_value(operands[0]))
    return operands[operands[0]->number != 0 ? 1 : 2];
  return made({.kind = Expression::Kind::Call,
               .index = {},
               .table = {},
               .guards = {},
               .operation = operation,
               .operands = std::move(operands)});
}

bool is_number(const ExpressionRef& e, float value) {
  return is_number_of_any_value(e) && e->number == value;
}

std::vector<const Expression*> in_order(const ExpressionRef& root) {
  std::vector<const Expression*> out;
  std::set<const Expression*> seen;
  struct Visit {
    const Expression* node;
    std::size_t next = 0;
  };
  std::vector<Visit> open;
  const auto enter = [&](const Expression* e) {
    if (seen.insert(e).second) open.push_back({e});
  };
  enter(root.get());
  while (!open.empty()) {
    Visit& top = open.back();
    if (top.next < top.node->operands.size()) {
      enter(top.node->operands[top.next++].get());
    } else {
      out.push_back(top.node);
      open.pop_back();
    }
  }
  return out;
}

ExpressionRef at(const ExpressionRef& root, std::span<const IndexExpr> axes) {
  return mapped(root, [&](Expression& e) {
    for (IndexExpr& index : e.index) index = index.substitute(axes);
    for (Guard& guard : e.guards) guard.expr = guard.expr.substitute(axes);
  });
}

ExpressionRef with_buffers(const ExpressionRef& root, std::span<const int> by_buffer) {
  return mapped(root, [&](Expression& e) {
    if (e.kind == Expression::Kind::Load) e.which = by_buffer[static_cast<std::size_t>(e.which)];
  });
}

ExpressionRef with_locals_from(const ExpressionRef& root, int first) {
  return mapped(root, [&](Expression& e) {
    if (e.kind == Expression::Kind::Local) e.which += first;
  });
}

namespace {

struct Spelling {
  Operation operation;
  std::string_view text;
  bool is_infix;
};

constexpr std::array kSpellings = {
    Spelling{Operation::Add, "+", true},
    Spelling{Operation::Subtract, "-", true},
    Spelling{Operation::Multiply, "*", true},
    Spelling{Operation::Divide, "/", true},
    Spelling{Operation::Less, "<", true},
    Spelling{Operation::LessEqual, "<=", true},
    Spelling{Operation::Greater, ">", true},
    Spelling{Operation::GreaterEqual, ">=", true},
    Spelling{Operation::Equal, "==", true},
    Spelling{Operation::NotEqual, "!=", true},
    Spelling{Operation::And, "&&", true},
    Spelling{Operation::Or, "||", true},
    Spelling{Operation::Negate, "-", false},
    Spelling{Operation::Select, "?", false},
    Spelling{Operation::LargerOf, "larger_of", false},
    Spelling{Operation::SmallerOf, "smaller_of", false},
#define FUNCTION(name, operands) Spelling{Operation::name, #name, false},
#include "gpu/kernel/functions.def"
#undef FUNCTION
};

std::string indices(const std::vector<IndexExpr>& index) {
  std::string out;
  for (const IndexExpr& e : index) out += (out.empty() ? "" : ", ") + to_string(e);
  return out;
}

std::string guard_text(const Guard& guard) {
  if (guard.multiple_of != 0)
    return fmt::format("{} multiple of {}", to_string(guard.expr), guard.multiple_of);
  return fmt::format("{} in [{},{})", to_string(guard.expr), guard.low, guard.high);
}

std::string call_text(const Expression& e, const std::vector<std::string>& operands) {
  if (e.operation == Operation::Select)
    return fmt::format("({} ? {} : {})", operands[0], operands[1], operands[2]);
  if (e.operation == Operation::Negate) return fmt::format("(-{})", operands[0]);
  const std::string_view name = spelling_of(e.operation);
  if (is_infix(e.operation))
    return fmt::format("({})", fmt::join(operands, fmt::format(" {} ", name)));
  return fmt::format("{}({})", name, fmt::join(operands, ", "));
}

std::string node_text(const Expression& e, const std::vector<std::string>& operands) {
  switch (e.kind) {
    case Expression::Kind::Number:
      return fmt::format("{}", e.number);
    case Expression::Kind::Local:
      return fmt::format("t{}", e.which);
    case Expression::Kind::Load:
      return fmt::format("b{}[{}]", e.which, indices(e.index));
    case Expression::Kind::Table:
      return fmt::format("table({})[{}]", e.table.size(), indices(e.index));
    case Expression::Kind::Call:
      return call_text(e, operands);
    case Expression::Kind::Guarded:
      break;
  }
  std::string guards;
  for (const Guard& guard : e.guards) guards += (guards.empty() ? "" : " and ") + guard_text(guard);
  return fmt::format("({} where {} else {})", operands[0], guards, operands[1]);
}

}  // namespace

// The bits of all that a node is, its operands by their places in memory.
ExpressionRef Sharing::shared(const ExpressionRef& root) {
  std::map<const Expression*, ExpressionRef> done;
  for (const Expression* e : in_order(root)) {
    Expression copy = *e;
    std::string key = fmt::format("{} {} {}", static_cast<int>(e->kind),
                                  std::bit_cast<std::uint32_t>(e->number), e->which);
    for (const IndexExpr& index : e->index) key += " " + to_string(index);
    for (const float x : e->table) key += fmt::format(" {}", std::bit_cast<std::uint32_t>(x));
    for (const Guard& guard : e->guards) key += " " + guard_text(guard);
    key += fmt::format(" {}", static_cast<int>(e->operation));
    for (ExpressionRef& operand : copy.operands) {
      operand = done.at(operand.get());
      key += fmt::format(" {}", static_cast<const void*>(operand.get()));
    }
    auto [found, is_new] = known_.try_emplace(std::move(key));
    if (is_new) found->second = made(std::move(copy));
    done.emplace(e, found->second);
  }
  return done.at(root.get());
}

std::string_view spelling_of(Operation operation) {
  return std::ranges::find(kSpellings, operation, &Spelling::operation)->text;
}

bool is_infix(Operation operation) {
  return std::ranges::find(kSpellings, operation, &Spelling::operation)->is_infix;
}

// What is used twice is named once, or a chain of squares would be as long as its value.
std::string to_string(const ExpressionRef& root) {
  std::map<const Expression*, int> uses;
  const auto all = in_order(root);
  for (const Expression* e : all) {
    for (const ExpressionRef& operand : e->operands) ++uses[operand.get()];
  }
  std::map<const Expression*, std::string> texts;
  std::string named;
  int next = 0;
  for (const Expression* e : all) {
    std::vector<std::string> operands;
    for (const ExpressionRef& operand : e->operands) operands.push_back(texts.at(operand.get()));
    std::string text = node_text(*e, operands);
    if (uses[e] > 1 && !e->operands.empty()) {
      named += fmt::format("{}e{} = {}", named.empty() ? " with " : ", ", next, text);
      text = fmt::format("e{}", next++);
    }
    texts[e] = std::move(text);
  }
  return texts.at(root.get()) + named;
}

std::size_t work_of(const ExpressionRef& root) {
  const auto all = in_order(root);
  return static_cast<std::size_t>(std::ranges::count_if(
      all, [](const Expression* e) { return e->kind != Expression::Kind::Number; }));
}

}  // namespace pet::gpu
