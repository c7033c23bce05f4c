#include "core/program/cross_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/util/plural.h"
#include "core/util/printable.h"

namespace pet {
namespace {

const std::optional<CrossAnswer>& of(const CrossAnswers& answers, CrossEngine engine) {
  return answers[static_cast<std::size_t>(engine)];
}

const OutputVerdict* said_of(const CrossAnswer& answer, std::size_t output) {
  return output < answer.outputs.size() ? &answer.outputs[output] : nullptr;
}

Outcome outcome_of(const CrossAnswer& answer, std::size_t output) {
  const OutputVerdict* said = said_of(answer, output);
  return said != nullptr ? said->outcome : answer.outcome;
}

bool decides_all(const CrossAnswer& answer) {
  for (std::size_t i = 0; i < std::max<std::size_t>(answer.outputs.size(), 1); ++i)
    if (!decides(answer, i)) return false;
  return true;
}

// By position; empty where nothing is known of single ones.
struct Positions {
  std::vector<char> equal, wrong;
};

Positions positions_of(const OutputVerdict& said) {
  Positions out;
  const auto all = static_cast<std::size_t>(said.elements);
  if (said.wrong.empty()) {
    out.equal.assign(all, said.undecided == 0 && said.different == 0 ? 1 : 0);
    out.wrong.assign(all, 0);
    return out;
  }
  out.wrong = said.wrong.points();
  for (const char mark : out.wrong) out.equal.push_back(mark == 0 ? 1 : 0);
  // Which of them are undecided is not said by position.
  if (said.undecided > 0) std::ranges::fill(out.wrong, 0);
  return out;
}

Dim both(const std::vector<char>& a, const std::vector<char>& b) {
  Dim out = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (a[i] != 0 && b[i] != 0) ++out;
  return out;
}

std::string elements(Dim count) { return plural(count, "element"); }

// One answer, and whose it is.
struct Voice {
  CrossEngine engine;
  const CrossAnswer* answer;
};

std::string clash_of(const Voice& a, const OutputVerdict& of_a, const Voice& b,
                     const OutputVerdict& of_b) {
  if (of_a.elements != of_b.elements)
    return fmt::format("{} sees {}, {} {}", in_words(a.engine), elements(of_a.elements),
                       in_words(b.engine), of_b.elements);
  const Positions at_a = positions_of(of_a);
  const Positions at_b = positions_of(of_b);
  const Dim wrong_in_a = both(at_a.wrong, at_b.equal);
  const Dim wrong_in_b = both(at_b.wrong, at_a.equal);
  const auto more = [](const Voice& who, const Voice& other, Dim n) {
    return fmt::format("{} calls {} wrong that {} calls equal", in_words(who.engine), elements(n),
                       in_words(other.engine));
  };
  if (wrong_in_a > 0 && wrong_in_b > 0)
    return fmt::format("{}, and {} the other way round", more(a, b, wrong_in_a), wrong_in_b);
  if (wrong_in_a > 0) return more(a, b, wrong_in_a);
  if (wrong_in_b > 0) return more(b, a, wrong_in_b);
  // Both leave something open, and what is left does not suffice.
  if (of_a.equal > of_b.equal + of_b.undecided || of_b.equal > of_a.equal + of_a.undecided)
    return fmt::format("{} calls {} equal, {} {}", in_words(a.engine), elements(of_a.equal),
                       in_words(b.engine), of_b.equal);
  return {};
}

// Why both cannot be true; empty where they can.
std::string clash_of(const Voice& a, const Voice& b, std::size_t output) {
  const OutputVerdict* of_a = said_of(*a.answer, output);
  const OutputVerdict* of_b = said_of(*b.answer, output);
  if (of_a != nullptr && of_b != nullptr) return clash_of(a, *of_a, b, *of_b);
  const auto is_mismatch = [](const Voice& v) {
    return v.answer->outcome == Outcome::ShapeMismatch;
  };
  const auto knows = [&](const Voice& v) { return decides(*v.answer, output); };
  if (is_mismatch(a) == is_mismatch(b) || !knows(a) || !knows(b)) return {};
  return fmt::format("{} says {}, {} {}", in_words(a.engine),
                     to_string(outcome_of(*a.answer, output)), in_words(b.engine),
                     to_string(outcome_of(*b.answer, output)));
}

// What answers at the same sizes come to.
struct Compared {
  std::string clash;
  std::size_t decided = 0;  // of those that have to decide
  std::string open;         // which of these are not decided, and why
};

constexpr std::size_t kDeciders = std::ranges::count_if(kCrossEngines, has_to_decide);

Compared compared(const CrossAnswers& answers, std::size_t output) {
  Compared out;
  std::vector<Voice> voices;
  for (const CrossEngine engine : kCrossEngines)
    if (of(answers, engine)) voices.push_back({engine, &*of(answers, engine)});
  for (std::size_t i = 0; i < voices.size() && out.clash.empty(); ++i) {
    if (voices[i].answer->contradicts_itself)
      out.clash = fmt::format("{} contradicts itself: {}", in_words(voices[i].engine),
                              voices[i].answer->reason);
    for (std::size_t j = 0; j < i && out.clash.empty(); ++j)
      out.clash = clash_of(voices[j], voices[i], output);
  }
  for (const Voice& voice : voices) {
    if (!has_to_decide(voice.engine)) continue;
    if (decides(*voice.answer, output)) {
      ++out.decided;
      continue;
    }
    const OutputVerdict* said = said_of(*voice.answer, output);
    const std::string& why =
        said != nullptr && !said->reason.empty() ? said->reason : voice.answer->reason;
    out.open += fmt::format("{}{}: {}", out.open.empty() ? "" : "; ", in_words(voice.engine), why);
  }
  return out;
}

std::string on_the_twin(std::string words) { return "on the small twin, " + std::move(words); }

Agreed agreed_on_twin(const CrossCheck& check, std::size_t output) {
  const Outcome large = outcome_of(*of(check.at_size, CrossEngine::Corrector), output);
  const Outcome small = outcome_of(*of(check.on_twin, CrossEngine::Corrector), output);
  if (large == small) return {Agreement::Agree, on_the_twin("all three say the same")};
  return {Agreement::Partial,
          fmt::format("all three agree on the small twin, which is {}; at its own sizes the "
                      "corrector says {}",
                      to_string(small), to_string(large))};
}

}  // namespace

std::string_view in_words(CrossEngine engine) {
  switch (engine) {
    case CrossEngine::Corrector:
      return "the corrector";
    case CrossEngine::Exhaustive:
      return "the exhaustive check";
    case CrossEngine::Solver:
      return "Z3";
    case CrossEngine::Theorem:
      return "PET's own test";
  }
  return "?";
}

std::string_view title_of(CrossEngine engine) {
  switch (engine) {
    case CrossEngine::Corrector:
      return "corrector";
    case CrossEngine::Exhaustive:
      return "exhaustive";
    case CrossEngine::Solver:
      return "Z3";
    case CrossEngine::Theorem:
      return "PET's test";
  }
  return "?";
}

bool decides(const CrossAnswer& answer, std::size_t output) {
  const OutputVerdict* said = said_of(answer, output);
  if (said == nullptr) return answer.outcome == Outcome::ShapeMismatch;
  return said->outcome == Outcome::Equivalent ||
         (said->undecided == 0 &&
          (said->outcome == Outcome::Partial || said->outcome == Outcome::Different));
}

std::optional<CrossQuestion> next_question(const CrossCheck& check) {
  bool is_open = false;
  for (const CrossEngine engine : kCrossEngines) {
    const auto& answer = of(check.at_size, engine);
    if (!answer) return CrossQuestion{engine, false};
    is_open = is_open || (has_to_decide(engine) && !answer->is_missing && !decides_all(*answer));
  }
  if (!is_open) return std::nullopt;
  if (!check.twin) return CrossQuestion{};
  if (!check.twin->ok()) return std::nullopt;
  for (const CrossEngine engine : kCrossEngines)
    if (!of(check.on_twin, engine)) return CrossQuestion{engine, true};
  return std::nullopt;
}

Agreed agreement(const CrossCheck& check, std::size_t output) {
  const Compared large = compared(check.at_size, output);
  if (!large.clash.empty()) return {Agreement::Disagree, large.clash};
  const Compared small = compared(check.on_twin, output);
  if (!small.clash.empty()) return {Agreement::Disagree, on_the_twin(small.clash)};
  if (next_question(check)) return {};
  if (large.decided == kDeciders) return {Agreement::Agree, "all three say the same"};
  if (small.decided == kDeciders) return agreed_on_twin(check, output);
  const bool is_by_twin = small.decided > large.decided;
  std::string why = is_by_twin ? on_the_twin(small.open) : large.open;
  if (check.twin && !check.twin->ok()) why += "; no small twin: " + check.twin->error().message;
  return {std::max(small.decided, large.decided) >= 2 ? Agreement::Partial : Agreement::Undecided,
          std::move(why)};
}

PlantedError became_of(const CrossCheck& check) {
  if (next_question(check)) return PlantedError::Open;
  bool is_called_equal = false;
  bool is_shown_equal = false;
  for (const CrossAnswers* answers : {&check.at_size, &check.on_twin}) {
    for (const CrossEngine engine : kCrossEngines) {
      if (!of(*answers, engine)) continue;
      const Outcome outcome = of(*answers, engine)->outcome;
      if (outcome == Outcome::Partial || outcome == Outcome::Different ||
          outcome == Outcome::ShapeMismatch)
        return PlantedError::Flagged;
      if (outcome != Outcome::Equivalent) continue;
      is_called_equal = true;
      is_shown_equal = is_shown_equal || engine == CrossEngine::Exhaustive;
    }
  }
  if (is_shown_equal) return PlantedError::ShownEqual;
  return is_called_equal ? PlantedError::Missed : PlantedError::Withheld;
}

std::string command_line(const Reproduction& reproduction, const std::string& path) {
  std::string quoted;
  for (const char c : path) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return fmt::format("pet-verify --engine all --seed {} '{}'", reproduction.seed, quoted);
}

}  // namespace pet
