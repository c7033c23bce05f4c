#include "viz/session/cross_checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/util/plural.h"

namespace pet::viz {
namespace {

std::string rows_of(std::size_t number) { return plural(number, "row"); }

void count(const CheckedPair& pair, CheckCounts& out) {
  for (const Agreed& agreed : pair.judged.agreed) {
    ++out.rows;
    const Agreement what = agreed.what;
    if (what != Agreement::Open) ++out.checked;
    if (what == Agreement::Agree) ++out.agree;
    if (what == Agreement::Disagree) ++out.disagree;
    if (what == Agreement::Partial) ++out.partial;
    if (what == Agreement::Undecided) ++out.undecided;
  }
  if (pair.planted.empty()) return;
  ++out.planted;
  const PlantedError became = pair.judged.became;
  if (became == PlantedError::Flagged) ++out.flagged;
  if (became == PlantedError::ShownEqual) ++out.shown_equal;
  if (became == PlantedError::Withheld) ++out.withheld;
  if (became == PlantedError::Missed) ++out.missed;
}

}  // namespace

Result<Judged> asked(CrossChecker& checker, const CheckedPair& pair, const CrossQuestion& question,
                     double seconds, const std::stop_token& stop) {
  Judged out;
  out.check = pair.judged.check;
  CrossCheck& check = out.check;
  if (!question.engine) {
    auto twin = checker.small_twin(*pair.original, *pair.mutant, pair.moves, stop);
    if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    check.twin = std::move(twin);
  } else {
    const Graph& original = question.on_twin ? *(*check.twin)->original : *pair.original;
    const Graph& mutant = question.on_twin ? *(*check.twin)->mutant : *pair.mutant;
    auto answer = checker.ask(*question.engine, original, mutant, seconds, stop);
    if (!answer) return std::move(answer).error();
    CrossAnswers& answers = question.on_twin ? check.on_twin : check.at_size;
    answers[static_cast<std::size_t>(*question.engine)] = *std::move(answer);
  }
  for (std::size_t i = 0; i < pair.original->outputs().size(); ++i)
    out.agreed.push_back(agreement(check, i));
  out.became = became_of(check);
  return out;
}

std::size_t CrossChecks::add(CheckedPair pair) {
  const auto same = std::ranges::find_if(pairs_, [&](const CheckedPair& known) {
    return known.original->digest() == pair.original->digest() &&
           known.mutant->digest() == pair.mutant->digest();
  });
  if (same != pairs_.end()) return static_cast<std::size_t>(same - pairs_.begin());
  pair.judged.agreed.resize(pair.original->outputs().size());
  pairs_.push_back(std::move(pair));
  return pairs_.size() - 1;
}

void CrossChecks::want_nothing() {
  for (CheckedPair& pair : pairs_) pair.is_wanted = false;
}

std::optional<CrossChecks::Next> CrossChecks::next() const {
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    if (!pairs_[i].is_wanted) continue;
    if (const auto question = next_question(pairs_[i].judged.check)) return Next{i, *question};
  }
  return std::nullopt;
}

CheckCounts CrossChecks::counts() const {
  CheckCounts out;
  for (const CheckedPair& pair : pairs_) count(pair, out);
  return out;
}

std::string headline_of(const CheckCounts& n) {
  if (n.rows == 0) return "Nothing to check yet: open a case, or choose a mutant of a search";
  if (n.disagree > 0)
    return fmt::format("{} of {} disagree: one of the checks is wrong", n.disagree,
                       rows_of(n.rows));
  if (n.missed > 0)
    return fmt::format("{} of {} {} missed", n.missed, plural(n.planted, "planted error"),
                       n.planted == 1 ? "was" : "were");
  if (n.checked == 0)
    return fmt::format("{} to check, in {} ways", rows_of(n.rows), kCrossEngines.size());
  if (n.checked < n.rows)
    return fmt::format("{} of {} checked, and no disagreement", n.checked, rows_of(n.rows));
  std::string out = fmt::format("{} checked: they agree", rows_of(n.rows));
  if (n.agree < n.rows)
    out += fmt::format(" on {}, and {} not decided by all", n.agree,
                       n.rows - n.agree == 1 ? "1 is" : fmt::format("{} are", n.rows - n.agree));
  if (n.planted > 0) out += "; no planted error was missed";
  return out;
}

std::string in_words(const CheckCounts& n) {
  std::string out = fmt::format("checked {} of {} · agree {} · disagree {} · undecided {}",
                                n.checked, n.rows, n.agree, n.disagree, n.partial + n.undecided);
  if (n.planted == 0) return out;
  out += fmt::format(" · planted {}: flagged {}, missed {}", n.planted, n.flagged, n.missed);
  if (n.shown_equal > 0) out += fmt::format(", changing nothing {}", n.shown_equal);
  if (n.withheld > 0) out += fmt::format(", not called equal {}", n.withheld);
  return out;
}

bool is_alarm(const CheckedPair& pair, std::size_t output) {
  return pair.judged.agreed[output].what == Agreement::Disagree ||
         (!pair.planted.empty() && pair.judged.became == PlantedError::Missed);
}

}  // namespace pet::viz
