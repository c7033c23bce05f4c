#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "app/explain/compose.h"
#include "app/explain/words.h"
#include "core/util/plural.h"

namespace pet::explain {
namespace {

constexpr std::size_t kMostTried = 12;     // in a place
constexpr std::size_t kMostElsewhere = 4;  // in a subprogram in which nothing was chosen
constexpr std::size_t kMostSubprograms = 60;
constexpr std::size_t kMostFailures = 6;
constexpr std::size_t kOpenRows = 40;

std::string three_digits(double number) { return fmt::format("{:.3f}", number); }

std::string listed(std::string list, std::size_t number, std::string_view what) {
  if (number > 0)
    fmt::format_to(std::back_inserter(list), "{}{} {}", list.empty() ? "" : "; ", number, what);
  return list;
}

std::string dropped_in_words(const SubprogramRecord& s) {
  std::string out;
  for (std::size_t why = 0; why < kDiscardedReasons; ++why)
    out = listed(std::move(out), s.discarded[why], to_string(static_cast<Discarded>(why)));
  return listed(std::move(out), s.left, "kept until cheaper ones came or the time was up");
}

// Reports of old versions do not say what was generated.
bool knows_generated(const SubprogramRecord& s) { return s.generated > 0 || s.proposed == 0; }

std::string generated_in_words(const SubprogramRecord& s) {
  if (!knows_generated(s)) return plural(s.proposed, "mutant") + " proposed to the search.";
  std::string out = plural(s.generated, "mutant") + " generated";
  if (s.nodes > 0) {
    out += fmt::format(" at {} of the generator's tree", plural(s.nodes, "node"));
    const auto number = [&](Pruned why) { return s.pruned[static_cast<std::size_t>(why)]; };
    std::string pruned = listed("", number(Pruned::Depth), "for their depth");
    pruned = listed(std::move(pruned), number(Pruned::SeenNode), "reached by other moves before");
    if (!pruned.empty()) out += " (pruned: " + pruned + ")";
  }
  return out +
         fmt::format(", {} of them distinct, {} proposed to the search.", s.distinct, s.proposed);
}

std::string checked_in_words(const SubprogramRecord& s) {
  const std::size_t checked = s.proposed - s.not_checked;
  if (checked == 0) return "none by itself, so that nobody knows how many are equal.";
  std::string out = plural(checked, "mutant");
  const auto add = [&](const std::optional<std::size_t>& number, const char* what) {
    if (number && *number > 0) out += fmt::format(", {} {}", *number, what);
  };
  add(s.equal, "fully equivalent");
  add(s.partial, "partially equivalent");
  add(s.corrected, "corrected");
  return out + (s.not_checked > 0 ? fmt::format("; {} not checked.", s.not_checked) : ".");
}

Table measured_table(std::string title) {
  return {std::move(title), {"mutant", "ratio", "at least", "saves ms", "came to"}, {}};
}

// Which mutant is in the file.
struct Taken {
  bool is_known = true;             // it is known whether one is
  const Lineage* mutant = nullptr;  // nullptr: none
};

void add_measured(const SubprogramRecord& subprogram, const Taken& taken, std::size_t most,
                  Table& table) {
  auto measured = subprogram.measured;
  std::ranges::stable_sort(measured, [](const MeasuredRecord& a, const MeasuredRecord& b) {
    return a.saved_ms() > b.saved_ms();
  });
  std::size_t number = 0;
  for (const MeasuredRecord& tried : measured) {
    if (number++ == most) break;
    const bool is_taken = taken.mutant != nullptr && *taken.mutant == tried.mutant;
    const bool lost = !taken.is_known || tried.decision != Decision::Faster;
    const std::string_view came = is_taken          ? "taken"
                                  : !lost           ? "others fit better"
                                  : !tried.decision ? "?"
                                                    : to_string(*tried.decision);
    table.rows.push_back({{mutant_in_words(tried.mutant), three_digits(tried.ratio.median),
                           tried.ratio.low ? three_digits(*tried.ratio.low) : "?",
                           three_digits(tried.saved_ms()), std::string(came)}});
  }
  if (measured.size() > most)
    table.rows.push_back({{fmt::format("and {} more, which save less", measured.size() - most)},
                          Table::Row::Kind::Note});
}

std::vector<std::string> failures_of(const SubprogramRecord& subprogram) {
  std::vector<std::string> out;
  for (const FailedRecord& failure : subprogram.failed) {
    if (out.size() == kMostFailures) {
      out.push_back(fmt::format("and {} more", subprogram.failed.size() - kMostFailures));
      break;
    }
    out.push_back(shown(in_words(failure.mutant.moves) + ": " + failure.why, 180));
  }
  return out;
}

std::string cell(const std::optional<std::size_t>& number, bool all_checked) {
  if (!number) return "?";
  return fmt::format("{}{}", all_checked ? "" : ">=", *number);
}

void add_row(const SubprogramRecord& s, Table& table) {
  const bool all = s.not_checked == 0;
  const std::string name = operators_in_words(s.operators) +
                           (s.places > 1 ? fmt::format(", at {} places", s.places) : std::string());
  double best = 0;
  for (const MeasuredRecord& tried : s.measured) best = std::max(best, tried.ratio.median);
  table.rows.push_back(
      {{name, knows_generated(s) ? std::to_string(s.generated) : "?",
        knows_generated(s) ? std::to_string(s.distinct) : "?", cell(s.equal, all),
        cell(s.partial, all), cell(s.corrected, all), std::to_string(s.not_checked),
        std::to_string(s.measured.size()), s.measured.empty() ? "-" : three_digits(best)}});
  const std::string dropped = dropped_in_words(s);
  table.rows.push_back({{shown(s.place) + (dropped.empty() ? "" : ". Dropped: " + dropped)},
                        Table::Row::Kind::Note});
}

Table table_of(const std::vector<SubprogramRecord>& subprograms) {
  Table out{plural(subprograms.size(), "distinct subprogram"),
            {"subprogram", "generated", "distinct", "equal", "partial", "corrected", "not checked",
             "measured", "best ratio"},
            {},
            subprograms.size() <= kOpenRows};
  // Those in which something was generated say more than those in which there was nothing to do.
  std::vector<const SubprogramRecord*> order;
  for (const SubprogramRecord& s : subprograms) order.push_back(&s);
  std::ranges::stable_partition(order, [](const SubprogramRecord* s) { return s->generated > 0; });
  for (const SubprogramRecord* s : order) {
    if (out.rows.size() == 2 * kMostSubprograms) break;
    add_row(*s, out);
  }
  if (order.size() > kMostSubprograms) {
    std::size_t generated = 0;
    std::size_t measured = 0;
    for (std::size_t i = kMostSubprograms; i < order.size(); ++i) {
      generated += order[i]->generated;
      measured += order[i]->measured.size();
    }
    out.rows.push_back(
        {{fmt::format("{} of {} are shown; in the others {} generated, {} measured",
                      kMostSubprograms, order.size(), plural(generated, "mutant"), measured)},
         Table::Row::Kind::Heading});
  }
  return out;
}

}  // namespace

std::string place_in_words(const SubprogramRecord& s) {
  return shown(s.place) + (s.places > 1 ? fmt::format(" and {} more", s.places - 1) : "");
}

void add_tried(const SubprogramRecord& subprogram, const Lineage& taken, Document& out) {
  Facts facts;
  facts.facts.push_back({"tried", {generated_in_words(subprogram)}});
  facts.facts.push_back({"checked", {checked_in_words(subprogram)}});
  if (const std::string dropped = dropped_in_words(subprogram); !dropped.empty())
    facts.facts.push_back({"dropped", {dropped + "."}});
  if (!subprogram.failed.empty()) facts.facts.push_back({"failed", failures_of(subprogram)});
  out.blocks.push_back(std::move(facts));
  if (subprogram.measured.empty()) return;
  Table table = measured_table(plural(subprogram.measured.size(), "mutant") + " measured here");
  add_measured(subprogram, {true, &taken}, kMostTried, table);
  out.blocks.push_back(std::move(table));
}

void add_others(const RunRecord& all, Document& out) {
  std::set<std::size_t> chosen;
  for (const PlaceRecord& place : all.places) chosen.insert(place.subprogram);
  Table table = measured_table("");
  std::size_t silent = 0;
  std::size_t shown_ones = 0;
  for (const SubprogramRecord& s : all.subprograms) {
    if (chosen.contains(s.number)) continue;
    if (s.measured.empty() && s.failed.empty()) {
      ++silent;
      continue;
    }
    ++shown_ones;
    table.rows.push_back(
        {{fmt::format("{} at {}", operators_in_words(s.operators), place_in_words(s))},
         Table::Row::Kind::Heading});
    const bool is_known = all.source == RunRecord::Source::Report || all.changed;
    add_measured(s, {is_known, nullptr}, kMostElsewhere, table);
    for (const std::string& failure : failures_of(s))
      table.rows.push_back({{"failed: " + failure}, Table::Row::Kind::Note});
  }
  if (!table.rows.empty()) {
    out.blocks.push_back(
        Heading{1, chosen.empty() ? "What was tried" : "What was tried elsewhere"});
    table.title = "Measured in " + plural(shown_ones, "subprogram") + " and not used";
    table.is_open = table.rows.size() <= kOpenRows;
    out.blocks.push_back(std::move(table));
  }
  if (silent > 0)
    out.blocks.push_back(Paragraph{fmt::format(
        "In {} nothing got as far as being measured.",
        plural(silent, shown_ones == 0 && chosen.empty() ? "subprogram" : "other subprogram"))});
}

void add_subprograms(const RunRecord& all, Document& out) {
  if (all.subprograms.empty()) return;
  out.blocks.push_back(Heading{1, "All subprograms"});
  out.blocks.push_back(Paragraph{
      "Mutants as the generator came by them (distinct: no two compute with the same operators in "
      "the same way), and what is known of them. The search checks a mutant only where it would "
      "use it: what was not checked may be equal, partially equivalent or neither "
      "(?: not known; >=: at least). The command pet mutants with --counts checks all of them."});
  out.blocks.push_back(table_of(all.subprograms));
}

}  // namespace pet::explain
