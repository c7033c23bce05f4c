// Which elements of the original are equal to given elements of the mutant, and how large they are.
// Elements are told apart by a key that follows from their value alone.
#pragma once

#include <cstdint>
#include <limits>
#include <stop_token>
#include <vector>

#include "core/eval/evaluate.h"
#include "verify/rounding/sizes.h"

namespace pet {

// In order: keys are wanted, found, forgotten, then for each run over the original its sizes are
// offered. Where a stop is asked for, want() and find() end early, and what they yield is of no
// use.
class Counterparts {
 public:
  using Slot = std::uint32_t;
  static constexpr Slot kNone = std::numeric_limits<Slot>::max();

  // One element of a tensor of the original with a wanted key.
  struct Match {
    std::uint32_t element;
    Slot slot;
  };

  explicit Counterparts(std::stop_token stop = {}) : stop_(std::move(stop)) {}

  // One slot a key, the same for equal keys.
  std::vector<Slot> want(const std::vector<Hash128>& keys);
  bool empty() const { return found_.empty(); }
  std::size_t slots() const { return found_.size(); }

  // The elements with wanted keys; from here on those keys have a counterpart.
  std::vector<Match> find(const std::vector<Hash128>& keys);

  // What was found stays; nothing more can be wanted or found.
  void forget_keys();

  void forget_sizes();
  void offer(const std::vector<Match>& matches, std::span<const double> sizes);
  // The smallest size that was offered; less than 0 where the original has no such element.
  double size(Slot slot) const;

 private:
  std::size_t home(const Hash128& key) const;
  Slot& bucket(const Hash128& key);
  void make_room(std::size_t more);
  bool is_to_end(std::size_t looked_at) const {
    constexpr std::size_t kAtOnce = 1 << 14;  // a millisecond or so
    return looked_at % kAtOnce == 0 && stop_.stop_requested();
  }
  // Fetches into the cache what the keys behind `next` will need.
  void expect(const std::vector<Hash128>& keys, std::size_t next) const;

  std::stop_token stop_;
  std::vector<Hash128> keys_;  // by slot
  std::vector<Slot> buckets_;  // open addressing with linear steps; a power of two of them
  std::vector<char> found_;
  std::vector<double> sizes_;
};

// Up to four residues of each element: enough to tell it from any other.
std::vector<Hash128> element_keys(const ResidueTensor& tensor);

}  // namespace pet
