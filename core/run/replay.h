// Searches run again: from a journal, with its measurements, to see the same happen; and for the
// trace of one subprogram, which no journal holds.
#pragma once

#include "core/backend/replay_profiler.h"
#include "core/onnx/model.h"
#include "core/run/run.h"
#include "core/search/journal.h"

namespace pet {

// What was measured, in order.
std::vector<RecordedComparison> recorded_comparisons(const JournalContent& content);

// The same of whole files against the original, as far as the journal knows which these were.
std::vector<RecordedComparison> recorded_file_comparisons(const JournalContent& content);
// Where its search ended, if it did.
std::optional<Ending> recorded_ending(const JournalContent& content);

// What the solver of integer programs said, in order.
std::vector<SolverAnswered> recorded_answers(const JournalContent& content);
// What operators were measured to take.
std::vector<OperatorMeasured> recorded_operators(const JournalContent& content);

struct ReplayResult {
  std::size_t events = 0;                 // that were equal, times apart
  bool has_end = false;                   // the journal says how its search ended
  std::optional<Error> failure;           // why it was not run
  std::optional<std::string> difference;  // the first one: line, what stands there, what happened
};

// Runs the journal's search again: seed, configuration, measurements and where it ended are the
// journal's. `heard`: every event of it, those that no journal holds as well. REQUIRES: `model` is
// the journal's, and the journal of today's format (check_current)
ReplayResult replay(
    const Model& model, const JournalContent& content, EquivalenceChecker& checker,
    std::stop_token stop,
    const std::function<void(std::size_t equal, std::size_t all)>& progress = [](auto, auto) {},
    const EventSink& heard = [](const Event&) {});

// A node of the generator, or what was decided about one of its mutants.
using TraceStep = std::variant<TraceNode, Event>;

// How the journal's search walked through one subprogram: nodes, tested positions and the events
// about it (boxes among them) in the order of the live search, regenerated. It stops where the
// journal has no measurement to go on with; a search that ended in the middle of it saw a beginning
// of this. False: there is no such subprogram.
bool trace(const Model& model, const JournalContent& content, std::size_t number,
           EquivalenceChecker& checker, const std::function<void(const TraceStep&)>& sink,
           std::stop_token stop);

}  // namespace pet
