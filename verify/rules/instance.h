// A rule at sizes that were drawn for it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <stop_token>

#include "core/ir/graph.h"
#include "verify/all_sizes/family.h"
#include "verify/rules/operators.h"

namespace pet::rules {

// A number that a side condition may speak of: a size of an input, the groups of a convolution,
// its features in each, zeros that it pads with.
struct Quantity {
  std::string name;
  Dim value = 0;
  bool counts_zeros = false;  // in front of an axis: such numbers may be added up
};

inline constexpr std::size_t kQuantitiesOfConvolution = 2;

struct Instance {
  std::map<std::string, Shape> shapes;  // of the inputs
  // The same ones, in the same order, of every instance; first of each convolution its groups and
  // its features in each, last the sizes of the inputs.
  std::vector<Quantity> quantities;
  std::size_t convolutions = 0;  // of both programs
  std::vector<Dim> merged;       // so many groups are made one of, somewhere
  // Sizes of the inputs, by their numbers over all inputs, that windows stride over: at which
  // distance two sizes place them in the same way.
  std::map<std::size_t, Dim> periods;
  Graph source;
  Graph target;
};

// One size of the inputs, by their numbers over all inputs in order, is a number or the same as
// another.
struct SizeFact {
  std::size_t size = 0;
  std::optional<std::size_t> same_as = {};
  Dim number = 1;
};

// What sizes are wished for.
struct Wish {
  bool given = false;                // the file's own
  bool is_widened = true;            // further than others, as far as windows reach
  std::span<const Dim> groups = {};  // of the convolutions, source first; drawn where it ends
  std::span<const SizeFact> facts = {};
  std::function<bool(const std::vector<Quantity>&)> accepts = {};  // if there is one
  int attempts = 4000;
  std::stop_token stop = {};
};

struct Drawn {
  std::optional<Instance> instance;
  // The largest of each size of the inputs among what was too large to be looked at; none: nothing
  // was.
  std::vector<Dim> refused;
};

// Sizes at which every operator of both programs has a meaning and the results have equal shapes;
// nothing where none were found that are small enough to be looked at. An Error: no sizes can mend
// what is wrong with the rule, or somebody asked to stop.
Result<Drawn> draw(const Rule& rule, Rng& rng, const Wish& wish = {});

// The rule at all sizes at once. An Error where more than sizes is chosen for it.
// REQUIRES: the rule outlives it
Result<all_sizes::Family> family_of(const Rule& rule);

}  // namespace pet::rules
