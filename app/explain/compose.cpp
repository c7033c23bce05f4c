#include "app/explain/compose.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "app/explain/words.h"

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

std::string operators_line(const Explanation& all) {
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

std::string transposes_line(const Explanation& all) {
  std::size_t borders = 0;
  for (const Place& place : all.places) borders += place.inputs.size() + place.outputs.size();
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

std::vector<std::string> trust(const Explanation& all) {
  std::vector<std::string> out;
  std::string proof = all.verdict;
  if (all.log2_error)
    proof += fmt::format(
        ", wrong with probability 2^{:.1f} at most: both programs at every output "
        "position modulo {}",
        *all.log2_error, plural(all.primes, "random prime"));
  out.push_back(proof + ".");
  if (all.weight_programs > 0)
    out.push_back(fmt::format(
        "{} of the file {} from the original's weights by weight programs "
        "that the file carries; the proof holds for any weights.",
        plural(all.weight_programs, "constant"), all.weight_programs == 1 ? "follows" : "follow"));
  return out;
}

std::string numbers(const Explanation& all) {
  std::string out = fmt::format(
      "largest difference {:.2g} of the largest output value, on random inputs", all.max_rel);
  if (all.max_rel_allowed) out += fmt::format(" (allowed {:.2g})", *all.max_rel_allowed);
  return out + fmt::format("; sums grow {:.3g}x at worst.", all.growth);
}

std::string sizes(const Explanation& all) {
  std::string out = fmt::format("{} -> {}", bytes_in_words(all.bytes_original),
                                bytes_in_words(all.bytes_optimized));
  if (all.bytes_original > 0)
    out += fmt::format(", {:.2f}x", all.bytes_optimized / all.bytes_original);
  if (all.growth_allowed) out += fmt::format(" (allowed {:.2g}x)", *all.growth_allowed);
  return out;
}

// Stages by the names that reports have; accepting holds the proof, searching the measurements.
std::string times_in_words(const Explanation& all) {
  const auto seconds = [&](const char* stage) -> std::optional<double> {
    const auto at = all.seconds.find(stage);
    return at == all.seconds.end() ? std::nullopt : std::optional(at->second);
  };
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : ", ") + text; };
  if (const auto s = seconds("set-up")) add(fmt::format("set-up {:.1f} s", *s));
  if (const auto s = seconds("search")) {
    std::string of_it;
    if (all.measuring_s) of_it = fmt::format("{:.1f} s of it measuring", *all.measuring_s);
    if (all.search_budget_s)
      of_it += fmt::format("{}budget {:.0f} s", of_it.empty() ? "" : "; ", *all.search_budget_s);
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

std::vector<std::string> effort(const Explanation& all) {
  std::vector<std::string> out;
  out.push_back(fmt::format("{}, {} proposed, {} checked, {} measured; {}",
                            plural(all.subprograms.size(), "subprogram"),
                            plural(all.proposed, "mutant"), all.verified, all.measured,
                            all.stop.empty() ? "not finished" : all.stop));
  if (all.measured_afresh + all.remembered > 0)
    out.back() += fmt::format("; {} afresh, {} remembered from earlier runs",
                              plural(all.measured_afresh, "measurement"), all.remembered);
  if (const std::string times = times_in_words(all); !times.empty()) out.push_back(times);
  return out;
}

std::string where_it_runs(const Explanation& all) {
  std::string out = shown(all.target, 60);
  if (!all.device.empty()) out += " on " + shown(all.device, 80);
  if (all.threads > 0) out += ", " + plural(all.threads, "thread");
  return out;
}

std::vector<std::string> attempts(const Explanation& all) {
  std::vector<std::string> out;
  for (const Attempt& attempt : all.attempts) {
    out.push_back(fmt::format("{} together: {}", plural(attempt.mutants, "mutant"),
                              shown(attempt.reason, 200)));
  }
  return out;
}

// What a reader of the first line alone should know.
void add_lead(const Explanation& all, Document& out) {
  if (!all.changed) return;
  std::string text = fmt::format("{:.2f}x as fast", all.speedup.median);
  if (all.original_ms > 0)
    text += fmt::format(": {} instead of {}", milliseconds(all.optimized_ms),
                        milliseconds(all.original_ms));
  const std::size_t places = all.places.size();
  if (places > 0) text += fmt::format(", with {} changed", plural(places, "place"));
  if (!all.verdict.empty()) text += fmt::format(" and the file proved {}", all.verdict);
  out.blocks.push_back(Paragraph{text + ".", true});
}

void add_summary(const Explanation& all, Document& out) {
  Facts facts;
  const auto add = [&](const std::string& label, std::vector<std::string> lines) {
    if (!lines.empty()) facts.facts.push_back({label, std::move(lines)});
  };
  if (all.changed && all.original_ms <= 0) {
    add("time", {"the whole file: " + ratio_in_words(all.speedup)});
  } else if (all.changed) {
    add("time", {fmt::format("{} -> {}, {}", milliseconds(all.original_ms),
                             milliseconds(all.optimized_ms), ratio_in_words(all.speedup))});
  } else if (all.original_ms > 0) {
    add("time", {milliseconds(all.original_ms) + ", that of the original"});
  }
  add("measured in", {where_it_runs(all)});
  if (all.changed && all.source == Explanation::Source::Report) {
    if (!all.verdict.empty()) add("proof", trust(all));
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

void add_waterfall(const Explanation& all, const std::vector<Alike>& groups, Document& out) {
  if (all.original_ms <= 0) return;
  out.blocks.push_back(Heading{2, "Where the time went"});
  Waterfall fall;
  fall.bars.push_back({"original", 0, all.original_ms, Waterfall::Kind::Total});
  double left = all.original_ms;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const double saved = groups[i].saved_ms();
    const std::size_t places = groups[i].places.size();
    const std::string name = mutation_in_short(*groups[i].places.front());
    const std::string label = fmt::format("{}. {}{}", i + 1, name,
                                          places == 1 ? "" : fmt::format(" ({} places)", places));
    fall.bars.push_back(
        {label, left, left - saved, saved >= 0 ? Waterfall::Kind::Saving : Waterfall::Kind::Loss});
    left -= saved;
  }
  const double difference = all.optimized_ms - left;
  fall.bars.push_back({"places together, against their sum", left, all.optimized_ms,
                       difference <= 0 ? Waterfall::Kind::Saving : Waterfall::Kind::Loss});
  fall.bars.push_back({"optimized", 0, all.optimized_ms, Waterfall::Kind::Total});
  out.blocks.push_back(std::move(fall));
  out.blocks.push_back(Paragraph{
      "Each place was measured in a window of its neighbours, the first and the last bar in whole "
      "files. Where the places do not add up to the whole, the difference is a bar of its own: "
      "transposes between places, caches, and what the runtime fuses."});
}

void compose_report(const Explanation& all, Document& out) {
  add_lead(all, out);
  if (!all.changed) {
    out.blocks.push_back(Paragraph{fmt::format(
        "The file is unchanged: what was written is the original, byte for byte. Reason: {}.",
        all.reason.empty() ? "not recorded" : shown(all.reason, 200))});
  }
  add_summary(all, out);
  if (all.changed) add_waterfall(all, alike(all.places), out);
}

void compose_journal(const Explanation& all, Document& out) {
  add_lead(all, out);
  out.blocks.push_back(Paragraph{
      "A journal says what the search did and how fast the file is that came of it; its proof and "
      "its numbers stand in the report."});
  add_summary(all, out);
  if (all.changed) add_waterfall(all, alike(all.places), out);
  if (!all.without_programs.empty())
    out.blocks.push_back(
        Paragraph{"There are no graphs: " + shown(all.without_programs, 300) + "."});
}

void add_places(const Explanation& all, Document& out) {
  const auto groups = alike(all.places);
  if (groups.empty()) return;
  out.blocks.push_back(Heading{1, "Changed places"});
  const bool in_orders = std::ranges::any_of(all.places, [](const Place& place) {
    return !place.inputs.empty() || !place.outputs.empty();
  });
  if (in_orders)
    out.blocks.push_back(Paragraph{
        "Some places read or yield values with their axes in another order. Neighbours that do not "
        "mind run in that order too; a Transpose is left only where one does (PET, section 6.3)."});
  for (std::size_t i = 0; i < groups.size(); ++i) add_place(all, groups[i], i + 1, out);
}

}  // namespace

Document compose(const Explanation& all) {
  Document out{shown(all.model.empty() ? "a model without a name" : all.model, 80), {}};
  if (all.source == Explanation::Source::Report) {
    compose_report(all, out);
  } else {
    compose_journal(all, out);
  }
  add_places(all, out);
  add_others(all, out);
  add_subprograms(all, out);
  add_terms(out);
  return out;
}

std::vector<bool> new_steps(const Program& before, const Program& after) {
  std::set<std::string> made;  // constants
  for (const Program::Leaf& leaf : after.constants)
    if (leaf.operators > 0) made.insert(leaf.id);
  const auto stood = [&](const Program::Step& step) {
    return std::ranges::any_of(before.steps, [&](const Program::Step& old) {
      return without_defaults(old.op) == without_defaults(step.op) && old.type == step.type;
    });
  };
  const auto reads_made = [&](const Program::Step& step) {
    return std::ranges::any_of(step.operands,
                               [&](const std::string& id) { return made.contains(id); });
  };
  std::vector<bool> out;
  for (const Program::Step& step : after.steps) out.push_back(!stood(step) || reads_made(step));
  return out;
}

}  // namespace pet::explain
