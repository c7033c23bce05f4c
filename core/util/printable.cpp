#include "core/util/printable.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>

namespace pet {
namespace {

constexpr std::size_t kLongest = 200;

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

CodePoint first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i]));
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  std::uint32_t value = lead & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    value = value << 6U | (byte(i) & 0x3FU);
  }
  constexpr std::uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  return {value, bytes,
          value >= kSmallest[bytes] && value <= 0x10FFFF && (value < 0xD800 || value > 0xDFFF)};
}

bool is_harmless(const CodePoint& c) {
  const bool control = c.value < 0x20 || (c.value >= 0x7F && c.value < 0xA0);
  const bool separator = c.value == 0x2028 || c.value == 0x2029;
  const bool direction = c.value == 0x200E || c.value == 0x200F ||
                         (c.value >= 0x202A && c.value <= 0x202E) ||
                         (c.value >= 0x2066 && c.value <= 0x2069);
  const bool none = (c.value & 0xFFFE) == 0xFFFE;  // no character, and not allowed in XML
  return c.valid && !control && !separator && !direction && !none;
}

// The code point at the front of a text.
void add(const CodePoint& c, std::string_view text, std::string& out) {
  if (is_harmless(c)) {
    out += text.substr(0, c.bytes);
    return;
  }
  for (const char byte : text.substr(0, c.bytes))
    out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  for (CodePoint c; !text.empty(); text.remove_prefix(c.bytes)) {
    if (out.size() > kLongest) return out + "...";
    c = first_of(text);
    add(c, text, out);
  }
  return out;
}

std::string printable_whole(std::string_view text) {
  std::string out;
  for (CodePoint c; !text.empty(); text.remove_prefix(c.bytes)) {
    c = first_of(text);
    if (c.value == '\\') out += '\\';
    add(c, text, out);
  }
  return out;
}

}  // namespace pet
