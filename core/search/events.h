// What happens in a search, as facts. The search calls the sink; it does not know who listens (a
// progress line, the journal, a window).
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/backend/profiler.h"
#include "core/program/equivalence.h"
#include "core/program/mutate/generator.h"

namespace pet {

struct SearchStarted {
  std::string model;
  std::string digest;
  std::string target;
  std::uint64_t seed = 0;
  std::size_t subprograms = 0;
};
struct SubprogramFound {
  std::size_t number = 0;
  std::string operators;  // "Conv, AveragePool"
  std::string place;      // the value it computes; of several equal ones the first
  std::size_t places = 1;
  std::string program;  // digest, as in ProgramShown
};
// A program that later events name by its digest, in ONNX's textual syntax; each is told once.
struct ProgramShown {
  std::string digest;
  std::string text;
};
enum class Discarded {
  FingerprintAllWrong,
  CostsMore,
  OthersCostLess,
  NotAsked,
  DifferentEverywhere,
  Unknown,
  NotCorrectable,
  NotMeasured
};
inline constexpr std::size_t kDiscardedReasons = 8;
struct MutantProposed {
  std::size_t subprogram = 0;
  std::string how;
};
struct MutantDiscarded {
  std::size_t subprogram = 0;
  std::string how;
  Discarded why = Discarded::CostsMore;
  std::string detail;
};
// What became of the mutants of a subprogram, by numbers: once they have all been looked at, and
// when the search ends.
struct MutantsCounted {
  std::size_t subprogram = 0;
  bool all = true;
  std::size_t proposed = 0;
  GeneratorCounters generator;
  std::array<std::size_t, kDiscardedReasons> discarded = {};
};
struct MutantVerified {
  std::size_t subprogram = 0;
  std::string how;
  std::string program;  // digest
  Outcome outcome = Outcome::Unknown;
  // Decided at every position; else of the channels that a weight carries at one drawn for each of
  // the others.
  bool everywhere = true;
  std::string wrong;  // boxes
  double wrong_share = 0;
  double log2_error = 0;  // of a wrong "equal" anywhere, if everywhere
};
struct MutantCorrected {
  std::size_t subprogram = 0;
  std::string how;
  std::string program;  // digest, of the corrected one
  Outcome outcome = Outcome::Unknown;
  bool everywhere = true;
};
struct CandidateMeasured {
  std::size_t subprogram = 0;
  std::string how;
  std::string program;  // digest
  ComparedFiles files;
  Comparison comparison;
};
struct BorderMeasured {  // what it costs where neighbours keep a value in different orders of axes
  std::string shape;
  std::vector<std::size_t> order;
  double ms = 0;
  ComparedFiles files;
  Comparison comparison;
};
struct BorderFailed {  // the estimate stands
  std::string shape;
  std::vector<std::size_t> order;
  ComparedFiles files;
  Error error;
};
// What a runtime saves around a subprogram by handing values on in a layout of its own.
struct LayoutMeasured {
  std::size_t subprogram = 0;
  double ms = 0;
  ComparedFiles files;
  Comparison comparison;
};
struct LayoutFailed {  // nothing is known
  std::size_t subprogram = 0;
  ComparedFiles files;
  Error error;
};
struct CandidateFailed {  // a worker that died or refused: this candidate only is lost
  std::size_t subprogram = 0;
  std::string how;
  std::string why;
  ErrorKind kind = ErrorKind::Tool;
  std::string program;  // digest
  ComparedFiles files;  // empty: it did not get as far as two files
};
struct BestImproved {
  std::size_t subprogram = 0;
  std::string how;
  double saved_ms = 0;
};
enum class StopReason { Finished, Budget, StepLimit, Stopped };
struct SearchFinished {
  StopReason reason = StopReason::Finished;
  std::size_t proposed = 0, verified = 0, measured = 0, chosen = 0;
  std::size_t pieces = 0;  // of work that were done, as PetSearch counts them
};
// After the search: one file that was written, proved and measured as a whole.
struct PlanTried {
  struct Part {
    std::size_t subprogram = 0;
    std::string place;
    std::string how;
  };
  std::vector<Part> parts;
  double saved_ms = 0;  // as the search estimated it
  bool accepted = false;
  std::string reason;  // why not
  // Of the whole file against the original, where it was measured; the times are medians.
  std::optional<Ratio> ratio;
  double original_ms = 0;
  double optimized_ms = 0;
};

using Event = std::variant<SearchStarted, SubprogramFound, ProgramShown, MutantProposed,
                           MutantDiscarded, MutantsCounted, MutantVerified, MutantCorrected,
                           CandidateMeasured, BorderMeasured, BorderFailed, LayoutMeasured,
                           LayoutFailed, CandidateFailed, BestImproved, SearchFinished, PlanTried>;
using EventSink = std::function<void(const Event&)>;

std::string_view to_string(Discarded why);
std::string_view to_string(StopReason reason);

}  // namespace pet
