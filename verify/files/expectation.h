// What a verification case expects, as its line "# expect: ..." says it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/program/equivalence.h"
#include "core/util/result.h"

namespace pet {

enum class Expected {
  Equivalent,
  EquivalentUpToConstants,
  Partial,
  Different,
  Unknown,
  ShapeMismatch,
  Unsupported,
  Malformed
};
std::string_view to_string(Expected expected);

struct Expectation {
  Expected verdict = Expected::Equivalent;
  // Of Partial, where it says so: in the shape of the one output that is not equal everywhere;
  // boxes may overlap.
  std::optional<std::vector<Box>> wrong;
};

// "equivalent", "partial", "partial wrong=[0,1)x[2,3) [4,5)x[0,1)", ...
Result<Expectation> parse_expectation(std::string_view text);

// Empty where the verdict is as expected, else what is wrong with it.
std::string deviation(const Expectation& expected, const Verdict& verdict);

// The same for a case that could not be read.
std::string deviation(const Expectation& expected, const Error& error);

}  // namespace pet
