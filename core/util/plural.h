// Numbers of things in words that people read.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace pet {

// "box" of one, "boxes" of more or none. For nouns of which more have an s or, behind an s or an x,
// an es.
inline std::string inflected(std::string_view noun, bool is_one) {
  std::string out(noun);
  if (is_one) return out;
  return out + (noun.ends_with('s') || noun.ends_with('x') ? "es" : "s");
}

// "1 box", "2 boxes".
template <std::integral Number>
std::string plural(Number number, std::string_view noun) {
  return std::to_string(number) + " " + inflected(noun, number == 1);
}

}  // namespace pet
