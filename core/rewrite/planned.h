// A rule before its sizes are numbers: both its programs, operator by operator, and what its sizes
// have to fulfil. Made once for sizes that are drawn (draw.h) and once for those of a place
// (instance.h), so that what was verified and what is applied are built by the same code.
#pragma once

#include "core/ir/graph.h"
#include "core/rewrite/condition.h"
#include "core/rewrite/operators.h"

namespace pet::rules {

// Results by operator, and what they were made of.
template <class T>
struct Results {
  std::map<std::string, T> inputs;
  std::vector<std::vector<T>> ops;

  Result<T> at(const Reference& reference) const {
    if (!reference.input.empty()) return inputs.at(reference.input);
    const auto& results = ops[reference.op];
    if (reference.output < results.size()) return results[reference.output];
    return Error{"an operator has fewer results than are read of it", ErrorKind::Malformed};
  }
  Result<std::vector<T>> all(const std::vector<Reference>& references) const {
    std::vector<T> out;
    for (const Reference& reference : references) {
      auto one = at(reference);
      if (!one) return std::move(one).error();
      out.push_back(*std::move(one));
    }
    return out;
  }
};

// Both programs before their sizes are known.
struct Planned {
  const Rule& rule;
  Draft draft;
  std::map<std::string, Value> inputs;
  Results<Value> source;
  Results<Value> target;
  std::size_t of_source = 0;  // so many of the convolutions
};

// Both programs over inputs of these shapes, of which some may hold unknowns of `draft`. An Error:
// no sizes can mend what is wrong with the rule. REQUIRES: the rule outlives it
Result<Planned> planned(const Rule& rule, Draft draft, std::map<std::string, Value> inputs);

// At known sizes: source and target.
Result<std::pair<Graph, Graph>> programs(const Planned& plan, const std::vector<Dim>& numbers);

// Of all values, before any of them is made.
double elements_of(const Planned& plan, const std::vector<Dim>& numbers);

// What a condition may speak of, at known sizes.
std::vector<Quantity> quantities_of(const Planned& plan, const std::vector<Dim>& numbers);

}  // namespace pet::rules
