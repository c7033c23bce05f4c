#include "verify/files/expectation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "core/util/printable.h"

namespace pet {
namespace {

constexpr std::array kAll = {Expected::Equivalent,  Expected::EquivalentUpToConstants,
                             Expected::Partial,     Expected::Different,
                             Expected::Unknown,     Expected::ShapeMismatch,
                             Expected::Unsupported, Expected::Malformed};

std::optional<Expected> expected_of(Outcome outcome) {
  switch (outcome) {
    case Outcome::Equivalent:
      return Expected::Equivalent;
    case Outcome::EquivalentUpToConstants:
      return Expected::EquivalentUpToConstants;
    case Outcome::Partial:
      return Expected::Partial;
    case Outcome::Different:
      return Expected::Different;
    case Outcome::ShapeMismatch:
      return Expected::ShapeMismatch;
    case Outcome::Unknown:
      return Expected::Unknown;
    case Outcome::Unsupported:
      return Expected::Unsupported;
  }
  return std::nullopt;
}

std::string_view next_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  const auto word = text.substr(0, text.find_first_of(" \t"));
  text.remove_prefix(word.size());
  return word;
}

// [low,high) taken off the front.
bool take_interval(std::string_view& text, Box& box) {
  const auto take_char = [&](char c) {
    if (text.empty() || text.front() != c) return false;
    text.remove_prefix(1);
    return true;
  };
  const auto take_number = [&](Shape& to) {
    Dim number = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (failure != std::errc()) return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    to.push_back(number);
    return true;
  };
  return take_char('[') && take_number(box.low) && take_char(',') && take_number(box.high) &&
         take_char(')');
}

Result<Box> parse_box(std::string_view text) {
  const std::string whole(text);
  Box box;
  while (take_interval(text, box)) {
    if (text.empty()) return box;
    if (text.front() != 'x') break;
    text.remove_prefix(1);
  }
  return Error{fmt::format("expect: '{}' is no box like [0,1)x[2,3)", printable(whole))};
}

bool fits(const Box& box, const Shape& shape) {
  if (box.low.size() != shape.size()) return false;
  for (std::size_t a = 0; a < shape.size(); ++a) {
    if (box.low[a] < 0 || box.low[a] > box.high[a] || box.high[a] > shape[a]) return false;
  }
  return true;
}

std::string wrong_points(const std::vector<Box>& expected, const Verdict& verdict) {
  const OutputVerdict* partial = nullptr;
  for (const OutputVerdict& output : verdict.outputs) {
    if (output.outcome == Outcome::Equivalent) continue;
    if (partial != nullptr) return "more than one output is wrong";
    partial = &output;
  }
  if (partial == nullptr) return "no output is wrong";
  Region region{DigitBasis::plain(partial->wrong.basis.shape()), expected};
  for (const Box& box : expected) {
    if (!fits(box, region.basis.shape())) {
      return fmt::format("{} does not lie in {}", to_string(box), to_string(region.basis.shape()));
    }
  }
  // They may overlap; who names the same points again and again has us mark them for ever.
  constexpr Dim kMostTimes = 64;
  if (region.volume() > kMostTimes * count(region.basis.shape())) return "too many boxes overlap";
  if (region.points() == partial->wrong.points()) return {};
  return fmt::format("wrong at {}", to_string(partial->wrong));
}

}  // namespace

std::string_view to_string(Expected expected) {
  switch (expected) {
    case Expected::Equivalent:
      return "equivalent";
    case Expected::EquivalentUpToConstants:
      return "equivalent-up-to-constants";
    case Expected::Partial:
      return "partial";
    case Expected::Different:
      return "different";
    case Expected::Unknown:
      return "unknown";
    case Expected::ShapeMismatch:
      return "shape-mismatch";
    case Expected::Unsupported:
      return "unsupported";
    case Expected::Malformed:
      return "malformed";
  }
  return "?";
}

Result<Expectation> parse_expectation(std::string_view text) {
  const auto word = next_word(text);
  const auto* it =
      std::find_if(kAll.begin(), kAll.end(), [&](Expected e) { return to_string(e) == word; });
  if (it == kAll.end())
    return Error{fmt::format("expect: no verdict is called '{}'", printable(word))};
  Expectation expectation{*it, std::nullopt};
  constexpr std::string_view kWrong = "wrong=";
  auto next = next_word(text);
  if (next.empty()) return expectation;
  if (expectation.verdict != Expected::Partial || !next.starts_with(kWrong))
    return Error{"expect: nothing follows but wrong=BOXES of partial"};
  next.remove_prefix(kWrong.size());
  if (next.empty()) return Error{"expect: wrong= is followed by boxes"};
  expectation.wrong.emplace();
  for (; !next.empty(); next = next_word(text)) {
    auto box = parse_box(next);
    if (!box) return std::move(box).error();
    expectation.wrong->push_back(*std::move(box));
  }
  return expectation;
}

std::string deviation(const Expectation& expected, const Verdict& verdict) {
  const auto got = expected_of(verdict.outcome);
  if (got != expected.verdict) {
    return fmt::format("expected {}, got {}{}{}", to_string(expected.verdict),
                       to_string(verdict.outcome), verdict.reason.empty() ? "" : ": ",
                       verdict.reason);
  }
  if (verdict.engines_disagree) return verdict.reason;
  if (!expected.wrong) return {};
  const auto wrong = wrong_points(*expected.wrong, verdict);
  return wrong.empty() ? wrong : "partial as expected, but " + wrong;
}

std::string deviation(const Expectation& expected, const Error& error) {
  const bool as_expected =
      (expected.verdict == Expected::Malformed && error.kind == ErrorKind::Malformed) ||
      (expected.verdict == Expected::Unsupported && error.kind == ErrorKind::Unsupported);
  return as_expected
             ? ""
             : fmt::format("expected {}, but {}", to_string(expected.verdict), error.message);
}

}  // namespace pet
