#include "viz/geometry/stored_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/ir/structure.h"
#include "core/util/median.h"
#include "core/util/plural.h"
#include "core/util/printable.h"
#include "viz/geometry/profile_chart.h"

namespace pet::viz {
namespace {

constexpr std::size_t kMostGroups = 48;  // that are drawn

double longest(const StoredComparison& line) {
  return std::max(median(line.comparison.timing.a_ms), median(line.comparison.timing.b_ms));
}

// Of a name that is cut the end is shown, and what programs begin with tells more of them.
BarRow row_of(const StoredComparison& line) {
  const Comparison& it = line.comparison;
  return {fmt::format("{:.3f}x, {}", it.ratio.median, in_words(it.decision)),
          printable(structure_in_short(line.programs.candidate)),
          {whole_bar(it.timing.a_ms, Source::Remembered),
           whole_bar(it.timing.b_ms, Source::Remembered)}};
}

// Lines of one original.
struct Group {
  std::vector<std::size_t> lines;
  double ms = 0;  // of the longest
};

std::vector<Group> groups_of(const StoredProfile& profile) {
  std::map<std::string_view, std::size_t> numbers;
  std::vector<Group> out;
  for (std::size_t i = 0; i < profile.lines().size(); ++i) {
    const StoredComparison& line = profile.lines()[i];
    const auto [known, is_new] = numbers.try_emplace(line.programs.original, out.size());
    if (is_new) out.emplace_back();
    Group& group = out[known->second];
    group.lines.push_back(i);
    group.ms = std::max(group.ms, longest(line));
  }
  for (Group& group : out)
    std::ranges::stable_sort(group.lines, std::greater<>(),
                             [&](std::size_t line) { return longest(profile.lines()[line]); });
  std::ranges::stable_sort(out, std::greater<>(), &Group::ms);
  return out;
}

// Fp32 is what is not said.
std::string precision_of(const BackendInfo& by) {
  return by.name.find("tf32") == std::string::npos ? "fp32" : "tf32";
}

}  // namespace

std::optional<BarPlace> StoredChart::place_of(std::size_t number) const {
  for (std::size_t group = 0; group < bars.groups.size(); ++group) {
    const std::size_t rows = bars.groups[group].rows.size();
    if (number < rows) return BarPlace{group, number};
    number -= rows;
  }
  return std::nullopt;
}

std::size_t StoredChart::number_of(const BarPlace& place) const {
  std::size_t out = place.row;
  for (std::size_t group = 0; group < place.group; ++group) out += bars.groups[group].rows.size();
  return out;
}

StoredChart stored_chart(const StoredProfile& profile) {
  StoredChart out;
  const auto groups = groups_of(profile);
  out.originals = groups.size();
  if (!groups.empty()) out.bars.series = {"original", "candidate"};
  for (const Group& group : groups) {
    out.lines.insert(out.lines.end(), group.lines.begin(), group.lines.end());
    if (out.bars.groups.size() == kMostGroups) continue;
    const StoredComparison& first = profile.lines()[group.lines.front()];
    BarGroup drawn{
        fmt::format("Instead of {}", printable(structure_in_short(first.programs.original))), {}};
    for (const std::size_t line : group.lines) drawn.rows.push_back(row_of(profile.lines()[line]));
    out.bars.groups.push_back(std::move(drawn));
  }
  return out;
}

std::string headline(const StoredProfile& profile) {
  const auto& by = profile.source();
  if (!by) return fmt::format("{}: no comparisons", printable(profile.file().filename().string()));
  return fmt::format("{} of {} on {}, in {}", plural(profile.lines().size(), "comparison"),
                     printable(by->name), printable(by->device), precision_of(*by));
}

std::string facts_of(const StoredProfile& profile, const StoredChart& chart) {
  std::string out = "Remembered: nothing was run on this machine";
  if (!profile.lines().empty()) {
    const auto [first, last] = std::ranges::minmax(profile.lines(), {}, &StoredComparison::date);
    out += fmt::format(". Measured {}", printable(first.date));
    if (first.date != last.date) out += fmt::format(" to {}", printable(last.date));
    out += fmt::format(", {}", printable(profile.source()->version));
  }
  if (profile.skipped() > 0)
    out += fmt::format(
        ". {} broken and left out",
        profile.skipped() == 1 ? "1 line is" : fmt::format("{} lines are", profile.skipped()));
  if (chart.bars.groups.size() < chart.originals)
    out +=
        fmt::format(". Of {} originals the {} that take the longest are drawn; the table has all",
                    chart.originals, chart.bars.groups.size());
  return out;
}

std::string in_words(const Comparison& comparison) {
  return fmt::format("{:.3f}x ({:.3f} to {:.3f}): {}", comparison.ratio.median,
                     comparison.ratio.low, comparison.ratio.high, in_words(comparison.decision));
}

std::string in_words(const StoredComparison& line) {
  const auto& timing = line.comparison.timing;
  return fmt::format(
      "candidate against original: {}\n\n"
      "original: {}\n  {}\n\ncandidate: {}\n  {}\n\n"
      "{}; {}\n{} {} on {}\ndecided {}\n\n"
      "original\n  {}\n\ncandidate\n  {}",
      in_words(line.comparison), printable(structure_in_short(line.programs.original)),
      in_words(whole_bar(timing.a_ms, Source::Remembered)),
      printable(structure_in_short(line.programs.candidate)),
      in_words(whole_bar(timing.b_ms, Source::Remembered)), plural(timing.a_ms.size(), "round"),
      line.date.empty() ? "no date" : printable(line.date), printable(line.by.name),
      printable(line.by.version), printable(line.by.device), printable(line.rule),
      printable(line.programs.original), printable(line.programs.candidate));
}

}  // namespace pet::viz
