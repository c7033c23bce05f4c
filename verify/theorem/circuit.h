// An output of a program over a box of digits, or at a position: sums of products, down to reads of
// leaves, each of which is written once however often it is needed.
#pragma once

#include <stop_token>
#include <variant>

#include "core/util/rational.h"
#include "verify/theorem/program.h"

namespace pet::theorem {

struct Circuit {
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Term {
    std::uint32_t coefficient = 0;
    std::uint32_t first = 0, last = 0;  // of `factors`
  };
  // A read of a leaf, or the sum of terms from `first` to `last`.
  struct Value {
    std::uint32_t first = 0, last = 0;
    std::uint32_t leaf = kNone, read = 0;
  };

  std::vector<Value> values;
  std::vector<Term> terms;
  std::vector<std::uint32_t> factors;  // values
  std::vector<Rational> coefficients;  // each once
  std::vector<std::uint32_t> order;    // all values, each behind what it is made of
  std::vector<std::uint32_t> results;  // what was asked for
};

// How much may be written down; a step is a term of a sum at one place.
class Steps {
 public:
  Steps(std::size_t most, std::stop_token stop) : most_(most), stop_(std::move(stop)) {}
  // An Error: too many, or somebody asked to stop.
  Status take();

 private:
  std::size_t most_;
  std::size_t taken_ = 0;
  std::stop_token stop_;
};

// Need: of the box, before its sums are the same at every position of it.
using Written = std::variant<Circuit, Need, Error>;

// `rows`: for each result one row a coordinate of the output. Elements of leaves are numbered in
// `reads`, which both programs share.
Written write_out(const Program& program, NodeId output, const std::vector<std::vector<Dim>>& rows,
                  const DigitBox& box, LeafReads& reads, Steps& steps);

}  // namespace pet::theorem
