#include "verify/inspect/cuts.h"

#include <algorithm>
#include <map>

namespace pet {
namespace {

InspectedCause::Kind kind_of(region::Cause::Kind kind) {
  using From = region::Cause::Kind;
  using To = InspectedCause::Kind;
  switch (kind) {
    case From::Border:
      return To::Border;
    case From::Guard:
      return To::Guard;
    case From::Digit:
      return To::Digit;
    case From::Table:
      return To::Table;
    case From::Number:
      return To::Number;
    case From::Argument:
      return To::Argument;
    case From::Comparison:
      return To::Comparison;
    case From::Close:
      return To::Close;
  }
  return To::Close;
}

}  // namespace

InspectedCause cause_of(const region::Cause& cause, ProgramSide side) {
  return {kind_of(cause.kind), side, cause.by, cause.value};
}

std::vector<InspectedCut> cuts_of(const std::vector<region::Cut>& cuts, ProgramSide of_first) {
  std::map<std::pair<std::size_t, Dim>, InspectedCut> by_place;
  for (const region::Cut& cut : cuts) {
    InspectedCut& here = by_place[{cut.digit, cut.at}];
    here.digit = cut.digit;
    here.at = cut.at;
    const auto cause = cause_of(cut.cause, cut.program == 0 ? of_first : ProgramSide::Mutant);
    if (std::ranges::find(here.causes, cause) == here.causes.end()) here.causes.push_back(cause);
  }
  std::vector<InspectedCut> out;
  for (auto& [place, cut] : by_place) out.push_back(std::move(cut));
  return out;
}

}  // namespace pet
