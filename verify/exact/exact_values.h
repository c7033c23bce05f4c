// The values of a program as polynomials, element by element, straight from the meaning of every
// operator. What is not interpreted is a variable: inputs, symbols, the result of an element
// function (known by the function, its parameters and the polynomials of its arguments) and of an
// opaque operator.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "core/ir/graph.h"
#include "core/util/result.h"
#include "verify/exact/polynomial.h"
#include "verify/exact/variable_sets.h"
#include "verify/values/totality.h"

namespace pet {

struct ExactLimits {
  Dim elements = 1 << 16;           // of one value
  std::size_t monomials = 1 << 22;  // looked at and computed for a whole pair: its steps
  // Far beyond what the others allow: an answer is not to depend on what else a machine does.
  std::optional<std::chrono::milliseconds> time = std::chrono::minutes(1);
  std::uint64_t one_hot_steps = 1 << 15;  // of looking at one-hot inputs as well: some milliseconds
};

// A value of unknown shape has no elements; it is known as a whole, by what computes it.
struct ExactValue {
  std::vector<PolynomialId> elements;
  std::uint64_t whole = 0;
  // By element, or of a value of unknown shape: on which results of partial functions it depends,
  // also where they cancel. Empty: on none.
  std::vector<VariableSets::Number> partial;
};

struct ExactProgram {
  std::vector<ExactValue> outputs;
  std::set<Variable> partial;      // results of element functions that are not total
  std::set<std::uint64_t> opaque;  // results of opaque operators, as wholes
};

// Everything that the programs of one comparison share: equal things have equal ids in all of them.
class ExactValues {
 public:
  // Which constants are symbols follows from the original (theory: section 6a).
  ExactValues(const Graph& original, bool bind_weights, ExactLimits limits, std::stop_token stop);

  // Operators that no output needs are left out. An Error where a limit is reached.
  Result<ExactProgram> evaluate(const Graph& graph, TimesZero times_zero);

  const PolynomialPool& polynomials() const { return pool_; }
  VariableSets& sets() { return sets_; }

  enum class Kind : std::uint8_t { Input, Symbol, Function, Opaque };
  Kind kind(Variable variable) const { return variables_[variable.index()].kind; }
  // What is stored for a symbol, where that is a finite float.
  const std::optional<Rational>& stored(Variable variable) const {
    return variables_[variable.index()].stored;
  }

 private:
  struct VariableInfo {
    Kind kind = Kind::Input;
    std::optional<Rational> stored;
  };
  // Compared in full, never by a hash.
  struct Key {
    Kind kind = Kind::Input;
    std::string text;
    std::vector<std::uint64_t> numbers;
    auto operator<=>(const Key&) const = default;
  };

  Variable variable(Key key, std::optional<Rational> stored = std::nullopt);
  std::uint64_t whole(Key key);
  Result<ExactValue> leaf(const Node& node);
  Result<ExactValue> constant(const Tensor& tensor);
  Result<ExactValue> opaque(const Graph& graph, const Node& node,
                            const std::vector<ExactValue>& values, ExactProgram& program);
  Result<ExactValue> interpreted(const Graph& graph, NodeId id,
                                 const std::vector<ExactValue>& values, TimesZero times_zero,
                                 ExactProgram& program);
  Status spend(std::size_t monomials);

  ExactLimits limits_;
  std::stop_token stop_;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
  bool bind_weights_;
  std::set<Digest> symbols_;
  PolynomialPool pool_;
  VariableSets sets_;
  std::vector<VariableInfo> variables_;
  std::map<Key, Variable> known_;
  std::map<Key, std::uint64_t> wholes_;
  std::size_t spent_ = 0;
  std::size_t next_look_ = 0;

  friend class MeaningWalk;
};

}  // namespace pet
