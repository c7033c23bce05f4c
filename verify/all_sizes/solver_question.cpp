#include "verify/all_sizes/solver_question.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <bit>
#include <map>

namespace pet::all_sizes {
namespace {

std::string whole(Dim number) {
  return number < 0 ? fmt::format("(- {})", -number) : std::to_string(number);
}

std::string variable(Var var) { return fmt::format("v{}", var); }

std::string sum_of(const Affine& e) {
  std::string out = "(+ " + whole(e.constant());
  for (const auto& [var, coefficient] : e.parts())
    out += fmt::format(" (* {} {})", whole(coefficient), variable(var));
  return out + ")";
}

std::string at_least_zero(const Affine& e) { return fmt::format("(<= 0 {})", sum_of(e)); }

std::string all_of(const std::vector<std::string>& claims) {
  return claims.empty() ? "true" : fmt::format("(and {})", fmt::join(claims, " "));
}

std::string real(const Rational& x) {
  const Rational size = abs(x);
  const std::string out =
      fmt::format("(/ {}.0 {}.0)", size.get_num().get_str(), size.get_den().get_str());
  return x < 0 ? fmt::format("(- {})", out) : out;
}

class Writing {
 public:
  Writing(const Family& family, const SizedPair& pair) : family_(family), pair_(pair) {}

  Result<SolverQuestion> run() {
    std::vector<std::string> facts;
    for (std::size_t s = 0; s < family_.symbols.size(); ++s) {
      declare(variable(static_cast<Var>(s)), {}, "Int");
      facts.push_back(at_least_zero(Affine::of(static_cast<Var>(s)) - 1));
    }
    for (const Affine& e : family_.at_least_zero) facts.push_back(at_least_zero(e));
    out_.commands.push_back(fmt::format("(assert {})", all_of(facts)));
    const auto& outputs = pair_.original.outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      auto difference = difference_at(outputs[i], pair_.mutant.outputs[i]);
      if (!difference) return std::move(difference).error();
      out_.differences.push_back(*std::move(difference));
    }
    return std::move(out_);
  }

 private:
  Result<std::string> difference_at(NodeId original, NodeId mutant) {
    const auto& shape = pair_.original.node(original).shape;
    if (shape != pair_.mutant.node(mutant).shape)
      return Error{"the shapes of an output differ", ErrorKind::Unsupported};
    std::vector<Affine> position;
    std::vector<std::string> claims;
    for (const Affine& extent : shape) {
      const auto var = static_cast<Var>(family_.symbols.size() + positions_++);
      declare(variable(var), {}, "Int");
      position.push_back(Affine::of(var));
      claims.push_back(at_least_zero(position.back()));
      claims.push_back(at_least_zero(extent - position.back() - 1));
    }
    const auto a = element(pair_.original, original, position);
    if (!a) return a.error();
    const auto b = element(pair_.mutant, mutant, position);
    if (!b) return b.error();
    claims.push_back(fmt::format("(not (= {} {}))", *a, *b));
    return fmt::format("(assert {})", all_of(claims));
  }

  void declare(const std::string& name, const std::vector<std::string>& from,
               std::string_view type) {
    out_.commands.push_back(
        fmt::format("(declare-fun {} ({}) {})", name, fmt::join(from, " "), type));
  }

  // A function of the solver for each thing of which nothing is known.
  std::string known_as(const std::string& key, std::size_t arity, const char* of) {
    const auto [it, is_new] = names_.emplace(key, fmt::format("f{}", names_.size()));
    if (is_new) declare(it->second, std::vector<std::string>(arity, of), "Real");
    return it->second;
  }

  static std::string applied(const std::string& name, const std::vector<std::string>& to) {
    return to.empty() ? name : fmt::format("({} {})", name, fmt::join(to, " "));
  }

  // What is read more than once is written once.
  std::string defined(std::string expression) {
    const auto [it, is_new] = definitions_.emplace(expression, "");
    if (is_new) {
      it->second = fmt::format("e{}", definitions_.size());
      out_.commands.push_back(fmt::format("(define-fun {} () Real {})", it->second, expression));
    }
    return it->second;
  }

  Result<std::string> element(const SizedProgram& program, NodeId id,
                              const std::vector<Affine>& index) {
    const SizedNode& node = program.node(id);
    if (!node.leaf.empty()) {
      std::vector<std::string> at;
      for (const Affine& e : index) at.push_back(sum_of(e));
      return applied(known_as(node.leaf, at.size(), "Int"), at);
    }
    if (node.fill) return real(*node.fill);
    std::vector<std::string> addends = {"0.0"};
    for (const SizedTerm& term : node.terms) {
      if (!term.reduce.empty())
        return Error{"sums of as many addends as a size says", ErrorKind::Unsupported};
      std::vector<std::string> claims;
      for (const Affine& guard : term.at_least_zero)
        claims.push_back(at_least_zero(put_in(guard, index, family_.symbols.size())));
      std::vector<std::string> factors = {real(term.weight)};
      for (const SizedRead& factor : term.factors) {
        auto value = read(program, node, factor, index);
        if (!value) return value;
        factors.push_back(*std::move(value));
      }
      addends.push_back(
          fmt::format("(ite {} (* {}) 0.0)", all_of(claims), fmt::join(factors, " ")));
    }
    return defined(fmt::format("(+ {})", fmt::join(addends, " ")));
  }

  Result<std::string> read(const SizedProgram& program, const SizedNode& node,
                           const SizedRead& read, const std::vector<Affine>& axes) {
    const auto operand = static_cast<std::size_t>(read.operand);
    const std::size_t operands = node.operands.size();
    std::vector<Affine> index;
    for (const Affine& e : read.index) index.push_back(put_in(e, axes, family_.symbols.size()));
    const auto& shape = operand < operands ? program.node(node.operands[operand]).shape
                                           : node.applications[operand - operands].out;
    std::vector<std::string> inside;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      inside.push_back(at_least_zero(index[d]));
      inside.push_back(at_least_zero(shape[d] - index[d] - 1));
    }
    auto value = operand < operands
                     ? element(program, node.operands[operand], index)
                     : result(program, node, node.applications[operand - operands], index);
    if (!value) return value;
    return fmt::format("(ite {} {} 0.0)", all_of(inside), *value);
  }

  Result<std::string> result(const SizedProgram& program, const SizedNode& node,
                             const SizedApplication& application,
                             const std::vector<Affine>& index) {
    std::string key(application.function->name);
    for (const double p : application.parameters)
      key += fmt::format(" {:x}", std::bit_cast<std::uint64_t>(p));
    std::vector<std::string> arguments;
    for (const SizedRead& element : application.elements) {
      auto argument = read(program, node, element, index);
      if (!argument) return argument;
      arguments.push_back(*std::move(argument));
    }
    return applied(known_as("function " + key, arguments.size(), "Real"), arguments);
  }

  const Family& family_;
  const SizedPair& pair_;
  SolverQuestion out_;
  std::size_t positions_ = 0;
  std::map<std::string, std::string> names_;
  std::map<std::string, std::string> definitions_;
};

}  // namespace

Result<SolverQuestion> solver_question(const Family& family, const SizedPair& pair) {
  return Writing(family, pair).run();
}

}  // namespace pet::all_sizes
