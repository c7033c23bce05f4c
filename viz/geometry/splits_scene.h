// How cuts come about, operator by operator: under every value of both programs a ruler for each of
// its digits, ticks where it is cut, lines to the cuts of operands that they come from; at the end
// the output as both programs cut it together.
#pragma once

#include <optional>

#include "core/program/inspector.h"
#include "viz/geometry/scene.h"

namespace pet::viz {

struct ValueOfPair {
  ProgramSide side = ProgramSide::Original;
  NodeId node;
  auto operator<=>(const ValueOfPair&) const = default;
};

struct CutOfValue {
  ValueOfPair value;
  std::size_t digit = 0;
  Dim at = 0;
  auto operator<=>(const CutOfValue&) const = default;
};

// What the strip is made of. Everything outlives it.
struct SplitsOfPair {
  const Graph& original;
  const Graph& mutant;
  const InspectedSplits& splits;
  const Graph& program(ProgramSide side) const {
    return side == ProgramSide::Original ? original : mutant;
  }
  const InspectedValue& at(const ValueOfPair& value) const {
    const auto& all = value.side == ProgramSide::Original ? splits.original : splits.mutant;
    return all[value.node.index()];
  }
};

// What an output needs and what is not known from constants alone: operators in their order.
std::vector<ValueOfPair> values_shown(const SplitsOfPair& pair);

// The cut itself, and all that it comes from, step by step.
std::vector<CutOfValue> traced(const SplitsOfPair& pair, const CutOfValue& cut);

struct SplitsDrawing {
  std::optional<ValueOfPair> selected;
  bool is_output_selected = false;
  std::optional<CutOfValue> traced;  // drawn with all that it comes from
  std::size_t most_values = 64;      // of a program
  std::size_t most_intervals = 32;   // of a ruler
  double width = 900;
};

// An output of the pair: its number among the outputs of both programs, and what is known of it.
struct OutputOfPair {
  std::size_t number = 0;
  const InspectedOutput& is;
};

// Values have the id "value:S:N", cuts "cut:S:N:DIGIT:AT", where S is o or m, N the node; what is
// of both programs "pair". The output is drawn last.
Scene splits_scene(const SplitsOfPair& pair, const std::optional<OutputOfPair>& output,
                   const SplitsDrawing& how);

std::string id_of(const ValueOfPair& value);
std::optional<ValueOfPair> value_of(const std::string& id);  // of either kind
std::optional<CutOfValue> cut_of(const std::string& id);

// All that is known of it, line by line.
std::string cut_in_words(const SplitsOfPair& pair, const CutOfValue& cut);
std::string value_in_words(const SplitsOfPair& pair, const ValueOfPair& value);

// Whether the value falls apart wherever the cut along the digit of another basis of the same shape
// runs; nothing: that would take too long to find out.
std::optional<bool> cuts_there(const InspectedValue& value, const DigitBasis& basis,
                               std::size_t digit, Dim at);

}  // namespace pet::viz
