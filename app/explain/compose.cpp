#include "app/explain/compose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "app/explain/words.h"
#include "core/util/plural.h"

namespace pet::explain {
namespace {

std::size_t sum(const std::map<std::string, std::size_t>& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::size_t{0},
                         [](std::size_t all, const auto& entry) { return all + entry.second; });
}

std::size_t count_of(const std::map<std::string, std::size_t>& counts, const std::string& name) {
  const auto at = counts.find(name);
  return at == counts.end() ? 0 : at->second;
}

std::string operators_line(const RunRecord& all) {
  if (all.operators_before == all.operators_after)
    return fmt::format("{} on activations, as many of each as before.", sum(all.operators_after));
  std::string out = fmt::format("{} operators on activations became {}", sum(all.operators_before),
                                sum(all.operators_after));
  std::set<std::string> names;
  for (const auto* counts : {&all.operators_before, &all.operators_after}) {
    for (const auto& [name, number] : *counts) names.insert(name);
  }
  std::string changes;
  for (const std::string& name : names) {
    const auto before = count_of(all.operators_before, name);
    const auto after = count_of(all.operators_after, name);
    if (before != after)
      changes += fmt::format("{}{} {} -> {}", changes.empty() ? ": " : ", ", shown(name, 30),
                             before, after);
  }
  return out + changes + ".";
}

std::string transposes_line(const RunRecord& all) {
  std::size_t borders = 0;
  for (const PlaceRecord& place : all.places) borders += place.inputs.size() + place.results.size();
  const auto left = count_of(all.operators_after, "Transpose");
  const auto had = count_of(all.operators_before, "Transpose");
  std::string out =
      fmt::format("{} of activations (the original has {})", plural(left, "Transpose"), had);
  if (borders > 0)
    out += fmt::format(
        "; places read or yield {} in another order of axes, each one a Transpose "
        "where it does not cancel (PET, section 6.3)",
        plural(borders, "value"));
  return out + ".";
}

std::vector<std::string> trust(const RunRecord& all) {
  std::vector<std::string> out;
  const TrustRecord& t = all.trust;
  std::string proof(to_string(*t.verdict));
  if (t.log2_error)
    proof += fmt::format(
        ", wrong with probability 2^{:.1f} at most: both programs at every output "
        "position modulo {}",
        *t.log2_error, plural(t.primes, "random prime"));
  out.push_back(proof + ".");
  if (t.weight_programs > 0)
    out.push_back(fmt::format(
        "{} of the file {} from the original's weights by weight programs "
        "that the file carries; the proof holds for any weights.",
        plural(t.weight_programs, "constant"), t.weight_programs == 1 ? "follows" : "follow"));
  return out;
}

std::string numbers(const RunRecord& all) {
  std::string out =
      fmt::format("largest difference {:.2g} of the largest output value, on random inputs",
                  all.trust.numeric.max_rel);
  if (all.limits.max_rel_error) out += fmt::format(" (allowed {:.2g})", *all.limits.max_rel_error);
  return out + fmt::format("; sums grow {:.3g}x at worst.", all.trust.growth);
}

std::string sizes(const RunRecord& all) {
  std::string out = fmt::format("{} -> {}", bytes_in_words(all.bytes_original),
                                bytes_in_words(all.bytes_optimized));
  if (all.bytes_original > 0)
    out += fmt::format(", {:.2f}x", static_cast<double>(all.bytes_optimized) /
                                        static_cast<double>(all.bytes_original));
  if (all.limits.max_growth) out += fmt::format(" (allowed {:.2g}x)", *all.limits.max_growth);
  return out;
}

// Stages by the names that reports have; accepting holds the proof, searching the measurements.
std::string times_in_words(const RunRecord& all) {
  const auto seconds = [&](const char* stage) -> std::optional<double> {
    const auto at = all.seconds.find(stage);
    return at == all.seconds.end() ? std::nullopt : std::optional(at->second);
  };
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : ", ") + text; };
  if (const auto s = seconds("set-up")) add(fmt::format("set-up {:.1f} s", *s));
  if (const auto s = seconds("search")) {
    std::string of_it;
    if (all.effort.measuring_s)
      of_it = fmt::format("{:.1f} s of it measuring", *all.effort.measuring_s);
    if (all.limits.search_s)
      of_it += fmt::format("{}budget {:.0f} s", of_it.empty() ? "" : "; ", *all.limits.search_s);
    add(fmt::format("search {:.1f} s{}", *s, of_it.empty() ? "" : " (" + of_it + ")"));
  }
  if (const auto s = seconds("accept")) {
    const auto proof = seconds("proof");
    add(fmt::format("acceptance {:.1f} s{}", *s,
                    proof ? fmt::format(" ({:.1f} s of it the proof)", *proof) : ""));
  }
  if (const auto s = seconds("total")) add(fmt::format("{:.1f} s in all", *s));
  return out.empty() ? out : out + ".";
}

std::vector<std::string> effort(const RunRecord& all) {
  const EffortRecord& e = all.effort;
  std::vector<std::string> out;
  out.push_back(fmt::format("{}, {} proposed, {} checked, {} measured; {}",
                            plural(all.subprograms.size(), "subprogram"),
                            plural(e.proposed, "mutant"), e.verified, e.measured,
                            e.stop ? to_string(*e.stop) : "not finished"));
  if (e.made + e.reused > 0)
    out.back() += fmt::format("; {} afresh, {} remembered from earlier runs",
                              plural(e.made, "measurement"), e.reused);
  if (const std::string times = times_in_words(all); !times.empty()) out.push_back(times);
  return out;
}

std::string where_it_runs(const RunRecord& all) {
  const TargetRecord& t = all.target;
  std::string out = shown(t.version.empty() ? t.name : t.name + " " + t.version, 60);
  if (!t.device.empty()) out += " on " + shown(t.device, 80);
  if (t.threads > 0) out += ", " + plural(t.threads, "thread");
  return out;
}

std::vector<std::string> attempts(const RunRecord& all) {
  std::vector<std::string> out;
  for (const AttemptRecord& attempt : all.rejected) {
    out.push_back(fmt::format("{} together: {}", plural(attempt.mutants, "mutant"),
                              shown(attempt.reason, 200)));
  }
  return out;
}

double median_ms(const std::optional<FileTimes>& times) { return times ? times->median_ms : 0; }

// What a reader of the first line alone should know.
void add_lead(const RunRecord& all, Document& out) {
  if (!all.changed) return;
  std::string text = fmt::format("{:.2f}x as fast", all.speedup.median);
  const double original_ms = median_ms(all.original_times);
  if (original_ms > 0)
    text += fmt::format(": {} instead of {}", milliseconds(median_ms(all.optimized_times)),
                        milliseconds(original_ms));
  const std::size_t places = all.places.size();
  if (places > 0) text += fmt::format(", with {} changed", plural(places, "place"));
  if (all.trust.verdict)
    text += fmt::format(" and the file proved {}", to_string(*all.trust.verdict));
  out.blocks.push_back(Paragraph{text + ".", true});
}

void add_summary(const RunRecord& all, Document& out) {
  Facts facts;
  const auto add = [&](const std::string& label, std::vector<std::string> lines) {
    if (!lines.empty()) facts.facts.push_back({label, std::move(lines)});
  };
  const double original_ms = median_ms(all.original_times);
  if (all.changed && original_ms <= 0) {
    add("time", {"the whole file: " + ratio_in_words(all.speedup)});
  } else if (all.changed) {
    add("time",
        {fmt::format("{} -> {}, {}", milliseconds(original_ms),
                     milliseconds(median_ms(all.optimized_times)), ratio_in_words(all.speedup))});
  } else if (original_ms > 0) {
    add("time", {milliseconds(original_ms) + ", that of the original"});
  }
  add("measured in", {where_it_runs(all)});
  if (all.changed && all.source == RunRecord::Source::Report) {
    if (all.trust.verdict) add("proof", trust(all));
    add("numbers", {numbers(all)});
    add("file", {sizes(all)});
    if (!all.operators_after.empty()) {
      add("operators", {operators_line(all)});
      add("layout", {transposes_line(all)});
    }
  }
  add("search", effort(all));
  add("rejected", attempts(all));
  out.blocks.push_back(std::move(facts));
}

std::string label_of(const Waterfall::Bar& bar, const std::vector<Alike>& groups) {
  switch (bar.what) {
    case Waterfall::Bar::What::Original:
      return "original";
    case Waterfall::Bar::What::Together:
      return "places together, against their sum";
    case Waterfall::Bar::What::Optimized:
      return "optimized";
    case Waterfall::Bar::What::Places:
      break;
  }
  const Alike& group = groups[bar.group];
  const std::size_t places = group.places.size();
  return fmt::format("{}. {}{}", bar.group + 1, mutation_in_short(*group.places.front()),
                     places == 1 ? "" : fmt::format(" ({} places)", places));
}

BarChart::Kind kind_of(const Waterfall::Bar& bar) {
  const bool is_total =
      bar.what == Waterfall::Bar::What::Original || bar.what == Waterfall::Bar::What::Optimized;
  if (is_total) return BarChart::Kind::Total;
  return bar.to_ms <= bar.from_ms ? BarChart::Kind::Saving : BarChart::Kind::Loss;
}

void add_waterfall(const RunRecord& all, Document& out) {
  const Waterfall fall = waterfall_of(all);
  if (fall.bars.empty()) return;
  const auto groups = alike(all.places);
  BarChart chart;
  for (const Waterfall::Bar& bar : fall.bars)
    chart.bars.push_back({label_of(bar, groups), bar.from_ms, bar.to_ms, kind_of(bar)});
  out.blocks.push_back(Heading{2, "Where the time went"});
  out.blocks.push_back(std::move(chart));
  out.blocks.push_back(Paragraph{
      "Each place was measured in a window of its neighbours, the first and the last bar in whole "
      "files. Where the places do not add up to the whole, the difference is a bar of its own: "
      "transposes between places, caches, and what the runtime fuses."});
}

void compose_report(const RunRecord& all, Document& out) {
  add_lead(all, out);
  if (!all.changed) {
    out.blocks.push_back(Paragraph{fmt::format(
        "The file is unchanged: what was written is the original, byte for byte. Reason: {}.",
        all.reason.empty() ? "not recorded" : shown(all.reason, 200))});
  }
  add_summary(all, out);
  if (all.changed) add_waterfall(all, out);
}

void compose_journal(const RunRecord& all, Document& out) {
  add_lead(all, out);
  out.blocks.push_back(Paragraph{
      "A journal says what the search did and how fast the file is that came of it; its proof and "
      "its numbers stand in the report."});
  add_summary(all, out);
  if (all.changed) add_waterfall(all, out);
  if (!all.without_programs.empty())
    out.blocks.push_back(
        Paragraph{"There are no graphs: " + shown(all.without_programs, 300) + "."});
}

void add_places(const RunRecord& all, Document& out) {
  const auto groups = alike(all.places);
  if (groups.empty()) return;
  out.blocks.push_back(Heading{1, "Changed places"});
  const bool in_orders = std::ranges::any_of(all.places, [](const PlaceRecord& place) {
    return !place.inputs.empty() || !place.results.empty();
  });
  if (in_orders)
    out.blocks.push_back(Paragraph{
        "Some places read or yield values with their axes in another order. Neighbours that do not "
        "mind run in that order too; a Transpose is left only where one does (PET, section 6.3)."});
  for (std::size_t i = 0; i < groups.size(); ++i) add_place(all, groups[i], i + 1, out);
}

void add_rule_way(const RunRecord& all, Document& out) {
  if (all.rule_way.empty()) return;
  constexpr std::size_t kMostSteps = 200;
  out.blocks.push_back(Heading{1, "Rules"});
  out.blocks.push_back(
      Paragraph{"The rules on the way to the cheapest program that was reached, in order, and what "
                "each saves by "
                "estimate. Whole files decide what is written."});
  Table table{"rules on the way", {"rule, and where it was applied", "saves"}, {}, true};
  for (const RuleStepRecord& step : all.rule_way) {
    if (table.rows.size() == kMostSteps) break;
    std::string at = step.applied.place.empty() ? "" : " at " + step.applied.place;
    if (step.places > 1) at += fmt::format(" and in {}", plural(step.places - 1, "other block"));
    table.rows.push_back({{shown(in_words(Move{step.applied}) + at, 300),
                           step.saved_ms ? fmt::format("{:.4f} ms", *step.saved_ms) : ""}});
  }
  if (const std::size_t more = all.rule_way.size() - table.rows.size(); more > 0)
    table.rows.push_back({{fmt::format("and {} more", more)}, Table::Row::Kind::Note});
  out.blocks.push_back(std::move(table));
}

}  // namespace

Document compose(const RunRecord& all) {
  Document out{shown(all.model.empty() ? "a model without a name" : all.model, 80), {}};
  if (all.source == RunRecord::Source::Report) {
    compose_report(all, out);
  } else {
    compose_journal(all, out);
  }
  add_rule_way(all, out);
  add_places(all, out);
  add_others(all, out);
  add_subprograms(all, out);
  add_terms(out);
  return out;
}

std::vector<bool> new_steps(const ProgramRecord& before, const ProgramRecord& after) {
  std::set<std::string> made;  // constants
  for (const ProgramRecord::Leaf& leaf : after.constants)
    if (leaf.operators > 0) made.insert(leaf.id);
  const auto stood = [&](const ProgramRecord::Step& step) {
    return std::ranges::any_of(before.steps, [&](const ProgramRecord::Step& old) {
      return operator_in_words(old) == operator_in_words(step) && old.type == step.type;
    });
  };
  const auto reads_made = [&](const ProgramRecord::Step& step) {
    return std::ranges::any_of(step.operands,
                               [&](const std::string& id) { return made.contains(id); });
  };
  std::vector<bool> out;
  for (const ProgramRecord::Step& step : after.steps)
    out.push_back(!stood(step) || reads_made(step));
  return out;
}

}  // namespace pet::explain
