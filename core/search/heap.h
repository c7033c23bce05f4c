// The best candidates of a subprogram (PET, Algorithm 2): the cheapest by analytic cost. Those that
// keep values in other orders of axes compete among themselves, half as many of each order as the
// heap is large: what they are worth depends on their neighbours.
#pragma once

#include <optional>
#include <vector>

#include "core/search/candidate.h"

namespace pet {

class CandidateHeap {
 public:
  explicit CandidateHeap(std::size_t size) : size_(size) {}

  bool would_enter(const Candidate& candidate) const;
  // What had to make room for it, unless that was taken before. REQUIRES: would_enter(candidate)
  std::optional<Candidate> add(Candidate candidate);
  // Those added since the last time that are still in it, the cheapest first; their slots in the
  // heap stay taken.
  std::vector<Candidate> take();
  std::size_t untaken() const { return fresh_.size(); }

 private:
  struct Slot {
    std::vector<AxisOrder> inputs, outputs;
    Digest digest;  // of what is measured
    double cost = 0;
    bool operator==(const Slot&) const = default;
    bool competes_with(const Slot& other) const {
      return inputs == other.inputs && outputs == other.outputs;
    }
  };
  static Slot slot_of(const Candidate& candidate);
  std::size_t limit() const { return (size_ + 1) / 2; }

  std::size_t size_;
  std::vector<Slot> slots_;
  std::vector<Candidate> fresh_;
};

}  // namespace pet
