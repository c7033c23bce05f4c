// One pair of programs checked in several ways that share nothing but the programs, and what they
// say held against each other: whoever believes none of them sees whether they agree.
//   The corrector works with symbols, at any size; the exhaustive check and the solver look at
//   every
// element and end at small tensors. What is too large for them is checked once more at smaller
// sizes, on its small twin, by all: sets of positions are compared at the same sizes only. PET's
// own test may contradict these three; where it does not know, nobody waits for it.
//   A port: answers come from the engines (verify/inspect), tables are made of them (viz).
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/equivalence.h"
#include "core/program/move.h"
#include "core/util/result.h"

namespace pet {

enum class CrossEngine { Corrector, Exhaustive, Solver, Theorem };
inline constexpr std::array kCrossEngines = {CrossEngine::Corrector, CrossEngine::Exhaustive,
                                             CrossEngine::Solver, CrossEngine::Theorem};
// Whether nothing is agreed on without it. PET's own test speaks of multi-linear programs only.
constexpr bool has_to_decide(CrossEngine engine) { return engine != CrossEngine::Theorem; }
std::string_view in_words(CrossEngine engine);  // "the corrector"
std::string_view title_of(CrossEngine engine);  // "corrector"

// What one of them says of a pair.
struct CrossAnswer {
  Outcome outcome = Outcome::Unknown;
  std::vector<OutputVerdict> outputs;  // none: nothing is said of any by itself
  std::string reason;                  // of what is unknown, in words
  bool is_missing = false;             // the program that would answer is not installed
  bool contradicts_itself = false;     // a defect of ours
  double ms = 0;
};
// An answer that leaves no element of that output open.
bool decides(const CrossAnswer& answer, std::size_t output);

using CrossAnswers = std::array<std::optional<CrossAnswer>, kCrossEngines.size()>;  // by engine

struct SmallTwin {
  std::shared_ptr<const Graph> original, mutant;
  std::string how;  // "the same moves at smaller sizes"
};

struct CrossCheck {
  CrossAnswers at_size;  // of the pair as it is
  // Asked for where that leaves something open. An Error: there is none, and why.
  std::optional<Result<SmallTwin>> twin;
  CrossAnswers on_twin;
};

// What is to be found out next. No engine: the small twin.
struct CrossQuestion {
  std::optional<CrossEngine> engine;
  bool on_twin = false;
  bool operator==(const CrossQuestion&) const = default;
};
// Nothing: all that can be known is.
std::optional<CrossQuestion> next_question(const CrossCheck& check);

enum class Agreement {
  Disagree,   // two answers cannot both be true: a defect of ours
  Partial,    // none contradicts another, and some are undecided
  Undecided,  // fewer than two are decided
  Agree,      // all that have to decide say the same, position by position
  Open        // not all were asked yet
};
struct Agreed {
  Agreement what = Agreement::Open;
  std::string why;  // of all but Open
};
Agreed agreement(const CrossCheck& check, std::size_t output);

// What became of an error that was planted.
enum class PlantedError {
  Missed,      // called equal, and the exhaustive check does not confirm it
  Withheld,    // not called equal by anybody; nothing shows a difference either
  Flagged,     // called wrong, or no program of the same type
  ShownEqual,  // the exhaustive check shows that it changes nothing
  Open
};
PlantedError became_of(const CrossCheck& check);

// A pair in which something was broken on purpose.
struct PlantedPair {
  std::string what;  // "Conv y: pads[0] 1 -> 2, pads[2] 1 -> 0"
  std::shared_ptr<const Graph> original, broken;
};

// So that somebody else can ask once more.
struct Reproduction {
  std::string case_text;  // a case, as pet-verify takes it
  std::uint64_t seed = 0;
};
// The line for a shell that checks the case in that file.
std::string command_line(const Reproduction& reproduction, const std::string& path);

class CrossChecker {
 public:
  virtual ~CrossChecker() = default;

  // After so many seconds: unknown. An Error where it was stopped.
  virtual Result<CrossAnswer> ask(CrossEngine engine, const Graph& original, const Graph& mutant,
                                  double seconds, const std::stop_token& stop) = 0;
  // `moves`: that made the mutant of the original; none where they are not known. An Error says why
  // there is no such twin.
  virtual Result<SmallTwin> small_twin(const Graph& original, const Graph& mutant,
                                       std::span<const Move> moves,
                                       const std::stop_token& stop) = 0;
  // A pair that is equal, broken in `most` ways at most; of one that is not the original is broken.
  // At sizes at which all three can be asked.
  virtual Result<std::vector<PlantedPair>> plant(const Graph& original, const Graph& mutant,
                                                 std::span<const Move> moves, std::size_t most,
                                                 std::uint64_t seed,
                                                 const std::stop_token& stop) = 0;
  // Constants that both have and that are too long to be written become inputs.
  virtual Result<Reproduction> reproduce(const Graph& original, const Graph& mutant,
                                         const std::stop_token& stop) = 0;
};

}  // namespace pet
