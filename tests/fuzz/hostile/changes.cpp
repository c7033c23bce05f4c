#include "tests/fuzz/hostile/changes.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace pet::fuzz {
namespace {

using namespace std::string_view_literals;

constexpr std::array kNumbers = {"0"sv,
                                 "-0"sv,
                                 "-0.0"sv,
                                 "1"sv,
                                 "-1"sv,
                                 "2"sv,
                                 "3"sv,
                                 "5"sv,
                                 "16"sv,
                                 "17"sv,
                                 "33"sv,
                                 "255"sv,
                                 "4096"sv,
                                 "4097"sv,
                                 "65536"sv,
                                 "2097152"sv,
                                 "2147483647"sv,
                                 "2147483648"sv,
                                 "-2147483648"sv,
                                 "4294967296"sv,
                                 "1099511627776"sv,
                                 "1099511627777"sv,
                                 "9223372036854775807"sv,
                                 "-9223372036854775808"sv,
                                 "9223372036854775808"sv,
                                 "18446744073709551615"sv,
                                 "18446744073709551616"sv,
                                 "1e308"sv,
                                 "-1e308"sv,
                                 "1e999"sv,
                                 "1e-400"sv,
                                 "1e-45"sv,
                                 "3.4028236e38"sv,
                                 "0.1"sv,
                                 "1."sv,
                                 ".5"sv,
                                 "1e"sv,
                                 "00"sv,
                                 "--1"sv,
                                 "0x10"sv,
                                 "NaN"sv,
                                 "-inf"sv,
                                 "Infinity"sv};

// Bytes that end, open or confuse something; invalid UTF-8; names of what is no regular file.
constexpr std::array kPieces = {"\0"sv,
                                "\xff\xfe"sv,
                                "\xc3\x28"sv,
                                "\xed\xa0\x80"sv,
                                "\xf4\x90\x80\x80"sv,
                                "\xe2\x80\xa8"sv,
                                "\x1b[2J"sv,
                                "\\u0000"sv,
                                "\\ud800"sv,
                                "\\"sv,
                                "\""sv,
                                "\r"sv,
                                "\n"sv,
                                "\t"sv,
                                "#"sv,
                                "# expect: equivalent\n"sv,
                                "# opset: 13\n"sv,
                                "{"sv,
                                "}"sv,
                                "["sv,
                                "]"sv,
                                "("sv,
                                ")"sv,
                                "<"sv,
                                ">"sv,
                                "="sv,
                                ","sv,
                                ":"sv,
                                "=>"sv,
                                "%s%n"sv,
                                "../"sv,
                                "/dev/zero"sv,
                                "."sv,
                                "null"sv,
                                "true"sv};

struct Nesting {
  std::string_view open;
  std::string_view close;
};
constexpr std::array<Nesting, 9> kNestings = {{{"[", "]"},
                                               {"{", "}"},
                                               {"(", ")"},
                                               {"seq(", ")"},
                                               {"optional(", ")"},
                                               {"{\"a\":", "}"},
                                               {"[{\"a\":", "}]"},
                                               {"a = If <b = g () => (c) { # }\n", "}>(d)"},
                                               {"\"", "\""}}};

constexpr std::string_view kDigits = "0123456789";

bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '-';
}

struct Span {
  std::size_t first = 0;
  std::size_t length = 0;
};

std::size_t below(Rng& rng, std::size_t bound) {
  return bound == 0 ? 0 : static_cast<std::size_t>(rng.below(bound));
}

// Mostly short.
Span any_span(const std::string& text, Rng& rng) {
  const std::size_t first = below(rng, text.size());
  const std::size_t longest = rng.below(8) == 0 ? text.size() : 16;
  return {first, std::min(text.size() - first, 1 + below(rng, longest))};
}

// Empty where the rest of the text has no word.
Span any_word(const std::string& text, Rng& rng) {
  const std::size_t from = below(rng, text.size());
  const auto start = text.begin() + static_cast<std::ptrdiff_t>(from);
  const auto inside = std::find_if(start, text.end(), is_of_word);
  auto first = inside;
  while (inside != text.end() && first != text.begin() && is_of_word(*(first - 1))) --first;
  const auto last = std::find_if_not(inside, text.end(), is_of_word);
  return {static_cast<std::size_t>(first - text.begin()), static_cast<std::size_t>(last - first)};
}

// With its end.
Span any_line(const std::string& text, Rng& rng) {
  const std::size_t at = below(rng, text.size());
  const std::size_t before = at == 0 ? std::string::npos : text.rfind('\n', at - 1);
  const std::size_t first = before == std::string::npos ? 0 : before + 1;
  const std::size_t last = text.find('\n', at);
  return {first, (last == std::string::npos ? text.size() : last + 1) - first};
}

std::string part(const std::string& text, Span span) {
  return text.substr(span.first, span.length);
}

void flip_bit(std::string& text, const Pool&, Rng& rng) {
  if (text.empty()) return;
  char& c = text[below(rng, text.size())];
  c = static_cast<char>(static_cast<unsigned char>(c) ^ (1U << rng.below(8)));
}

void put_byte(std::string& text, const Pool&, Rng& rng) {
  if (!text.empty()) text[below(rng, text.size())] = static_cast<char>(rng.below(256));
}

void insert_piece(std::string& text, const Pool&, Rng& rng) {
  text.insert(below(rng, text.size() + 1), one_of(kPieces, rng));
}

void insert_bytes(std::string& text, const Pool&, Rng& rng) {
  std::string bytes(1 + below(rng, 8), '\0');
  for (char& c : bytes) c = static_cast<char>(rng.below(256));
  text.insert(below(rng, text.size() + 1), bytes);
}

void remove_span(std::string& text, const Pool&, Rng& rng) {
  const Span span = any_span(text, rng);
  text.erase(span.first, span.length);
}

void repeat_span(std::string& text, const Pool&, Rng& rng) {
  const Span span = any_span(text, rng);
  const std::string piece = part(text, span);
  std::string all;
  const std::size_t times = 1 + below(rng, rng.below(16) == 0 ? 1000U : 3U);
  for (std::size_t i = 0; i < times && all.size() < kLargestInput; ++i) all += piece;
  text.insert(span.first, all);
}

void move_span(std::string& text, const Pool&, Rng& rng) {
  const Span span = any_span(text, rng);
  const std::string piece = part(text, span);
  text.erase(span.first, span.length);
  text.insert(below(rng, text.size() + 1), piece);
}

void cut_off(std::string& text, const Pool&, Rng& rng) { text.resize(below(rng, text.size() + 1)); }

void splice(std::string& text, const Pool& pool, Rng& rng) {
  const std::string& other = one_of(pool.files, rng);
  const Span there = any_span(other, rng);
  const Span here = any_span(text, rng);
  text.replace(here.first, here.length, part(other, there));
}

void replace_number(std::string& text, const Pool&, Rng& rng) {
  std::size_t first = text.find_first_of(kDigits, below(rng, text.size()));
  if (first == std::string::npos) first = text.find_first_of(kDigits);
  if (first == std::string::npos) return;
  const std::size_t last = std::min(text.find_first_not_of("0123456789.eE+-", first), text.size());
  if (first > 0 && text[first - 1] == '-') --first;
  text.replace(first, last - first, odd_number(rng));
}

void replace_word(std::string& text, const Pool& pool, Rng& rng) {
  const Span span = any_word(text, rng);
  if (span.length > 0) text.replace(span.first, span.length, one_of(pool.words, rng));
}

void swap_words(std::string& text, const Pool&, Rng& rng) {
  Span a = any_word(text, rng);
  Span b = any_word(text, rng);
  if (a.first == b.first) return;
  if (a.first > b.first) std::swap(a, b);
  const std::string x = part(text, a);
  const std::string y = part(text, b);
  text.replace(b.first, b.length, x);
  text.replace(a.first, a.length, y);
}

void remove_line(std::string& text, const Pool&, Rng& rng) {
  const Span span = any_line(text, rng);
  text.erase(span.first, span.length);
}

void repeat_line(std::string& text, const Pool&, Rng& rng) {
  const Span span = any_line(text, rng);
  text.insert(span.first, part(text, span));
}

// Around a word, or open without an end.
void nest(std::string& text, const Pool&, Rng& rng) {
  const Nesting nesting = one_of(kNestings, rng);
  std::size_t depth = 1 + below(rng, 64);
  if (rng.below(8) == 0) depth = 1 + below(rng, 4096);
  if (rng.below(64) == 0) depth = kLargestInput / 4;
  const bool closes = rng.below(2) == 0;
  const Span span = any_word(text, rng);
  std::string out;
  for (std::size_t i = 0; i < depth && out.size() < kLargestInput / 2; ++i) out += nesting.open;
  depth = out.size() / nesting.open.size();
  out += part(text, span);
  for (std::size_t i = 0; closes && i < depth; ++i) out += nesting.close;
  text.replace(span.first, span.length, out);
}

using Change = void (*)(std::string&, const Pool&, Rng&);
constexpr std::array<Change, 16> kChanges = {
    flip_bit, put_byte, insert_piece, insert_bytes, remove_span, repeat_span, move_span, cut_off,
    splice, replace_word, swap_words, remove_line, repeat_line, nest,
    // What is read deepest: twice as often.
    replace_number, replace_number};

}  // namespace

Pool pool_of(std::vector<std::string> files) {
  constexpr std::size_t kLongestWord = 40;
  constexpr std::size_t kMostWords = 20'000;
  std::set<std::string> words = {"x"};
  for (const std::string& file : files) {
    for (auto at = file.begin(); at != file.end() && words.size() < kMostWords;) {
      const auto first = std::find_if(at, file.end(), is_of_word);
      at = std::find_if_not(first, file.end(), is_of_word);
      if (first != at && at - first <= static_cast<std::ptrdiff_t>(kLongestWord))
        words.emplace(first, at);
    }
  }
  return {std::move(files), {words.begin(), words.end()}};
}

std::string odd_number(Rng& rng) {
  if (rng.below(32) == 0) return std::string(1 + below(rng, 5000), '9');
  return std::string(one_of(kNumbers, rng));
}

std::string changed(std::string text, const Pool& pool, Rng& rng) {
  constexpr int kMostChanges = 8;
  int number = 1;
  while (number < kMostChanges && rng.below(2) == 0) ++number;
  for (int i = 0; i < number; ++i) {
    one_of(kChanges, rng)(text, pool, rng);
    if (text.size() > kLargestInput) text.resize(kLargestInput);
  }
  return text;
}

}  // namespace pet::fuzz
