// A node of the generator's tree: the product in the middle of a mutant that is being built, with
// what is done to its operands before it and to its result behind it. A move changes the product
// and adds to both; whether the whole still computes the same is found out afterwards.
#pragma once

#include <memory>
#include <string>

#include "core/analysis/product.h"
#include "core/program/move.h"
#include "core/program/mutate/digit_tensor.h"

namespace pet::mutation {

// Where a digit stands in State::extent.
inline std::size_t at(int digit) { return static_cast<std::size_t>(digit); }

// An axis of the product, made of digits of each tensor (those that it is an axis of).
struct OpAxis {
  AxisRole role = AxisRole::Batch;
  std::vector<int> data = {};
  std::vector<int> weight = {};
  std::vector<int> result = {};
  Slide slide = {};
  bool inner = false;   // lies behind the channels in the data of the original
  std::size_t dim = 0;  // the dimension of the original's data that it comes from
};

using move::Merging;

// What happens to a digit; `to` and `with` are digits that it makes.
struct Step {
  enum class Kind {
    Split,     // into to (outer) and with (inner)
    Pad,       // zeros: `low` before, `high` after
    Windows,   // `count` pieces (to) of `length` (with), from i·low on, every `stride`-th
    Apart,     // the same, but each piece goes its own way and the products are added
    Repeat,    // a new digit `to` of `count` equal parts
    Diagonal,  // of the weight: block `digit` of a product becomes a block on the diagonal of `to`
               // (result) and `with` (data)
    Crop,      // of the result: the first `count`
    Taps       // of the weight: `count` of them (to) from `low` on
  };
  Kind kind = Kind::Split;
  int digit = -1;
  int to = -1;
  int with = -1;
  Dim low = 0;
  Dim high = 0;
  Dim count = 0;
  Dim length = 0;
  Dim stride = 1;
};

// One product of the subprogram, whose operands may be merged with those of others.

struct Part {
  NodeId data;
  NodeId weight;
  std::optional<NodeId> bias;
  Dim features = 1;
  Dim repeat = 1;  // Merging::CommonDivisor: groups
};

// The weight of two products of which one reads the other, as one.
struct Composition {
  Product first;
  Product second;
};

// Where an output of the subprogram lies among the features.
struct Sink {
  Dim low = 0;
  Dim count = 0;
};

struct State {
  std::vector<Dim> extent;  // by digit
  std::vector<OpAxis> axes;

  std::vector<Part> parts;
  std::optional<Merging> merged;  // nothing: there is one part
  int part_digit = -1;            // which part: of joined data and weights, of results in groups
  int feature_digit = -1;         // of joined weights
  int channel_digit = -1;         // what a part of the data is laid in front of
  int weight_channel_digit = -1;  // the same channels in the weight
  std::shared_ptr<const Composition> composition;
  DigitDims data_dims;  // of one part, before any step
  DigitDims weight_dims;
  DigitDims bias_dims;  // in digits of the result
  DigitDims result_dims;
  std::vector<Sink> sinks;  // where there are several outputs
  // An operator that is no product of data and weight: applied as it is, dimension by dimension.
  std::optional<NodeId> fixed;
  std::size_t fixed_operand = 0;
  std::vector<std::size_t> fixed_data;  // the axis of each dimension
  std::vector<std::size_t> fixed_result;

  std::vector<Step> data_steps;
  std::vector<Step> weight_steps;
  std::vector<Step> result_steps;  // in the order of making; undone from the last

  std::vector<Move> moves;
  std::size_t views = 0;    // digits moved
  std::size_t windows = 0;  // windowings and repetitions
  std::size_t sums = 0;     // n-ary Adds
  // What keeps the vocabulary small: digits moved one after another are of one factor and have
  // their seams treated alike, and what only says the same product differently is the last move.
  Dim factor = 0;
  bool halos = false;
  bool last = false;

  int digit(Dim extent);  // a new one
  Dim total(const std::vector<int>& digits) const;
  // Activation operators: all layout changes in front of the product are one view, those behind
  // another.
  std::size_t depth() const;
  // Digits numbered by where they come from, not by when they were made: moves that do not touch
  // each other give the same names in any order.
  std::vector<int> names() const;
  Digest key() const;  // states that make the same programs
};

State state_of(const Product& product);
// Any operator, by its free axes alone.
std::optional<State> fixed_state(const Graph& subprogram, NodeId node, std::size_t operand);

}  // namespace pet::mutation
