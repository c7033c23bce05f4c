#include "verify/smt/script.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "core/ir/read.h"
#include "verify/values/positions.h"
#include "verify/values/step_limit.h"

namespace pet::smt {
namespace {

const Expression kZero = "0.0";
const Expression kOne = "1.0";

Expression number(const Rational& x) {
  const Rational size = abs(x);
  std::string out = size.get_den() == 1 ? size.get_num().get_str() + ".0"
                                        : fmt::format("(/ {}.0 {}.0)", size.get_num().get_str(),
                                                      size.get_den().get_str());
  return x < 0 ? "(- " + out + ")" : out;
}

}  // namespace

// One operator: its element functions, then its sum.
class Script::Walk {
 public:
  explicit Walk(Script& script) : script_(script) {}

  void add_operand(const Shape& shape, const std::vector<Expression>& elements) {
    operands_.push_back({shape, elements});
  }

  Status apply(const Application& application) {
    std::vector<Expression> results;
    std::vector<Dim> axes;
    auto done = for_each_position(application.out, axes, 0, [&]() -> Status {
      auto result = result_at(application, axes);
      if (!result) return std::move(result).error();
      results.push_back(*std::move(result));
      return Done{};
    });
    if (!done) return done;
    operands_.push_back({application.out, std::move(results)});
    return Done{};
  }

  Result<std::vector<Expression>> sum(const IndexedSum& sum) {
    std::vector<Expression> results;
    std::vector<Dim> axes;
    auto done = for_each_position(sum.out, axes, 0, [&]() -> Status {
      std::vector<Expression> addends;
      for (const Term& term : sum.terms) {
        std::vector<Dim> at(axes);
        auto added = for_each_position(term.reduce, at, axes.size(), [&]() -> Status {
          if (auto spent = script_.spend(1); !spent) return spent;
          if (all_hold(term.guards, at)) put_product(term, at, addends);
          return Done{};
        });
        if (!added) return added;
      }
      results.push_back(sum_of(std::move(addends)));
      return Done{};
    });
    if (!done) return std::move(done).error();
    return results;
  }

 private:
  struct Operand {
    Shape shape;
    std::vector<Expression> elements;
  };

  // Null: outside.
  const Expression* read(const Access& access, std::span<const Dim> axes) const {
    const Operand& operand = operands_[static_cast<std::size_t>(access.operand)];
    const auto flat = position_read(access.index, operand.shape, axes);
    return flat ? &operand.elements[static_cast<std::size_t>(*flat)] : nullptr;
  }

  void put_product(const Term& term, std::span<const Dim> axes, std::vector<Expression>& to) const {
    std::vector<Expression> factors;
    const Rational coefficient = term.coef.at(axes);
    if (coefficient == 0) return;
    if (coefficient != 1) factors.push_back(number(coefficient));
    for (const Access& access : term.factors) {
      const Expression* element = read(access, axes);
      if (element == nullptr || *element == kZero) return;
      if (*element != kOne) factors.push_back(*element);
    }
    if (factors.empty()) factors.push_back(kOne);
    to.push_back(factors.size() == 1 ? factors[0] : fmt::format("(* {})", fmt::join(factors, " ")));
  }

  Expression sum_of(std::vector<Expression> addends) {
    if (addends.empty()) return kZero;
    if (addends.size() == 1) return script_.defined(std::move(addends[0]));
    return script_.defined(fmt::format("(+ {})", fmt::join(addends, " ")));
  }

  // What is left out of a window is part of the function's name, with its place.
  Result<Expression> result_at(const Application& application, std::span<const Dim> position) {
    std::string key(application.function->name);
    for (const double p : application.parameters)
      key += fmt::format(" {:x}", std::bit_cast<std::uint64_t>(p));
    key += fmt::format(" of {}", application.elements.size());
    std::vector<Expression> arguments;
    for (const Access& access : application.elements) {
      const Expression* element = read(access, position);
      arguments.push_back(element != nullptr ? *element : kZero);
    }
    if (application.window) {
      key += " window ";
      std::vector<Dim> axes(position.begin(), position.end());
      auto done =
          for_each_position(application.window->extent, axes, position.size(), [&]() -> Status {
            if (auto spent = script_.spend(1); !spent) return spent;
            const Expression* element = all_hold(application.window->guards, axes)
                                            ? read(application.window->read, axes)
                                            : nullptr;
            key += element != nullptr ? 'x' : '-';
            if (element != nullptr) arguments.push_back(*element);
            return Done{};
          });
      if (!done) return std::move(done).error();
      // Of a function that does not care for their order, arguments are written in one.
      if (application.window->symmetry == Symmetry::Multiset) {
        std::sort(key.end() - static_cast<std::ptrdiff_t>(count(application.window->extent)),
                  key.end());
        std::sort(arguments.begin() + static_cast<std::ptrdiff_t>(application.elements.size()),
                  arguments.end());
      }
    }
    if (auto spent = script_.spend(1 + arguments.size()); !spent) return std::move(spent).error();
    const std::string name = script_.function(key, arguments.size());
    Expression result =
        arguments.empty() ? name : fmt::format("({} {})", name, fmt::join(arguments, " "));
    result = script_.defined(std::move(result));
    if (application.function->totality == Totality::Partial) script_.partial_.insert(result);
    return result;
  }

  Script& script_;
  std::vector<Operand> operands_;
};

Script::Script(const Graph& original, bool bind_weights, const Limits& limits, std::stop_token stop)
    : limits_(limits), stop_(std::move(stop)), bind_weights_(bind_weights) {
  for (const Node& node : original.nodes()) {
    if (node.constant() != nullptr) symbols_.insert(node.constant()->digest());
  }
}

Status Script::spend(std::size_t products) {
  products_ += products;
  if (limits_.steps && products_ > *limits_.steps) return more_than_steps(*limits_.steps);
  const bool too_many = !limits_.steps && products_ > limits_.products;
  if (too_many || characters_ > limits_.characters)
    return Error{"too much to be written out for the solver", ErrorKind::Tool};
  if (stop_.stop_requested())
    return Error{"stopped before the comparison was finished", ErrorKind::Stopped};
  return Done{};
}

void Script::put(std::string command) {
  characters_ += command.size();
  commands_.push_back(std::move(command));
}

std::vector<Expression> Script::declared(const std::string& key, std::size_t elements) {
  auto [it, is_new] = leaves_.try_emplace(key);
  if (!is_new) return it->second;
  const std::size_t number = leaves_.size();
  for (std::size_t i = 0; i < elements; ++i) {
    it->second.push_back(fmt::format("x{}_{}", number, i));
    put(fmt::format("(declare-const {} Real)", it->second.back()));
  }
  return it->second;
}

std::string Script::function(const std::string& key, std::size_t arity) {
  const auto [it, is_new] = functions_.try_emplace(key, fmt::format("f{}", functions_.size()));
  if (is_new) {
    const std::vector<std::string> reals(arity, "Real");
    put(fmt::format("(declare-fun {} ({}) Real)", it->second, fmt::join(reals, " ")));
  }
  return it->second;
}

// What is long gets a name: it may be read many times.
Expression Script::defined(std::string expression) {
  if (expression.find(' ') == std::string::npos) return expression;
  const auto [it, is_new] =
      definitions_.try_emplace(std::move(expression), fmt::format("e{}", definitions_.size()));
  if (is_new) put(fmt::format("(define-fun {} () Real {})", it->second, it->first));
  return it->second;
}

Result<std::vector<Expression>> Script::leaf(const Node& node) {
  if (node.constant() != nullptr) return constant(*node.constant());
  return declared("input " + node.input()->name, static_cast<std::size_t>(count(*node.type.shape)));
}

Result<std::vector<Expression>> Script::constant(const Tensor& tensor) {
  const auto size = static_cast<std::size_t>(count(tensor.shape()));
  const bool is_float = tensor.type().dtype == DType::Float;
  if (is_float && !tensor.all_finite())
    return Error{"a constant that is not finite has no exact value", ErrorKind::Unsupported};
  if (!is_float || (!bind_weights_ && size > 1 && symbols_.contains(tensor.digest()))) {
    ++symbols_used_;
    return declared("symbol " + tensor.digest().hex(), size);
  }
  std::vector<Expression> out;
  for (const float x : tensor.floats()) out.push_back(number(exact(static_cast<double>(x))));
  return out;
}

Result<std::vector<std::vector<Expression>>> Script::add(const Graph& graph) {
  const auto needed = graph.needed_by_outputs();
  std::vector<std::vector<Expression>> values(graph.nodes().size());
  for (const NodeId id : graph.ids()) {
    if (needed[id.index()] == 0) continue;
    const Node& node = graph.node(id);
    if (!node.type.shape || (node.op() != nullptr && !graph.has_meaning(id)))
      return Error{"an operator without a meaning of ours", ErrorKind::Unsupported};
    if (static_cast<std::size_t>(count(*node.type.shape)) > limits_.elements)
      return Error{"a value of too many elements for the solver", ErrorKind::Tool};
    if (node.op() == nullptr) {
      auto elements = leaf(node);
      if (!elements) return std::move(elements).error();
      values[id.index()] = *std::move(elements);
      continue;
    }
    const Meaning& meaning = graph.meaning(id);
    Walk walk(*this);
    for (const NodeId operand : node.operands)
      walk.add_operand(*graph.node(operand).type.shape, values[operand.index()]);
    for (const Application& application : meaning.applications) {
      if (static_cast<std::size_t>(count(application.out)) > limits_.elements)
        return Error{"an application of too many elements for the solver", ErrorKind::Tool};
      if (auto done = walk.apply(application); !done) return std::move(done).error();
    }
    auto elements = walk.sum(meaning.sum);
    if (!elements) return std::move(elements).error();
    values[id.index()] = *std::move(elements);
  }
  std::vector<std::vector<Expression>> out;
  for (const NodeId id : graph.outputs()) out.push_back(values[id.index()]);
  return out;
}

}  // namespace pet::smt
