// An output over a box as a plain sum of products of leaves: operators are put into one another by
// their meanings until only leaves are left, every guard and every division decided for the whole
// box (theory: section 4).
#pragma once

#include <map>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "verify/region/product.h"

namespace pet::region {

// A value of a program: of a node, or of an application inside its operator.
struct Place {
  NodeId node;
  int application = -1;
  auto operator<=>(const Place&) const = default;
};

// An element of it, its coordinates in variables of the box.
struct Read {
  Place place;
  std::vector<Affine> index;
  NodeId by = {};  // whose meaning reads it; of an output itself nobody's
};

struct GiveUp {
  std::string reason;
};

// Narrow: of a digit of the output.
using Expansion = std::variant<std::vector<Product>, Narrow, GiveUp>;

// Of one program; leaves and values are shared with the other one.
class Expander {
 public:
  enum class Side { Original, Mutant };
  Expander(const Graph& graph, Side side, const ValueTable& table, LeafTable& leaves,
           std::stop_token stop)
      : graph_(graph), side_(side), table_(table), leaves_(leaves), stop_(std::move(stop)) {}

  Expansion expand(Read read, const std::vector<Range>& digits);
  std::size_t steps() const { return steps_before_ + steps_; }  // that were taken so far

  const Graph& graph() const { return graph_; }
  ValueId id_of(NodeId node) const {
    return side_ == Side::Original ? table_.of_original(node) : table_.of_mutant(node);
  }

 private:
  class Run;
  const Meaning& meaning(NodeId node);  // REQUIRES: has one

  const Graph& graph_;
  Side side_;
  const ValueTable& table_;
  LeafTable& leaves_;
  std::stop_token stop_;
  std::map<NodeId, Meaning> meanings_;
  std::size_t steps_ = 0;         // of the expansion that runs, and of those within it
  std::size_t steps_before_ = 0;  // of the others
};

}  // namespace pet::region
