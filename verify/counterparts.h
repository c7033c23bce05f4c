// Which elements of the original are equal to given elements of the mutant, and how large they are.
// Elements are told apart by a key that follows from their value alone.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/eval/evaluate.h"
#include "verify/sizes.h"

namespace pet {

// In order: keys are wanted, found, then for each run over the original its sizes are offered.
class Counterparts {
 public:
  using Slot = std::uint32_t;
  static constexpr Slot kNone = std::numeric_limits<Slot>::max();

  // One element of a tensor of the original with a wanted key.
  struct Match {
    std::uint32_t element;
    Slot slot;
  };

  void want(const std::vector<Hash128>& keys);
  bool empty() const { return keys_.empty(); }
  void finish_wanting();
  std::vector<Slot> slots(const std::vector<Hash128>& keys) const;

  // The elements with wanted keys; from here on those keys have a counterpart.
  std::vector<Match> find(const std::vector<Hash128>& keys);

  void forget_sizes();
  void offer(const std::vector<Match>& matches, const std::vector<double>& sizes);
  // The smallest size that was offered; less than 0 where the original has no such element.
  double size(Slot slot) const;

 private:
  Slot slot(const Hash128& key) const;

  std::vector<Hash128> keys_;  // sorted
  std::vector<char> found_;
  std::vector<double> sizes_;
};

// Up to four residues of each element: enough to tell it from any other.
std::vector<Hash128> element_keys(const ResidueTensor& tensor);

}  // namespace pet
