// Programs as SMT-LIB 2 over the reals, one definition an element, straight from the meaning of
// every operator. Elements of inputs and of symbols are constants of the solver, element functions
// are functions that it knows nothing of; where they do not care for the order of a window, it is
// written in one.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "core/ir/graph.h"
#include "core/util/result.h"

namespace pet::smt {

struct Limits {
  std::size_t elements = 1 << 14;  // of one value
  std::size_t products = 1 << 19;  // written for a whole pair
  std::size_t characters = 1 << 26;
  // In place of `products`: of writing and of what the solver does with it, together.
  std::optional<std::size_t> steps = std::nullopt;
};

// Equal expressions may be written differently; expressions that are written alike are equal.
using Expression = std::string;

class Script {
 public:
  // Which constants are symbols follows from the original (theory: section 6a).
  Script(const Graph& original, bool bind_weights, const Limits& limits, std::stop_token stop);

  // The elements of the outputs, row by row. Operators that no output needs are left out. An Error
  // where a limit is reached or an operator has no meaning of ours.
  Result<std::vector<std::vector<Expression>>> add(const Graph& graph);

  // Everything that was declared and defined, in order, one command a line.
  const std::vector<std::string>& commands() const { return commands_; }
  // Nothing but inputs: what differs in the reals differs.
  bool is_of_inputs_only() const { return functions_.empty() && symbols_used_ == 0; }
  std::size_t steps() const { return products_; }  // of writing so far
  // Applications of functions that are not total, as they are written.
  const std::set<Expression>& partial() const { return partial_; }

 private:
  class Walk;
  Result<std::vector<Expression>> leaf(const Node& node);
  Result<std::vector<Expression>> constant(const Tensor& tensor);
  std::vector<Expression> declared(const std::string& key, std::size_t elements);
  std::string function(const std::string& key, std::size_t arity);
  Expression defined(std::string expression);
  Status spend(std::size_t products);
  void put(std::string command);

  Limits limits_;
  std::stop_token stop_;
  bool bind_weights_;
  std::set<Digest> symbols_;
  std::size_t symbols_used_ = 0;
  std::vector<std::string> commands_;
  std::size_t characters_ = 0;
  std::size_t products_ = 0;
  std::map<std::string, std::vector<Expression>> leaves_;
  std::map<std::string, std::string> functions_;
  std::map<std::string, Expression> definitions_;
  std::set<Expression> partial_;
};

}  // namespace pet::smt
