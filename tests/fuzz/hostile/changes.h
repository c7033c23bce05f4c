// Good files made wrong, in the ways in which files go wrong and in those that somebody tries who
// means harm. Every change is a function of the generator alone.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/util/rng.h"

namespace pet::fuzz {

// What changes are made of, beside the file itself.
struct Pool {
  std::vector<std::string> files;  // good ones of the same kind; at least one
  std::vector<std::string> words;  // that stand in them; at least one
};
Pool pool_of(std::vector<std::string> files);

inline constexpr std::size_t kLargestInput = std::size_t{1} << 20;

// One of a list. REQUIRES: it is not empty
template <class List>
const auto& one_of(const List& list, Rng& rng) {
  return list[static_cast<std::size_t>(rng.below(list.size()))];
}

// A number that somebody may not have thought of.
std::string odd_number(Rng& rng);

// `text` with some of its bytes, words and lines changed; at most kLargestInput bytes.
std::string changed(std::string text, const Pool& pool, Rng& rng);

}  // namespace pet::fuzz
