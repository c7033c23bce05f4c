// Constants that are other constants with their elements elsewhere, as tools that rewrite files
// leave them: transposed for a Gemm, grouped otherwise, several in one, a piece of one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/ir/builder.h"

namespace pet {

class Rearrangements {
 public:
  // Of these. REQUIRES: all are of floats, and have elements
  Rearrangements(std::vector<std::shared_ptr<const Tensor>> sources, std::stop_token stop);

  // `wanted`, to the last bit, as an expression that moves elements and does nothing else: one
  // source reshaped, transposed, or both. Sources are inputs, named by their digests, as in weight
  // programs. Nothing where none is found, be it that looking on would take too long, or a stop is
  // asked for. REQUIRES: it is of floats, and has elements
  std::optional<NodeId> whole(GraphBuilder& b, const Tensor& wanted);
  // The same of a piece of one source along an axis, or of several side by side; transposed, where
  // there are few axes.
  std::optional<NodeId> in_parts(GraphBuilder& b, const Tensor& wanted);

 private:
  class Search;
  using Numbers = std::vector<std::size_t>;

  const std::vector<std::shared_ptr<const Tensor>> sources_;
  const std::stop_token stop_;
  std::map<std::uint64_t, Numbers> by_elements_;  // in whatever order they stand
  std::map<std::uint32_t, Numbers> by_first_;     // the first element's bits
  std::map<Dim, Numbers> by_rank_;
  double left_;  // how many elements may still be looked at, for all that is wanted
};

}  // namespace pet
