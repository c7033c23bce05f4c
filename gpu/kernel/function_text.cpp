#include "gpu/kernel/function_text.h"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <optional>

namespace pet::gpu {
namespace {

struct Infix {
  std::string_view sign;
  Operation operation;
};

// From the loosest to the tightest; of one row longer signs first.
const std::vector<std::vector<Infix>>& levels() {
  using enum Operation;
  static const std::vector<std::vector<Infix>> all = {
      {{"||", Or}},
      {{"&&", And}},
      {{"==", Equal}, {"!=", NotEqual}},
      {{"<=", LessEqual}, {">=", GreaterEqual}, {"<", Less}, {">", Greater}},
      {{"+", Add}, {"-", Subtract}},
      {{"*", Multiply}, {"/", Divide}}};
  return all;
}

struct Function {
  std::string_view name;
  Operation operation;
  std::size_t operands;  // 0: any number
};

constexpr std::array kFunctions = {
#define FUNCTION(name, operands) Function{#name, Operation::name, operands},
#include "gpu/kernel/functions.def"
#undef FUNCTION
    Function{"larger_of", Operation::LargerOf, 0}, Function{"smaller_of", Operation::SmallerOf, 0}};

// Recursive descent; texts are our own and short.
class Reader {
 public:
  Reader(std::string_view text, const Words& words) : text_(text), rest_(text), words_(words) {}

  Result<ExpressionRef> read() {
    ExpressionRef out = choice();
    skip_spaces();
    if (!rest_.empty()) fail("something is left");
    if (!error_.empty()) return Error{fmt::format("'{}': {}", text_, error_)};
    return out;
  }

 private:
  ExpressionRef fail(std::string why) {
    if (error_.empty()) error_ = fmt::format("{} at '{}'", why, rest_);
    rest_ = {};
    return number(0);
  }

  void skip_spaces() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
  }

  bool take(std::string_view sign) {
    skip_spaces();
    if (!rest_.starts_with(sign)) return false;
    rest_.remove_prefix(sign.size());
    return true;
  }

  ExpressionRef choice() {
    ExpressionRef condition = infix(0);
    if (!take("?")) return condition;
    ExpressionRef yes = choice();
    if (!take(":")) return fail("a choice without an else");
    return call(Operation::Select, {condition, yes, choice()});
  }

  ExpressionRef infix(std::size_t level) {
    if (level == levels().size()) return prefix();
    ExpressionRef left = infix(level + 1);
    while (const auto operation = one_of(levels()[level])) {
      left = call(*operation, {left, infix(level + 1)});
    }
    return left;
  }

  std::optional<Operation> one_of(const std::vector<Infix>& signs) {
    for (const Infix& infix : signs) {
      if (take(infix.sign)) return infix.operation;
    }
    return std::nullopt;
  }

  ExpressionRef prefix() {
    if (take("-")) return call(Operation::Negate, {prefix()});
    if (take("(")) {
      ExpressionRef inside = choice();
      return take(")") ? inside : fail("an open bracket");
    }
    skip_spaces();
    if (!rest_.empty() && std::isdigit(static_cast<unsigned char>(rest_.front())) != 0)
      return literal();
    return word();
  }

  ExpressionRef literal() {
    float value = 0;
    const auto [end, code] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (code != std::errc()) return fail("no number");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return number(value);
  }

  ExpressionRef word() {
    std::size_t length = 0;
    while (length < rest_.size() &&
           (std::isalnum(static_cast<unsigned char>(rest_[length])) != 0 || rest_[length] == '_'))
      ++length;
    const std::string_view name = rest_.substr(0, length);
    rest_.remove_prefix(length);
    for (const Function& function : kFunctions) {
      if (function.name == name) return called(function);
    }
    ExpressionRef found = value_of(name);
    return found ? found : fail(fmt::format("'{}' stands for nothing", name));
  }

  ExpressionRef called(const Function& function) {
    if (!take("(")) return fail("a function without operands");
    std::vector<ExpressionRef> operands;
    if (take("x...")) {
      operands = words_.elements;
    } else {
      do operands.push_back(choice());
      while (take(","));
    }
    if (!take(")")) return fail("an open bracket");
    if (function.operands != 0 && operands.size() != function.operands)
      return fail(fmt::format("{} of {} operands", function.name, operands.size()));
    return call(function.operation, std::move(operands));
  }

  ExpressionRef value_of(std::string_view name) const {
    if (name == "r") return words_.folded;
    if (name == "n") return words_.count;
    if (name == "x") return words_.elements.empty() ? nullptr : words_.elements.front();
    if (name.size() != 2 || std::isdigit(static_cast<unsigned char>(name[1])) == 0) return nullptr;
    const auto place = static_cast<std::size_t>(name[1] - '0');
    if (name[0] == 'p' && place < words_.parameters.size())
      return number(static_cast<float>(words_.parameters[place]));
    const auto& from = name[0] == 'x' ? words_.elements : words_.row;
    if ((name[0] != 'x' && name[0] != 'r') || place >= from.size()) return nullptr;
    return from[place];
  }

  std::string_view text_;
  std::string_view rest_;
  const Words& words_;
  std::string error_;
};

}  // namespace

Result<ExpressionRef> read_function_text(std::string_view text, const Words& words) {
  return Reader(text, words).read();
}

}  // namespace pet::gpu
