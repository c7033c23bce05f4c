#include "viz/geometry/profile_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

#include "core/backend/paired_ratio.h"
#include "core/util/median.h"
#include "core/util/plural.h"
#include "core/util/printable.h"

namespace pet::viz {
namespace {

double sum_of(const std::vector<AttributedTime>& times) {
  return std::accumulate(times.begin(), times.end(), 0.0,
                         [](double sum, const AttributedTime& one) { return sum + one.ms; });
}

BarGroup whole_runs(const ProfileFacts& facts) {
  BarRow measured{
      "whole run", facts.programs.size() > 1 ? "median of runs in turn" : "median of runs", {}};
  BarRow modelled{"whole run", "by the analytic model", {}};
  for (std::size_t i = 0; i < facts.programs.size(); ++i) {
    if (facts.whole) {
      const PairTiming& timing = facts.whole->comparison.timing;
      measured.bars.push_back(
          whole_bar(i == 0 ? timing.a_ms : timing.b_ms,
                    facts.whole->is_remembered ? Source::Remembered : Source::Measured));
    } else {
      measured.bars.push_back({.why = facts.why_no_whole});
    }
    modelled.bars.push_back(
        {.source = Source::Modelled, .ms = sum_of(facts.programs[i].estimated)});
  }
  return {"Whole runs", {std::move(measured), std::move(modelled)}};
}

// ---- by operator

struct Key {
  std::string name, type;
  auto operator<=>(const Key&) const = default;
};

Key key_of(const AttributedTime& one, Grouping grouping) {
  if (one.named_after == NamedAfter::Rest) return {one.name, ""};
  return grouping == Grouping::ByType ? Key{one.type, ""} : Key{one.name, one.type};
}

std::string note_of(const AttributedTime& one, Grouping grouping) {
  if (one.named_after == NamedAfter::Rest) return "between its operators";
  if (grouping == Grouping::ByType) return "all of this type";
  switch (one.named_after) {
    case NamedAfter::Value:
      return fmt::format("{}, by its value", printable(one.type));
    case NamedAfter::Runtime:
      return fmt::format("{}, the runtime's own", printable(one.type));
    default:
      return printable(one.type);
  }
}

void add_to(Bar& bar, const AttributedTime& one, Shown shown) {
  bar.source = shown == Shown::Measured ? Source::Measured : Source::Modelled;
  bar.ms += one.ms;
  bar.share = bar.share.value_or(0) + one.share;
  bar.samples = one.samples;
  if (shown == Shown::Measured && one.named_after != NamedAfter::Rest) bar.calls += one.calls;
}

double longest(const BarRow& row) {
  double out = 0;
  for (const Bar& bar : row.bars) out = std::max(out, bar.ms);
  return out;
}

class Pairing {
 public:
  Pairing(std::size_t programs, Grouping grouping, Shown shown)
      : programs_(programs), grouping_(grouping), shown_(shown) {}

  void add(std::size_t program, const AttributedTime& one) {
    const auto [known, is_new] = numbers_.try_emplace(key_of(one, grouping_), rows_.size());
    if (is_new) {
      rows_.push_back({printable(known->first.name), note_of(one, grouping_),
                       std::vector<Bar>(programs_, Bar{.source = Source::None})});
    }
    add_to(rows_[known->second].bars[program], one, shown_);
  }

  std::vector<BarRow> rows() && {
    std::ranges::stable_sort(rows_, std::greater<>(), longest);
    return std::move(rows_);
  }

 private:
  std::size_t programs_;
  Grouping grouping_;
  Shown shown_;
  std::map<Key, std::size_t> numbers_;  // of the rows
  std::vector<BarRow> rows_;
};

BarGroup operators(const ProfileFacts& facts, Grouping grouping, Shown shown) {
  const std::string what = grouping == Grouping::ByType ? "By type of operator" : "By operator";
  const std::size_t programs = facts.programs.size();
  if (shown == Shown::Measured && facts.recorded.empty()) {
    const std::vector<Bar> missing(programs, Bar{.why = facts.why_not_recorded});
    return {what + ", measured", {{"every operator", "", missing}}};
  }
  Pairing pairing(programs, grouping, shown);
  std::string whole;
  for (std::size_t i = 0; i < programs; ++i) {
    for (const AttributedTime& one :
         shown == Shown::Measured ? facts.recorded[i].times : facts.programs[i].estimated)
      pairing.add(i, one);
    if (shown == Shown::Measured)
      whole += fmt::format("{}{}", i == 0 ? "" : " and ", ms_in_words(facts.recorded[i].run_ms));
  }
  const std::string title =
      shown == Shown::Measured
          ? fmt::format("{}, measured: a run took {} while it was recorded", what, whole)
          : fmt::format("{}, by the analytic model: nothing was run", what);
  return {title, std::move(pairing).rows()};
}

}  // namespace

// Against a program that always takes a millisecond.
Bar whole_bar(const std::vector<double>& samples, Source source) {
  const Ratio bounds = paired_ratio({samples, std::vector<double>(samples.size(), 1.0)});
  return {.source = source,
          .ms = median(samples),
          .bounds = Bounds{bounds.low, bounds.high},
          .samples = samples.size()};
}

std::string_view in_words(Decision decision) {
  switch (decision) {
    case Decision::Faster:
      return "faster";
    case Decision::Tie:
      return "not faster by a per cent";
    case Decision::Slower:
      return "slower";
    case Decision::Undecided:
      return "not decided";
  }
  return "?";
}

BarChart profile_chart(const ProfileFacts& facts, Grouping grouping, Shown shown) {
  BarChart out;
  for (const TimedProgram& program : facts.programs) out.series.push_back(printable(program.name));
  if (out.series.empty()) return out;
  out.groups = {whole_runs(facts), operators(facts, grouping, shown)};
  return out;
}

std::string headline(const ProfileFacts& facts) {
  if (facts.programs.empty()) return "";
  const std::string first = printable(facts.programs[0].name);
  const bool is_pair = facts.programs.size() > 1;
  if (!facts.whole) {
    const double a = sum_of(facts.programs[0].estimated);
    if (!is_pair)
      return fmt::format("{}: {}, modelled; nothing was measured", first, ms_in_words(a));
    const double b = sum_of(facts.programs[1].estimated);
    return fmt::format("modelled: {} is {:.2f}x as fast as {}; nothing was measured",
                       printable(facts.programs[1].name), a / std::max(b, 1e-12), first);
  }
  const Comparison& it = facts.whole->comparison;
  const std::string_view how = facts.whole->is_remembered ? "remembered" : "measured";
  if (!is_pair) return fmt::format("{}: {}, {}", first, ms_in_words(median(it.timing.a_ms)), how);
  return fmt::format("{}: {} is {:.3f}x as fast as {} ({:.3f} to {:.3f}): {}, {}", how,
                     printable(facts.programs[1].name), it.ratio.median, first, it.ratio.low,
                     it.ratio.high, in_words(it.decision), plural(it.timing.a_ms.size(), "round"));
}

}  // namespace pet::viz
