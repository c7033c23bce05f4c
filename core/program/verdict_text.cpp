#include "core/program/verdict_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/program/region_words.h"
#include "core/util/plural.h"
#include "core/util/printable.h"

namespace pet {
namespace {

constexpr std::size_t kBoxesInText = 8;

double percent_wrong(const OutputVerdict& output) {
  return output.elements == 0 ? 0
                              : 100 * static_cast<double>(output.elements - output.equal) /
                                    static_cast<double>(output.elements);
}

bool claims_all(Outcome outcome) {
  return outcome == Outcome::Equivalent || outcome == Outcome::EquivalentUpToConstants;
}

// With as many digits as a float has, or as it takes.
std::string told_apart(const Witness& witness) {
  std::string a = fmt::format("{:.9g}", witness.original);
  std::string b = fmt::format("{:.9g}", witness.mutant);
  if (a == b) {
    a = fmt::format("{:.17g}", witness.original);
    b = fmt::format("{:.17g}", witness.mutant);
  }
  std::string out = fmt::format("{} against {}", a, b);
  // A person takes it for noise, and should know by how much it is: the files differ all the same.
  constexpr double kNearRounding = 1000;
  const double distance = std::abs(witness.original - witness.mutant);
  if (distance <= kNearRounding * witness.rounding)
    out += fmt::format(", {:.2g} apart where one rounding of a float is {:.2g}", distance,
                       witness.rounding);
  return out;
}

std::string describe(const OutputVerdict& output) {
  std::string out =
      fmt::format("  output {}: {}", printable(output.name), to_string(output.outcome));
  if (output.shapes) {
    return out + fmt::format(", {} in the first and {} in the second\n",
                             to_string(output.shapes->first), to_string(output.shapes->second));
  }
  if (output.outcome == Outcome::Unknown && output.different == 0 && output.elements > 0) {
    out += fmt::format(", {} of {} elements undecided", output.undecided, output.elements);
  } else if (output.outcome == Outcome::Different && output.undecided > 0) {
    out += fmt::format(", {} of {} elements differ, {} undecided", output.different,
                       output.elements, output.undecided);
  } else if (!claims_all(output.outcome) && output.elements > 0) {
    out += fmt::format(", {} of {} elements not equal ({:.4g} %)", output.elements - output.equal,
                       output.elements, percent_wrong(output));
    if (output.undecided > 0) out += fmt::format(", {} of them undecided", output.undecided);
  }
  out += "\n";
  if (output.outcome == Outcome::Partial && output.wrong.empty())
    out += "    in too many boxes to list\n";
  if (output.outcome == Outcome::Partial && !output.wrong.empty()) {
    const std::string words = in_words(output.wrong);
    if (!words.empty()) out += fmt::format("    {}\n", words);
    Region shown{output.wrong.basis, output.wrong.boxes};
    if (shown.boxes.size() > kBoxesInText) shown.boxes.resize(kBoxesInText);
    out += fmt::format("    {}: {}{}\n", plural(output.wrong.boxes.size(), "box"), to_string(shown),
                       shown.boxes.size() < output.wrong.boxes.size() ? " ..." : "");
  }
  if (const auto& witness = output.witness) {
    out += fmt::format("    for example at {}: {} (inputs of seed {})\n",
                       to_string(witness->position), told_apart(*witness), witness->seed);
  }
  return out;
}

std::string constants_line(const FileVerdict& verdict) {
  if (verdict.weight_programs == 0) return {};
  std::string out = fmt::format("  {} {} from the first file's weights",
                                plural(verdict.weight_programs, "constant"),
                                verdict.weight_programs == 1 ? "follows" : "follow");
  if (verdict.inexact_constants > 0) {
    out += fmt::format(
        ", {} of them not to the nearest float: off by {} ulp of their largest term at most",
        verdict.inexact_constants, verdict.max_ulp);
  }
  return out + "\n";
}

std::string formulas_line(const FileVerdict& verdict) {
  std::string out;
  if (verdict.spelled_out > 0)
    out += fmt::format("  with {} spelled out by simpler ones\n",
                       plural(verdict.spelled_out, "operator"));
  if (verdict.known_reals == 1)
    out += "  up to 1 constant that is the nearest float of the same real\n";
  else if (verdict.known_reals > 1)
    out += fmt::format("  up to {} constants that are the nearest floats of the same reals\n",
                       verdict.known_reals);
  return out;
}

// What the verdict holds for, where files leave sizes open.
std::string sizes_lines(const FileVerdict& verdict) {
  if (verdict.all_sizes && !verdict.proved_at.empty())
    return "  at all sizes from 1 on, over the reals\n";
  std::string out;
  if (!verdict.for_every.empty()) {  // all of one size
    std::string names;
    for (const std::string& name : verdict.for_every)
      names += (names.empty() ? "" : " = ") + printable(name);
    out += fmt::format("  at every {} from 1 on, over the reals\n", names);
  }
  for (const auto& [name, size] : verdict.proved_at) {
    if (std::ranges::find(verdict.for_every, name) == verdict.for_every.end())
      out += fmt::format("  at {} = {} only\n", printable(name), size);
  }
  return out;
}

// Who was asked, where that is more than one.
std::string asked_line(const FileVerdict& verdict) {
  std::string out;
  for (const AskedQuestion& question : verdict.asked) {
    if (question.seconds < 0.05) continue;
    out += fmt::format("{}{} {:.1f} s", out.empty() ? "  asked: " : ", ", question.what,
                       question.seconds);
  }
  return out.empty() ? out : out + "\n";
}

std::string engines_line(const FileVerdict& verdict) {
  if (verdict.engines.size() < 2) return {};
  std::string out = "  engines: ";
  for (const EngineAnswer& engine : verdict.engines) {
    out += fmt::format("{}{} {}", out.ends_with(": ") ? "" : ", ", engine.engine,
                       to_string(engine.outcome));
    if (engine.outcome == Outcome::Unknown && engine.reason != verdict.reason &&
        !engine.reason.empty())
      out += fmt::format(" ({})", engine.reason);
  }
  return out + "\n";
}

// "Conv, 2 Add": operators in the order in which each kind comes first.
std::string counted(const std::vector<std::string>& operators) {
  std::vector<std::pair<std::string, std::size_t>> kinds;
  for (const std::string& name : operators) {
    const auto it = std::ranges::find(kinds, name, &std::pair<std::string, std::size_t>::first);
    if (it == kinds.end()) {
      kinds.emplace_back(name, 1);
    } else {
      ++it->second;
    }
  }
  std::string out;
  for (const auto& [name, number] : kinds) {
    out += out.empty() ? "" : ", ";
    out += number == 1 ? name : fmt::format("{} {}", number, name);
  }
  return out.empty() ? "nothing" : out;
}

// The first place whose first values agree and whose result was not shown to.
std::string open_place_lines(const PlaceReport& place) {
  std::string between;
  for (const std::string& name : place.between)
    between += fmt::format("{}'{}'", between.empty() ? "" : ", ", printable(name));
  std::string out =
      fmt::format("  equal up to {}, and not shown from there to '{}': {} against {}\n",
                  between.empty() ? "constants" : between, printable(place.original),
                  counted(place.operators), counted(place.replaced_by));
  if (place.witness) {
    out += fmt::format("    this piece alone is {}, for example at {}: {} (inputs of seed {})\n",
                       to_string(place.outcome), to_string(place.witness->position),
                       told_apart(*place.witness), place.witness->seed);
  }
  return out;
}

std::string places_lines(const PlacesReport& report, PlacesInText how) {
  constexpr std::size_t kSome = 12;
  const auto is_shown = [](const PlaceReport& place) { return !place.shown_by.empty(); };
  const auto shown = static_cast<std::size_t>(std::ranges::count_if(report.places, is_shown));
  std::string out;
  if (shown > 0 || report.shared > 0) {
    out += fmt::format("  {} the same in both, {} shown to be equal by {}\n",
                       plural(report.shared, "operator"), plural(shown, "piece"),
                       shown == 1 ? "itself" : "themselves");
  }
  const std::size_t listed = how == PlacesInText::All ? shown : std::min(shown, kSome);
  std::vector<std::array<std::string, 4>> rows;
  for (const PlaceReport& place : report.places) {
    if (!is_shown(place) || rows.size() >= listed) continue;
    rows.push_back({printable(place.original), counted(place.operators), counted(place.replaced_by),
                    place.shown_by});
  }
  if (!rows.empty()) rows.insert(rows.begin(), {"value", "was", "is", "shown by"});
  std::array<std::size_t, 4> widths{};
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  for (const auto& row : rows) {
    out += fmt::format("    {:<{}}  {:<{}}  {:<{}}  {}\n", row[0], widths[0], row[1], widths[1],
                       row[2], widths[2], row[3]);
  }
  if (listed < shown) out += fmt::format("    and {} more (--verbose)\n", shown - listed);
  for (const PlaceReport& place : report.places)
    if (!is_shown(place)) out += open_place_lines(place);
  if (!report.whole.empty())
    out += fmt::format("  the whole of both was looked at: {}\n", printable(report.whole));
  return out;
}

}  // namespace

std::string reason_of(const FileVerdict& verdict) {
  const auto has_it = [&](const OutputVerdict& output) { return output.reason == verdict.reason; };
  if (verdict.reason.empty() || std::ranges::all_of(verdict.outputs, has_it)) return verdict.reason;
  const auto output = std::ranges::find_if(verdict.outputs, has_it);
  if (output == verdict.outputs.end()) return verdict.reason;
  return fmt::format("output {}: {}", printable(output->name), verdict.reason);
}

std::string text_of(const FileVerdict& verdict, bool weights_bound, PlacesInText places) {
  std::string out(to_string(verdict.outcome));
  if (!verdict.reason.empty()) out += ": " + reason_of(verdict);
  out += "\n";
  for (const OutputVerdict& output : verdict.outputs) out += describe(output);
  out += sizes_lines(verdict);
  if (weights_bound) out += "  with the stored weights only\n";
  out += constants_line(verdict) + formulas_line(verdict);
  if (verdict.places) out += places_lines(*verdict.places, places);
  out += engines_line(verdict);
  return places == PlacesInText::All ? out + asked_line(verdict) : out;
}

}  // namespace pet
