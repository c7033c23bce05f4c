#include "verify/counterparts.h"

#include <algorithm>

namespace pet {

void Counterparts::want(const std::vector<Hash128>& keys) {
  keys_.insert(keys_.end(), keys.begin(), keys.end());
}

void Counterparts::finish_wanting() {
  std::sort(keys_.begin(), keys_.end());
  keys_.erase(std::unique(keys_.begin(), keys_.end()), keys_.end());
  keys_.shrink_to_fit();
  found_.assign(keys_.size(), 0);
}

Counterparts::Slot Counterparts::slot(const Hash128& key) const {
  const auto it = std::lower_bound(keys_.begin(), keys_.end(), key);
  return it == keys_.end() || *it != key ? kNone : static_cast<Slot>(it - keys_.begin());
}

std::vector<Counterparts::Slot> Counterparts::slots(const std::vector<Hash128>& keys) const {
  std::vector<Slot> out;
  out.reserve(keys.size());
  for (const Hash128& key : keys) out.push_back(slot(key));
  return out;
}

std::vector<Counterparts::Match> Counterparts::find(const std::vector<Hash128>& keys) {
  std::vector<Match> out;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const Slot at = slot(keys[i]);
    if (at == kNone) continue;
    found_[at] = 1;
    out.push_back({static_cast<std::uint32_t>(i), at});
  }
  return out;
}

void Counterparts::forget_sizes() {
  sizes_.assign(keys_.size(), std::numeric_limits<double>::infinity());
}

void Counterparts::offer(const std::vector<Match>& matches, const std::vector<double>& sizes) {
  for (const Match& match : matches)
    sizes_[match.slot] = std::min(sizes_[match.slot], sizes[match.element]);
}

double Counterparts::size(Slot slot) const {
  return slot == kNone || found_[slot] == 0 ? -1 : sizes_[slot];
}

std::vector<Hash128> element_keys(const ResidueTensor& tensor) {
  std::vector<Hash128> out(tensor.size());
  for (std::size_t lane = 0; lane < std::min<std::size_t>(4, tensor.lanes.size()); ++lane) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      std::uint64_t& word = lane < 2 ? out[i].low : out[i].high;
      word |= std::uint64_t{tensor.lanes[lane][i]} << (32 * (lane % 2));
    }
  }
  return out;
}

}  // namespace pet
