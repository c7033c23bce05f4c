#include "viz/words/verdicts.h"

#include <fmt/format.h>

#include "core/program/region_words.h"
#include "viz/words/numbers.h"

namespace pet::viz {
namespace {

const CrossAnswer* of(const CrossAnswers& answers, CrossEngine engine) {
  const auto& answer = answers[static_cast<std::size_t>(engine)];
  return answer ? &*answer : nullptr;
}

const OutputVerdict* of_output(const CrossAnswer& answer, std::size_t output) {
  return output < answer.outputs.size() ? &answer.outputs[output] : nullptr;
}

std::string wrong_in_words(const OutputVerdict& said) {
  if (said.different == said.elements) return fmt::format("✘ all {}", grouped(said.elements));
  return fmt::format("✘ {} of {}", grouped(said.different), grouped(said.elements));
}

VerdictCell cell_of(const CrossAnswer& answer, std::size_t output) {
  const OutputVerdict* said = of_output(answer, output);
  switch (said != nullptr ? said->outcome : answer.outcome) {
    case Outcome::Equivalent:
      return {Said::Equal, "✔ equal"};
    case Outcome::Partial:
    case Outcome::Different:
      return {Said::Wrong, wrong_in_words(*said)};
    case Outcome::ShapeMismatch:
      return {Said::Wrong, "✘ other shapes"};
    default:
      return {Said::Unknown, answer.is_missing ? "? not installed" : "? not known"};
  }
}

// For those who do not see the sign.
std::string spoken(const VerdictCell& cell) {
  constexpr std::string_view kSign = "✘ ";
  if (cell.said != Said::Wrong) return cell.text;
  return "wrong: " + cell.text.substr(kSign.size());
}

std::string reason_of(const CrossAnswer& answer, std::size_t output) {
  const OutputVerdict* said = of_output(answer, output);
  return said != nullptr && !said->reason.empty() ? said->reason : answer.reason;
}

std::string shape_of(const Graph& program, std::size_t output) {
  const auto& shape = program.node(program.outputs()[output]).type.shape;
  return shape ? fmt::format("[{}]", fmt::join(*shape, ", ")) : "of unknown shape";
}

std::string time_in_words(double ms) {
  return ms >= 10'000 ? fmt::format("{:.0f} s", ms / 1000)
         : ms >= 1000 ? fmt::format("{:.1f} s", ms / 1000)
                      : fmt::format("{:.0f} ms", ms);
}

std::string answers_in_words(const CrossAnswers& answers, std::size_t output) {
  std::string out;
  for (const CrossEngine engine : kCrossEngines) {
    const CrossAnswer* answer = of(answers, engine);
    if (answer == nullptr) continue;
    out += fmt::format("  {}: {}  ({})\n", pet::in_words(engine), spoken(cell_of(*answer, output)),
                       time_in_words(answer->ms));
    if (const auto reason = reason_of(*answer, output); !reason.empty())
      out += fmt::format("    {}\n", reason);
    const OutputVerdict* said = of_output(*answer, output);
    if (said == nullptr || said->wrong.empty() || said->different == said->elements) continue;
    if (const auto where = where_in_words(said->wrong); !where.empty())
      out += fmt::format("    {}\n", where);
  }
  return out;
}

}  // namespace

VerdictCell verdict_cell(const CrossCheck& check, CrossEngine engine, std::size_t output) {
  const CrossAnswer* large = of(check.at_size, engine);
  if (large == nullptr) return {};
  const CrossAnswer* small = of(check.on_twin, engine);
  const bool is_twin = !decides(*large, output) && small != nullptr;
  VerdictCell out = cell_of(is_twin ? *small : *large, output);
  out.text += is_twin ? " (twin)" : "";
  out.spoken = spoken(out);
  return out;
}

std::string in_words(Agreement agreement) {
  switch (agreement) {
    case Agreement::Disagree:
      return "DISAGREE";
    case Agreement::Partial:
      return "some undecided";
    case Agreement::Undecided:
      return "undecided";
    case Agreement::Agree:
      return "agree";
    case Agreement::Open:
      return "";
  }
  return "";
}

std::string in_words(PlantedError became) {
  switch (became) {
    case PlantedError::Missed:
      return "MISSED";
    case PlantedError::Withheld:
      return "not called equal";
    case PlantedError::Flagged:
      return "flagged";
    case PlantedError::ShownEqual:
      return "changes nothing";
    case PlantedError::Open:
      return "";
  }
  return "";
}

std::string sizes_in_words(const Graph& original, const CrossCheck& check, std::size_t output) {
  std::string out = shape_of(original, output);
  if (check.twin && check.twin->ok()) out += ", twin " + shape_of(*(*check.twin)->original, output);
  return out;
}

std::string times_in_words(const CrossCheck& check) {
  std::string out;
  for (const CrossEngine engine : kCrossEngines) {
    const CrossAnswer* large = of(check.at_size, engine);
    const CrossAnswer* small = of(check.on_twin, engine);
    if (large == nullptr) break;
    const double ms = large->ms + (small != nullptr ? small->ms : 0);
    out += (out.empty() ? "" : " · ") + time_in_words(ms);
  }
  return out;
}

std::string details_in_words(const CrossCheck& check, const Agreed& agreed, std::size_t output) {
  std::string out;
  if (agreed.what != Agreement::Open)
    out += fmt::format("{}: {}\n\n", in_words(agreed.what), agreed.why);
  if (const auto large = answers_in_words(check.at_size, output); !large.empty())
    out += "At its own sizes\n" + large;
  if (!check.twin) return out;
  if (!check.twin->ok())
    return out + fmt::format("No small twin: {}\n", check.twin->error().message);
  return out + fmt::format("On the small twin ({}), {}\n{}", (*check.twin)->how,
                           shape_of(*(*check.twin)->original, output),
                           answers_in_words(check.on_twin, output));
}

}  // namespace pet::viz
