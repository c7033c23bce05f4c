// A rule at sizes that are drawn for it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <stop_token>

#include "core/rewrite/instance.h"
#include "core/rewrite/planned.h"

namespace pet::rules {

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

// The rule before any of its sizes is known. REQUIRES: both outlive it
Result<Planned> any_plan(const Rule& rule, Rng& rng);

}  // namespace pet::rules
