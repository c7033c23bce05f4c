// A program run with its real operators and stored weights on inputs that somebody draws, several
// times at once: each run has a lane of its own.
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/eval/meaning_code.h"
#include "core/util/result.h"

namespace pet {

// REQUIRES: of elements that are numbers, of a known shape
using DrawnInput = std::function<std::vector<float>(std::size_t run, const std::string& name,
                                                    const TensorType& type)>;

// How values are held from one operator to the next.
enum class Holds { Numbers, Floats };

template <class T>
struct RealRun {
  std::vector<std::vector<T>> outputs;  // empty: behind an opaque node
  T largest_term = 0;  // no term of any sum, and no value but of constants, is larger
};

// Each run gives what it gives alone.
// REQUIRES: T is double or long double
template <class T>
Result<std::vector<RealRun<T>>> real_runs(const GraphCode& program, std::size_t runs,
                                          const DrawnInput& inputs, Holds holds,
                                          std::size_t threads, const std::stop_token& stop);

}  // namespace pet
