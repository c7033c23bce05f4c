// The operators of rules: of what sizes their results are, and what they compute, in operators of
// the core (their meaning: README of datasets/rules).
#pragma once

#include <set>
#include <span>
#include <string_view>

#include "core/ir/builder.h"
#include "core/rewrite/rule.h"
#include "core/rewrite/sizes.h"

namespace pet::rules {

// A value of a rule before sizes are known.
struct Value {
  std::vector<Size> shape;
  std::map<std::size_t, Size> cuts;  // by axis: where the last concatenation along it was made
  std::string input;                 // the rule's input that it is; else empty
};

// A convolution as it was met: who reads what in how many groups.
struct Grouped {
  const RuleOp* op = nullptr;
  Value data;
  Value weight;
  Dim groups = 1;
};

// A kernel that was enlarged.
struct Enlarged {
  Value from;
  Value to;
};

// A window that was slid along an axis in steps: how many there are follows from all of that.
struct Slide {
  Size data;
  Size window;  // 0 where what is padded makes up for it
  Dim stride = 1;
  bool is_same = false;
  Size out;
  bool operator==(const Slide& other) const = default;
};

// What is drawn for a rule, operator by operator: sizes, and numbers of groups. At given sizes
// nothing is drawn: groups and how far the last stride reaches follow from them.
struct Draft {
  Sizes sizes;
  Rng* rng = nullptr;           // null: the sizes of the rule's inputs are given
  std::span<const Dim> groups;  // of the convolutions, one after the other; drawn where it ends
  std::span<const Dim> merged;  // of which those that are drawn may be multiples
  std::vector<Grouped> convolutions;
  std::vector<Enlarged> enlarged;
  std::vector<Slide> slides = {};
  std::set<Dim> merges = {};  // so many groups become one
  bool chose = false;  // something that sizes do not say: groups, how far the last stride reaches
  bool drew = false;   // some of that by chance
  // Of unknowns that windows stride over, one behind another: what places them in the same way.
  std::map<std::size_t, Dim> periods = {};
  // Of unknowns that count such windows: what they count, and in how large steps.
  std::map<std::size_t, std::map<std::size_t, Dim>> steps = {};

  // `out` counts windows over `data`.
  void stride_over(const Size& data, const Size& out, Dim stride);

  bool is_given() const { return rng == nullptr; }
  // Nothing holds any more.
  void give_up() { sizes.equal(1, 0); }
};

// A program at known sizes under construction.
struct Building {
  GraphBuilder& builder;
  const std::vector<Dim>& values;  // of the unknowns
  const Draft& draft;
};

// Where an operator stands in its rule.
struct Operands {
  const RuleOp& op;
  std::span<const Value> values;
  std::span<const Value> results;  // once they are known
};

// What an attribute of an operator holds.
struct RuleAttribute {
  // Axis: a number, of an axis; Order: numbers, of all axes; Rank: a number, of axes.
  enum class Holds { Number, Numbers, Text, Axis, Order, Rank };
  std::string_view name;
  Holds holds = Holds::Number;
};

// Which operands of an operator may have more axes in front, as many as its result then has.
enum class Leading { No, First, All };

struct RuleOperator {
  std::string_view name;
  std::size_t operands;                       // so many
  std::size_t or_so;                          // or that many
  std::span<const RuleAttribute> attributes;  // all that it may have
  Leading leading;
  Result<std::vector<Value>> (*results)(Draft& draft, const Operands& operands);
  Result<std::vector<NodeId>> (*build)(const Building& building, const Operands& operands,
                                       std::span<const NodeId> nodes);
};

// An Error where there is none of that name, or where it takes no such operands or attributes.
Result<const RuleOperator*> operator_of(const RuleOp& op);

// Zeros in front of each axis that a kernel slides along, at known sizes: those that a convolution
// pads its data with, and those that a kernel is enlarged by.
std::vector<Dim> zeros_before(const Grouped& convolution, const std::vector<Dim>& values);
std::vector<Dim> zeros_before(const Enlarged& kernel, const std::vector<Dim>& values);

}  // namespace pet::rules
