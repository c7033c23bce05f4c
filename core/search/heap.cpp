#include "core/search/heap.h"

#include <algorithm>
#include <utility>

namespace pet {

CandidateHeap::Slot CandidateHeap::slot_of(const Candidate& candidate) {
  return {candidate.inputs, candidate.outputs, candidate.arranged.digest(), candidate.cost};
}

bool CandidateHeap::would_enter(const Candidate& candidate) const {
  const Slot mine = slot_of(candidate);
  std::size_t cheaper = 0;
  for (const Slot& other : slots_) {
    if (!mine.competes_with(other)) continue;
    if (other.digest == mine.digest) return false;
    if (other.cost <= mine.cost) ++cheaper;
  }
  return cheaper < limit();
}

std::optional<Candidate> CandidateHeap::add(Candidate candidate) {
  const Slot mine = slot_of(candidate);
  std::size_t rivals = 1;
  auto worst = slots_.end();
  for (auto it = slots_.begin(); it != slots_.end(); ++it) {
    if (!mine.competes_with(*it)) continue;
    ++rivals;
    if (worst == slots_.end() || it->cost > worst->cost) worst = it;
  }
  std::optional<Candidate> left;
  if (rivals > limit()) {
    const auto fresh = std::find_if(fresh_.begin(), fresh_.end(),
                                    [&](const Candidate& c) { return slot_of(c) == *worst; });
    if (fresh != fresh_.end()) {
      left = std::move(*fresh);
      fresh_.erase(fresh);
    }
    slots_.erase(worst);
  }
  slots_.push_back(mine);
  fresh_.push_back(std::move(candidate));
  return left;
}

std::vector<Candidate> CandidateHeap::take() {
  std::stable_sort(fresh_.begin(), fresh_.end(),
                   [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
  return std::exchange(fresh_, {});
}

}  // namespace pet
