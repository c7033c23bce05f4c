#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "app/explain/compose.h"
#include "app/explain/words.h"

namespace pet::explain {
namespace {

constexpr std::size_t kMostNames = 6;
constexpr std::size_t kMostTried = 12;

std::vector<std::string> names_of(const Alike& group) {
  std::vector<std::string> out;
  for (const Place* place : group.places) {
    if (out.size() == kMostNames) {
      out.push_back(fmt::format("and {} more", group.places.size() - kMostNames));
      break;
    }
    out.push_back(shown(place->name, 80));
  }
  return out;
}

std::string operators_of(const Program& program) {
  std::string out;
  for (const Program::Step& step : program.steps)
    out += (out.empty() ? "" : ", ") + step.op.substr(0, step.op.find('<'));
  return out;
}

std::vector<std::string> moves_of(const Place& place) {
  std::vector<std::string> out;
  for (const std::string& move : place.moves) {
    const std::string meaning = meaning_of_move(move, place.before);
    out.push_back(shown(move, 200) + (meaning.empty() ? "" : ". " + meaning));
  }
  return out;
}

std::string result_type(const Program& program) {
  for (const Program::Step& step : program.steps) {
    if (!program.outputs.empty() && step.id == program.outputs.front()) return step.type;
  }
  return {};
}

std::vector<std::string> weights_of(const Program& after) {
  std::vector<std::string> out;
  std::size_t made = 0;
  std::size_t exact = 0;
  std::set<std::string> from;
  std::size_t operators = 0;
  for (const Program::Leaf& leaf : after.constants) {
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

std::vector<std::string> reasons_of(const Explanation& all, const Place& place) {
  std::vector<std::string> out;
  if (place.correction) {
    const std::string where = region_in_words(place.correction->wrong, result_type(place.before));
    out.push_back(fmt::format(
        "The mutant is partially equivalent: wrong at {:.2f} % of the positions ({}). Those are "
        "recomputed; the corrected program was checked again, at every position.",
        100 * place.correction->share, where));
  } else {
    out.push_back("The mutant is equal at every position; nothing had to be corrected.");
  }
  if (all.verdict.empty()) return out;
  std::string proof = fmt::format("The written file is {} as a whole", all.verdict);
  if (all.log2_error)
    proof += fmt::format(": an error would have gone unseen with probability 2^{:.1f} at most",
                         *all.log2_error);
  out.push_back(proof + ".");
  return out;
}

std::vector<std::string> layouts_of(const Place& place) {
  std::vector<std::string> out;
  for (const auto* layouts : {&place.inputs, &place.outputs}) {
    for (const Layout& layout : *layouts)
      out.push_back((layouts == &place.inputs ? "reads: " : "yields: ") + layout_in_words(layout));
  }
  if (!out.empty())
    out.push_back(
        "Neighbours that do not mind run in that order too; only who does gets a "
        "transpose (PET, section 6.3).");
  return out;
}

}  // namespace

double Alike::saved_ms() const {
  double out = 0;
  for (const Place* place : places) out += place->saved_ms;
  return out;
}

std::vector<Alike> alike(const std::vector<Place>& places) {
  std::vector<Alike> out;
  for (const Place& place : places) {
    const auto at = std::ranges::find_if(out, [&](const Alike& group) {
      const Place& first = *group.places.front();
      return first.subprogram == place.subprogram && first.mutant == place.mutant;
    });
    if (at != out.end()) {
      at->places.push_back(&place);
    } else {
      out.push_back({{&place}});
    }
  }
  std::ranges::stable_sort(
      out, [](const Alike& a, const Alike& b) { return a.saved_ms() > b.saved_ms(); });
  return out;
}

void add_place(const Explanation& all, const Alike& group, std::size_t number, Document& out) {
  const Place& place = *group.places.front();
  const auto found = std::ranges::find_if(
      all.subprograms, [&](const Subprogram& s) { return s.number == place.subprogram; });
  std::string was = operators_of(place.before);
  if (was.empty() && found != all.subprograms.end()) was = shown(found->operators, 100);
  out.blocks.push_back(
      Heading{2, group.places.size() == 1
                     ? fmt::format("{}. {}", number, was)
                     : fmt::format("{}. {}, at {} places", number, was, group.places.size())});
  Facts facts;
  const auto add = [&](const std::string& label, std::vector<std::string> lines) {
    if (!lines.empty()) facts.facts.push_back({label, std::move(lines)});
  };
  add("where", names_of(group));
  std::string saved = fmt::format("{} each, {}, measured among its neighbours",
                                  milliseconds(place.saved_ms), ratio_in_words(place.ratio));
  if (group.places.size() > 1)
    saved += fmt::format("; {} at all places", milliseconds(group.saved_ms()));
  add("saves", {saved});
  add("moves", moves_of(place));
  add("layout", layouts_of(place));
  add("right", reasons_of(all, place));
  add("weights", weights_of(place.after));
  out.blocks.push_back(std::move(facts));
  if (!place.before.steps.empty() && !place.after.steps.empty())
    out.blocks.push_back(Programs{place.before, place.after});
  if (found != all.subprograms.end()) add_tried(*found, place.mutant, out);
}

void add_tried(const Subprogram& subprogram, const std::optional<std::string>& taken,
               Document& out) {
  std::string counts;
  if (subprogram.nodes > 0) {
    counts = fmt::format("{} of the generator's tree, {}", plural(subprogram.nodes, "node"),
                         plural(subprogram.programs, "program"));
    for (const auto& [why, number] : subprogram.pruned)
      counts += fmt::format(", {} pruned ({})", number, shown(why, 80));
    counts += "; ";
  }
  counts += fmt::format("{} proposed", plural(subprogram.proposed, "mutant"));
  if (subprogram.partial > 0)
    counts += fmt::format(", {} found partially equivalent and {} of them corrected",
                          subprogram.partial, subprogram.corrected);
  for (const auto& [why, number] : subprogram.discarded)
    counts += fmt::format(", {} discarded ({})", number, shown(why, 80));
  counts += fmt::format(", {} measured", subprogram.measured.size());
  if (!subprogram.failed.empty()) counts += fmt::format(", {} failed", subprogram.failed.size());
  Facts facts;
  facts.facts.push_back({"tried", {counts + "."}});
  for (const std::string& failure : subprogram.failed) {
    if (facts.facts.front().lines.size() > kMostNames) break;
    facts.facts.front().lines.push_back("failed: " + shown(failure, 180));
  }
  out.blocks.push_back(std::move(facts));
  if (subprogram.measured.empty()) return;
  Table table{"What was measured here", {"mutant", "ratio", "at least", "saves ms", "came to"}, {}};
  auto measured = subprogram.measured;
  std::ranges::stable_sort(measured,
                           [](const Tried& a, const Tried& b) { return a.saved_ms > b.saved_ms; });
  for (const Tried& tried : measured) {
    if (table.rows.size() == kMostTried) break;
    const bool lost = !taken || tried.decision != "faster";
    const std::string came = taken == tried.mutant ? "taken"
                             : lost                ? tried.decision
                                                   : "others fit better";
    table.rows.push_back({shown(tried.mutant, 160), fmt::format("{:.3f}", tried.ratio.median),
                          tried.ratio.low ? fmt::format("{:.3f}", *tried.ratio.low) : "?",
                          fmt::format("{:.3f}", tried.saved_ms), shown(came, 30)});
  }
  if (measured.size() > kMostTried) {
    table.rows.push_back({fmt::format("and {} more, which save less", measured.size() - kMostTried),
                          "", "", "", ""});
  }
  out.blocks.push_back(std::move(table));
}

}  // namespace pet::explain
