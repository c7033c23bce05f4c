#include "verify/rounding/counterparts.h"

#include <algorithm>
#include <bit>

namespace pet {

std::size_t Counterparts::home(const Hash128& key) const {
  const std::uint64_t mixed =
      key.low * 0x9E3779B97F4A7C15U + (key.high ^ (key.high >> 31)) * 0xC2B2AE3D27D4EB4FU;
  return static_cast<std::size_t>((mixed ^ (mixed >> 29)) * 0xBF58476D1CE4E5B9U >> 20) &
         (buckets_.size() - 1);
}

// Where the key is, or where it would go.
Counterparts::Slot& Counterparts::bucket(const Hash128& key) {
  std::size_t at = home(key);
  while (buckets_[at] != kNone && keys_[buckets_[at]] != key) at = (at + 1) & (buckets_.size() - 1);
  return buckets_[at];
}

void Counterparts::make_room(std::size_t more) {
  const std::size_t needed = std::bit_ceil((keys_.size() + more) * 3 / 2 + 2);
  if (needed <= buckets_.size()) return;
  buckets_.assign(needed, kNone);
  for (std::size_t i = 0; i < keys_.size() && !is_to_end(i); ++i) {
    expect(keys_, i);
    bucket(keys_[i]) = static_cast<Slot>(i);
  }
}

void Counterparts::expect(const std::vector<Hash128>& keys, std::size_t next) const {
  constexpr std::size_t kAhead = 8;
  if (next + 2 * kAhead >= keys.size()) return;
  __builtin_prefetch(&buckets_[home(keys[next + 2 * kAhead])]);
  const Slot slot = buckets_[home(keys[next + kAhead])];
  if (slot != kNone) __builtin_prefetch(&keys_[slot]);
}

std::vector<Counterparts::Slot> Counterparts::want(const std::vector<Hash128>& keys) {
  make_room(keys.size());
  std::vector<Slot> out;
  out.reserve(keys.size());
  for (std::size_t i = 0; i < keys.size() && !is_to_end(i); ++i) {
    expect(keys, i);
    Slot& slot = bucket(keys[i]);
    if (slot == kNone) {
      slot = static_cast<Slot>(keys_.size());
      keys_.push_back(keys[i]);
    }
    out.push_back(slot);
  }
  found_.resize(keys_.size(), 0);
  return out;
}

std::vector<Counterparts::Match> Counterparts::find(const std::vector<Hash128>& keys) {
  std::vector<Match> out;
  if (empty()) return out;
  for (std::size_t i = 0; i < keys.size() && !is_to_end(i); ++i) {
    expect(keys, i);
    const Slot at = bucket(keys[i]);
    if (at == kNone) continue;
    found_[at] = 1;
    out.push_back({static_cast<std::uint32_t>(i), at});
  }
  return out;
}

void Counterparts::forget_keys() {
  keys_ = {};
  buckets_ = {};
}

void Counterparts::forget_sizes() {
  sizes_.assign(found_.size(), std::numeric_limits<double>::infinity());
}

void Counterparts::offer(const std::vector<Match>& matches, std::span<const double> sizes) {
  for (const Match& match : matches)
    sizes_[match.slot] = std::min(sizes_[match.slot], sizes[match.element]);
}

double Counterparts::size(Slot slot) const {
  return slot == kNone || found_[slot] == 0 ? -1 : sizes_[slot];
}

std::vector<Hash128> element_keys(const ResidueTensor& tensor) {
  std::vector<Hash128> out(tensor.size());
  for (std::size_t lane = 0; lane < std::min<std::size_t>(4, tensor.lanes()); ++lane) {
    for (std::size_t i = 0; i < out.size(); ++i) {
      std::uint64_t& word = lane < 2 ? out[i].low : out[i].high;
      word |= std::uint64_t{tensor.lane(lane)[i]} << (32 * (lane % 2));
    }
  }
  return out;
}

}  // namespace pet
