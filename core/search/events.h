// What happens in a search, as facts. The search calls the sink; it does not know who listens (a
// progress line, the journal, a window).
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "core/backend/profiler.h"
#include "core/program/equivalence.h"

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
  std::string place;      // the value it computes
};
enum class Discarded {
  FingerprintAllWrong,
  CostsMore,
  DifferentEverywhere,
  Unknown,
  NotCorrectable
};
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
struct MutantVerified {
  std::size_t subprogram = 0;
  std::string how;
  Outcome outcome = Outcome::Unknown;
  std::string wrong;  // boxes
  double wrong_share = 0;
  double log2_error = 0;
};
struct MutantCorrected {
  std::size_t subprogram = 0;
  std::string how;
  Outcome outcome = Outcome::Unknown;
};
struct CandidateMeasured {
  std::size_t subprogram = 0;
  std::string how;
  Comparison comparison;
};
struct CandidateFailed {  // a worker that died or refused: this candidate only is lost
  std::size_t subprogram = 0;
  std::string how;
  std::string why;
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
};

using Event =
    std::variant<SearchStarted, SubprogramFound, MutantProposed, MutantDiscarded, MutantVerified,
                 MutantCorrected, CandidateMeasured, CandidateFailed, BestImproved, SearchFinished>;
using EventSink = std::function<void(const Event&)>;

std::string_view to_string(Discarded why);
std::string_view to_string(StopReason reason);
std::string_view to_string(Decision decision);

}  // namespace pet
