// The numbers in which the judge of weight programs computes.
#pragma once

#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/fuzz/by_definition.h"

namespace pet::fuzz {

using FloatsOf = std::function<std::vector<float>(const Node&)>;  // of a constant or an input

std::vector<float> stored_floats(const Node& node);

Rational power_of_two(int exponent);

// Rationals; roots to 512 bits.
Arithmetic<Rational> exactly(const FloatsOf& floats_of);

// The same, but for functions: numbers that follow from the function and its arguments and from
// nothing else, so that none of the laws that functions obey holds of them.
Arithmetic<Rational> with_any_functions(const FloatsOf& floats_of);

// A number, and how much is summed on the way to it, whatever cancels.
struct Sized {
  long double value = 0;
  long double size = 0;

  explicit Sized(long double x) : value(x), size(std::abs(x)) {}
  Sized(long double x, long double summed) : value(x), size(summed) {}
  friend Sized operator+(const Sized& a, const Sized& b) {
    return {a.value + b.value, a.size + b.size};
  }
  friend Sized operator*(const Sized& a, const Sized& b) {
    return {a.value * b.value, a.size * b.size};
  }
};

// Of functions of weights.
enum class Results { AsTheyAre, One };

Arithmetic<Sized> with_sizes(const FloatsOf& floats_of, Results results);

// The nearest float, ties to even; infinite beyond the largest.
float nearest(const Rational& x);

// Every element of a program of constants as the nearest float. Nothing where that is undefined, or
// too close to the middle of two floats for a root that is not exact.
std::optional<std::vector<float>> rounded(const Graph& graph, NodeId id);

// As a runtime computes: every result of an operator is a float. Inputs by name. `overflows` is set
// where one is infinite or none.
Arithmetic<long double> in_floats(const std::map<std::string, std::vector<float>>& inputs,
                                  bool* overflows = nullptr);

}  // namespace pet::fuzz
