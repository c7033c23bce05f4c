// The pairs whose verdicts are compared in this session, and what is still to be asked about them:
// one question at a time, so that cells fill as each engine answers. No Qt here.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/program/cross_check.h"

namespace pet::viz {

// What is known of a pair, and what that comes to.
struct Judged {
  CrossCheck check;
  std::vector<Agreed> agreed;  // by output
  PlantedError became = PlantedError::Open;
};

struct CheckedPair {
  std::string name;
  std::shared_ptr<const Graph> original, mutant;
  std::vector<Move> moves;  // that made the mutant; none: not known
  std::string planted;      // what was broken on purpose; empty: nothing
  Judged judged;
  bool is_wanted = false;  // it is asked about as long as there are questions
};

// Asks that question and judges anew: for a thread of a job. An Error: stopped.
Result<Judged> asked(CrossChecker& checker, const CheckedPair& pair, const CrossQuestion& question,
                     double seconds, const std::stop_token& stop);

struct CheckCounts {  // rows: outputs of pairs
  std::size_t rows = 0, checked = 0;
  std::size_t agree = 0, disagree = 0, partial = 0, undecided = 0;
  // Pairs: of errors that were planted.
  std::size_t planted = 0, flagged = 0, shown_equal = 0, withheld = 0, missed = 0;
};

class CrossChecks {
 public:
  // Its number: of the one that is there already where both programs are the same.
  std::size_t add(CheckedPair pair);
  const std::vector<CheckedPair>& pairs() const { return pairs_; }

  void want(std::size_t number) { pairs_[number].is_wanted = true; }
  void want_nothing();
  // The first question of the first pair that is wanted.
  struct Next {
    std::size_t pair = 0;
    CrossQuestion question;
  };
  std::optional<Next> next() const;
  void told(std::size_t number, Judged judged) { pairs_[number].judged = std::move(judged); }

  CheckCounts counts() const;

 private:
  std::vector<CheckedPair> pairs_;
};

// "All 5 rows are checked, and they agree".
std::string headline_of(const CheckCounts& counts);
// "checked 5 of 9 · agree 4 · disagree 0 · ...".
std::string in_words(const CheckCounts& counts);

// Something that should not be: a disagreement, or a planted error that nobody noticed.
bool is_alarm(const CheckedPair& pair, std::size_t output);

}  // namespace pet::viz
