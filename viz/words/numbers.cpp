#include "viz/words/numbers.h"

#include <fmt/format.h>

#include "core/util/plural.h"

namespace pet::viz {

std::string grouped(Dim number) {
  const std::string digits = fmt::format("{}", number);
  const std::size_t first = number < 0 ? 1 : 0;
  std::string out;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > first && (digits.size() - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out;
}

std::string grouped(Dim number, std::string_view noun) {
  return grouped(number) + " " + inflected(noun, number == 1);
}

}  // namespace pet::viz
