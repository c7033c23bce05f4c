#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/explain/compose.h"
#include "app/explain/words.h"
#include "core/util/plural.h"

namespace pet::explain {
namespace {

constexpr std::size_t kMostNames = 6;

std::vector<std::string> names_of(const Alike& group) {
  std::vector<std::string> out;
  for (const PlaceRecord* place : group.places) {
    if (out.size() == kMostNames) {
      out.push_back(fmt::format("and {} more", group.places.size() - kMostNames));
      break;
    }
    out.push_back(shown(place->name, 80));
  }
  return out;
}

std::string operators_of(const ProgramRecord& program) {
  std::string out;
  for (const ProgramRecord::Step& step : program.steps)
    out += (out.empty() ? "" : ", ") + shown(step.op);
  return out;
}

std::vector<std::string> moves_of(const PlaceRecord& place) {
  std::vector<std::string> out;
  for (const Move& move : place.mutant.moves) {
    const std::string meaning = meaning_of_move(move);
    out.push_back(shown(in_words(move), 200) + (meaning.empty() ? "" : ". " + meaning));
  }
  return out;
}

std::vector<std::string> weights_of(const ProgramRecord& after) {
  std::vector<std::string> out;
  std::size_t made = 0;
  std::size_t exact = 0;
  std::set<std::string> from;
  std::size_t operators = 0;
  for (const ProgramRecord::Leaf& leaf : after.constants) {
    if (leaf.from.empty()) {
      ++exact;
    } else if (leaf.operators > 0) {
      ++made;
      operators += leaf.operators;
      from.insert(leaf.from.begin(), leaf.from.end());
    }
  }
  if (made > 0) {
    std::string names;
    for (const std::string& name : from) {
      if (names.size() > 200) {
        names += " ...";
        break;
      }
      names += (names.empty() ? "" : ", ") + shown(name);
    }
    out.push_back(
        fmt::format("{} {} from {} by weight programs of {} in all: they hold for any "
                    "weights, and the file carries them.",
                    plural(made, "constant"), made == 1 ? "follows" : "follow", names,
                    plural(operators, "operator")));
  }
  if (exact > 0)
    out.push_back(fmt::format("{} new and {} on no weight: exact as floats.",
                              plural(exact, "constant") + (exact == 1 ? " is" : " are"),
                              exact == 1 ? "depends" : "depend"));
  return out;
}

std::vector<std::string> reasons_of(const PlaceRecord& place) {
  if (place.correction) {
    const auto& wrong = place.correction->wrong;
    return {fmt::format(
        "Partially equivalent: the mutant is wrong at {:.2f} % of the positions{}. Those are "
        "recomputed; the corrected program was checked again, and is proved with the whole file.",
        100 * place.correction->share, wrong ? " (" + region_in_words(*wrong) + ")" : "")};
  }
  // Of what an older file has in words nobody knows whether it was corrected.
  const bool is_known = std::ranges::none_of(place.mutant.moves, [](const Move& move) {
    return std::holds_alternative<move::Said>(move);
  });
  if (!is_known) return {"It is proved with the whole file."};
  return {"Fully equivalent: there is nothing to correct. It is proved with the whole file."};
}

std::vector<std::string> layouts_of(const PlaceRecord& place) {
  std::vector<std::string> out;
  for (const auto* layouts : {&place.inputs, &place.results}) {
    for (const LayoutRecord& layout : *layouts)
      out.push_back((layouts == &place.inputs ? "reads: " : "yields: ") + layout_in_words(layout));
  }
  return out;
}

}  // namespace

std::string mutation_in_short(const PlaceRecord& place) {
  if (place.mutant.moves.empty()) return fmt::format("mutant {}", place.mutant.id.value);
  const std::string first = shown(in_words(place.mutant.moves.front()));
  const std::size_t others = place.mutant.moves.size() - 1;
  return others == 0 ? first : fmt::format("{}, and {} more", first, plural(others, "move"));
}

void add_place(const RunRecord& all, const Alike& group, std::size_t number, Document& out) {
  const PlaceRecord& place = *group.places.front();
  const auto found = std::ranges::find_if(
      all.subprograms, [&](const SubprogramRecord& s) { return s.number == place.subprogram; });
  std::string was = operators_of(place.before);
  if (was.empty() && found != all.subprograms.end()) was = operators_in_words(found->operators);
  out.blocks.push_back(Heading{
      2, fmt::format(
             "{}. {}{}: {}", number, was,
             group.places.size() == 1 ? "" : fmt::format(", at {} places", group.places.size()),
             mutation_in_short(place))});
  Facts facts;
  const auto add = [&](const std::string& label, std::vector<std::string> lines) {
    if (!lines.empty()) facts.facts.push_back({label, std::move(lines)});
  };
  add("where", names_of(group));
  std::string saved =
      fmt::format("{}{}, {}, measured among its neighbours", milliseconds(place.saved_ms),
                  group.places.size() > 1 ? " each" : "", ratio_in_words(place.ratio));
  if (group.places.size() > 1)
    saved += fmt::format("; {} at all places", milliseconds(group.saved_ms()));
  add("saves", {saved});
  add("mutation", moves_of(place));
  add("why right", reasons_of(place));
  add("layout", layouts_of(place));
  add("weights", weights_of(place.after));
  out.blocks.push_back(std::move(facts));
  if (!place.before.steps.empty() && !place.after.steps.empty())
    out.blocks.push_back(Programs{place.before, place.after});
  if (found != all.subprograms.end()) add_tried(*found, place.mutant, out);
}

}  // namespace pet::explain
