// What is told of cuts, without the picture.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "viz/geometry/region_facts.h"
#include "viz/geometry/splits_scene.h"
#include "viz/words/axis_names.h"
#include "viz/words/causes.h"

namespace pet::viz {
namespace {

constexpr Dim kLongest = 1 << 20;  // axis that is walked along

const InspectedCut* find(const InspectedValue& value, std::size_t digit, Dim at) {
  const auto found = std::ranges::find_if(
      value.cuts, [&](const InspectedCut& cut) { return cut.digit == digit && cut.at == at; });
  return found == value.cuts.end() ? nullptr : &*found;
}

std::string name_of(const SplitsOfPair& pair, const ValueOfPair& value) {
  return pair.program(value.side).node(value.node).name;
}

// Numbers after the kind, "cut:m:3:1:55" as {3, 1, 55}; nothing where the id is another one.
std::optional<std::pair<ValueOfPair, std::vector<Dim>>> parsed(const std::string& id) {
  const std::size_t begin = id.find(':');
  if (begin == std::string::npos || begin + 3 > id.size()) return std::nullopt;
  const char side = id[begin + 1];
  if ((side != 'o' && side != 'm') || id[begin + 2] != ':') return std::nullopt;
  std::vector<Dim> numbers;
  const char* at = id.data() + begin + 3;
  const char* end = id.data() + id.size();
  while (at < end) {
    Dim number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc()) return std::nullopt;
    numbers.push_back(number);
    at = next == end ? end : next + 1;
  }
  if (numbers.empty()) return std::nullopt;
  return std::pair(ValueOfPair{side == 'o' ? ProgramSide::Original : ProgramSide::Mutant,
                               NodeId(static_cast<std::size_t>(numbers[0]))},
                   std::move(numbers));
}

// By position along an axis whether something else holds from there on: where a digit is cut, and
// where it begins anew.
std::vector<bool> borders_along(const Shape& digits,
                                const std::vector<std::pair<std::size_t, Dim>>& cuts) {
  Dim extent = 1;
  for (const Dim d : digits) extent *= d;
  std::vector<bool> out(static_cast<std::size_t>(extent), false);
  const Shape strides = row_major_strides(digits);
  for (const auto& [digit, at] : cuts) {
    for (Dim outer = 0; outer < extent; outer += strides[digit] * digits[digit]) {
      out[static_cast<std::size_t>(outer)] = true;
      out[static_cast<std::size_t>(outer + at * strides[digit])] = true;
    }
  }
  return out;
}

}  // namespace

std::vector<ValueOfPair> values_shown(const SplitsOfPair& pair) {
  std::vector<ValueOfPair> out;
  for (const ProgramSide side : {ProgramSide::Original, ProgramSide::Mutant}) {
    const Graph& program = pair.program(side);
    const auto needed = program.needed_by_outputs();
    const auto moves = program.depends_on_inputs();
    for (const NodeId id : program.ids()) {
      if (program.node(id).op() == nullptr || needed[id.index()] == 0 || moves[id.index()] == 0)
        continue;
      out.push_back({side, id});
    }
  }
  return out;
}

std::vector<CutOfValue> traced(const SplitsOfPair& pair, const CutOfValue& cut) {
  std::set<CutOfValue> known = {cut};
  std::vector<CutOfValue> open = {cut};
  while (!open.empty()) {
    const CutOfValue next = open.back();
    open.pop_back();
    const InspectedCut* here = find(pair.at(next.value), next.digit, next.at);
    if (here == nullptr) continue;
    for (const InspectedCut::Source& source : here->sources) {
      const CutOfValue one{{next.value.side, source.value}, source.digit, source.at};
      if (known.insert(one).second) open.push_back(one);
    }
  }
  return {known.begin(), known.end()};
}

std::string id_of(const ValueOfPair& value) {
  return fmt::format("value:{}:{}", value.side == ProgramSide::Original ? 'o' : 'm',
                     value.node.index());
}

std::optional<ValueOfPair> value_of(const std::string& id) {
  if (!id.starts_with("value:") && !id.starts_with("cut:")) return std::nullopt;
  const auto found = parsed(id);
  return found ? std::optional(found->first) : std::nullopt;
}

std::optional<CutOfValue> cut_of(const std::string& id) {
  if (!id.starts_with("cut:")) return std::nullopt;
  const auto found = parsed(id);
  if (!found || found->second.size() != 3) return std::nullopt;
  return CutOfValue{found->first, static_cast<std::size_t>(found->second[1]), found->second[2]};
}

std::string cut_in_words(const SplitsOfPair& pair, const CutOfValue& cut) {
  const InspectedValue& value = pair.at(cut.value);
  const InspectedCut* here = find(value, cut.digit, cut.at);
  if (here == nullptr) return {};
  std::string out = fmt::format("{} is cut along {} between {} and {}", name_of(pair, cut.value),
                                digit_names(value.basis)[cut.digit], cut.at - 1, cut.at);
  for (const InspectedCause& cause : here->causes)
    out += "\n" + in_words(cause, pair.program(cut.value.side));
  for (const InspectedCut::Source& source : here->sources) {
    const ValueOfPair from{cut.value.side, source.value};
    out += fmt::format("\ncomes from {}, {} between {} and {}", name_of(pair, from),
                       digit_names(pair.at(from).basis)[source.digit], source.at - 1, source.at);
  }
  return out;
}

std::string value_in_words(const SplitsOfPair& pair, const ValueOfPair& value) {
  const InspectedValue& here = pair.at(value);
  const Graph& program = pair.program(value.side);
  std::string out = node_in_words(program, value.node);
  if (!here.reason.empty()) return out + "\nnothing is known of its boxes: " + here.reason;
  out += fmt::format("\n{}, {}", shape_in_words(here.basis),
                     grouped(static_cast<Dim>(here.boxes), "box"));
  for (const InspectedDigits& digits : here.digits)
    out += fmt::format("\naxis {} falls into digits of {}: {}", digits.axis, digits.inner,
                       in_words(digits.cause, program));
  return out;
}

std::optional<bool> cuts_there(const InspectedValue& value, const DigitBasis& basis,
                               std::size_t digit, Dim at) {
  std::size_t axis = 0;
  while (digit >= basis.digits[axis].size()) digit -= basis.digits[axis++].size();
  const Shape& theirs = basis.digits[axis];
  Dim extent = 1;
  for (const Dim d : theirs) extent *= d;
  if (extent > kLongest) return std::nullopt;
  std::size_t first = 0;  // digit of the axis
  for (std::size_t a = 0; a < axis; ++a) first += value.basis.digits[a].size();
  const Shape& ours = value.basis.digits[axis];
  std::vector<std::pair<std::size_t, Dim>> cuts;
  for (const InspectedCut& cut : value.cuts)
    if (cut.digit >= first && cut.digit < first + ours.size())
      cuts.emplace_back(cut.digit - first, cut.at);
  const std::vector<bool> here = borders_along(ours, cuts);
  const Shape strides = row_major_strides(theirs);
  for (Dim outer = 0; outer < extent; outer += strides[digit] * theirs[digit])
    if (!here[static_cast<std::size_t>(outer + at * strides[digit])]) return false;
  return true;
}

}  // namespace pet::viz
