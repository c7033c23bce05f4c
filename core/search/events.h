// What happens in a search and after it, as facts: ids, regions, orders and shapes are values, and
// words are made of them where somebody reads them. The search calls the sink; it does not know who
// listens (a progress line, the journal, a window).
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/analysis/axis_order.h"
#include "core/backend/profiler.h"
#include "core/ir/box.h"
#include "core/program/equivalence.h"
#include "core/program/mutate/generator.h"
#include "core/program/passes/pass.h"
#include "core/search/lineage.h"

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
  std::vector<std::string> operators;  // their names, in the order of the program
  std::string place;                   // the value it computes; of several equal ones the first
  std::size_t places = 1;
  std::string program;  // digest, as in ProgramShown
};
// A program that later events name by its digest, in ONNX's textual syntax; each is told once.
struct ProgramShown {
  std::string digest;
  std::string text;
};
struct RoundStarted {  // of one subprogram
  std::size_t subprogram = 0;
  std::size_t round = 0;
  std::vector<MutantId> sources;  // that it starts from; none: the subprogram itself
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
  Lineage mutant;
};
// A mutant that later events name by its id; each that comes to a check or a measurement is told
// once, before that.
struct MutantShown {
  std::size_t subprogram = 0;
  Lineage mutant;
};
struct MutantDiscarded {
  std::size_t subprogram = 0;
  MutantId mutant;
  Discarded why = Discarded::CostsMore;
  std::optional<CorrectionWay> way;  // in which it could not be corrected, where it is that
  std::optional<double> cost_ms;     // estimated, where that is the reason
  std::string detail;                // what an engine or an operator's definition said
};
// Among the cheapest of its orders of axes by estimate, for now.
struct CandidateKept {
  std::size_t subprogram = 0;
  MutantId mutant;
  double cost_ms = 0;
  std::vector<AxisOrder> inputs, outputs;  // in which it reads and yields values
  std::optional<MutantId> displaced;       // what made room for it
  bool in_part = false;  // not all positions of its fingerprint agreed: it is wrong somewhere
};
// Others of its orders of axes cost less: it never was among them, or made room.
struct CandidateDropped {
  std::size_t subprogram = 0;
  MutantId mutant;
  double cost_ms = 0;
  std::vector<AxisOrder> inputs, outputs;
  std::optional<MutantId> displaced_by;
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
  MutantId mutant;
  std::string program;  // digest
  Outcome outcome = Outcome::Unknown;
  // Decided at every position; else of the channels that a weight carries at one drawn for each of
  // the others.
  bool everywhere = true;
  std::optional<Region> wrong;  // of the only output
  double wrong_share = 0;
  double log2_error = 0;  // of a wrong "equal" anywhere, if everywhere
};
struct MutantCorrected {
  std::size_t subprogram = 0;
  MutantId mutant;      // that was wrong
  MutantId corrected;   // what was made of it; its last move says in which way
  std::string program;  // digest, of the corrected one
  Outcome outcome = Outcome::Unknown;
  bool everywhere = true;
};
struct CandidateMeasured {
  std::size_t subprogram = 0;
  MutantId mutant;
  std::string program;  // digest
  ComparedFiles files;
  Comparison comparison;
};
struct BorderMeasured {  // what it costs where neighbours keep a value in different orders of axes
  Shape shape;
  AxisOrder order;
  double ms = 0;
  ComparedFiles files;
  Comparison comparison;
};
struct BorderFailed {  // the estimate stands
  Shape shape;
  AxisOrder order;
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
  MutantId mutant;
  std::string why;
  ErrorKind kind = ErrorKind::Tool;
  std::string program;  // digest
  ComparedFiles files;  // empty: it did not get as far as two files
};
struct BestImproved {
  std::size_t subprogram = 0;
  MutantId mutant;
  double saved_ms = 0;
};
// ---- of a search that prices operators one by one, or works block by block

struct OperatorMeasured {
  std::string digest;
  std::string what;
  double ms = 0;
};
// What follows is of one block, up to the next: its states, rounds and nodes are numbered anew.
struct BlockTaken {
  std::size_t block = 0;
  std::size_t operators = 0;
  std::vector<std::string> places;  // where equal blocks stand: the first values they yield
};
// ---- of a search that rewrites the whole program by rules. Programs are numbered: 0 is the
// original

struct StateTaken {  // its rewritings are looked at
  std::size_t state = 0;
  double cost_ms = 0;
};
struct StateReached {
  std::size_t state = 0;
  std::size_t parent = 0;
  std::string rule;
  std::string place;  // the first value that was computed otherwise
  double cost_ms = 0;
  std::string digest;  // of the expressions that its outputs are
};
enum class StateDrop { SeenBefore, CostsMore, OfItself, NotWritten };
inline constexpr std::size_t kStateDrops = 4;
struct StateDropped {
  std::size_t parent = 0;
  std::string rule;
  std::string place;
  StateDrop why = StateDrop::SeenBefore;
};
// A rule that was found right is not shown to be at the shapes of a place: it is used no more.
struct RuleRefused {
  std::string rule;
  std::string place;
  Outcome outcome = Outcome::Unknown;
  std::string why;
};
// ---- of a search in an e-graph. Rounds are numbered from 0 on

struct SaturationStarted {
  std::size_t classes = 0, nodes = 0;  // of the original
  std::size_t rules = 0;
};
struct RuleApplied {  // at all its matches of one round
  std::size_t iteration = 0;
  std::string rule;
  std::size_t matches = 0;  // at which it did something
  std::size_t merged = 0;   // pairs of classes
  std::size_t made = 0;     // nodes
};
struct EGraphCounted {  // at the end of a round
  std::size_t iteration = 0;
  std::size_t classes = 0, nodes = 0, bytes = 0;
  std::size_t banned = 0;  // nodes that closed a cycle
  double best_ms = 0;      // of what the graph holds, as extracted by the search's quick extractor
};
struct SaturationEnded {
  std::size_t iterations = 0;
  std::string why;
};
struct Extracted {
  std::string extractor;
  std::optional<double> cost_ms;   // nothing: what it chose was no program
  std::optional<double> bound_ms;  // nothing costs less, where it knows
  bool is_optimal = false;
  std::string why;  // where it is not, and was asked to be
};
// Every rule on the way from the original to the cheapest program so far, in order.
struct WayFound {
  double saved_ms = 0;  // by estimate
  std::vector<move::ApplyRule> way;
};
// What the solver of integer programs said, so that nobody has to ask it again.
struct SolverAnswered {
  std::string program;  // digest
  std::string error;    // empty: it answered
  bool is_optimal = false;
  std::size_t columns = 0;         // 0: it found nothing
  std::vector<std::size_t> taken;  // columns that are not 0
  std::vector<double> values;      // theirs
  double bound = 0;
  double seconds = 0;
};
// ---- of a tree search: nodes are e-graphs, numbered from 0 on; a rule leads from one to another
struct TreeNodeReached {
  std::size_t node = 0;
  std::size_t parent = 0;
  std::string rule;
  double cost_ms = 0;
  bool is_saturated = false;  // the rule changed nothing
};
struct TreeUpdated {
  std::size_t node = 0;
  std::size_t visits = 0;
  double value = 0;  // the sum of its rewards
};
struct ActionChosen {
  std::size_t node = 0;
  std::string rule;
  double mean = 0;
};
enum class StopReason { Finished, Budget, StepLimit, Stopped };
inline constexpr std::size_t kStopReasons = 4;
struct SearchFinished {
  StopReason reason = StopReason::Finished;
  std::size_t proposed = 0, verified = 0, measured = 0, chosen = 0;
  std::size_t pieces = 0;  // of work that were done, as SearchProgress counts them
};

// ---- after the search: whether a file may take the place of the original

enum class Stage {
  Weights,         // computing weights ahead of time
  MeasuringFiles,  // of plans, with each other and the original
  MeasuringFile,   // with the original
  Proving,
  ComparingNumbers,
  MeasuringAgain  // on fresh samples
};
inline constexpr std::size_t kStages = 6;
struct StageStarted {
  Stage stage = Stage::Weights;
  std::size_t plan = 0;  // which of the search's plans
};
// What tidied up the program of a plan before it was written: which nodes became which.
struct PassApplied {
  std::size_t plan = 0;
  AppliedPass what;
};
struct FileMeasured {  // against the original
  std::size_t plan = 0;
  ComparedFiles files;
  Comparison comparison;
};
struct FileProved {
  std::size_t plan = 0;
  Outcome outcome = Outcome::Unknown;
  std::string reason;  // where it is not equivalent
  double log2_error = 0;
  std::size_t primes = 0;
  double growth = 1;
};
struct NumbersCompared {  // both files run on the same inputs: the largest difference
  std::size_t plan = 0;
  double max_abs = 0;
  double max_rel = 0;             // against the largest value of the output
  double max_rel_of_channel = 0;  // against the largest value of its channel (axis 1)
};
// One file that was written, proved and measured as a whole, and what came of it.
struct PlanTried {
  struct Part {
    std::size_t subprogram = 0;
    std::string place;
    MutantId mutant;
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

using Event =
    std::variant<SearchStarted, SubprogramFound, ProgramShown, RoundStarted, MutantProposed,
                 MutantShown, MutantDiscarded, CandidateKept, CandidateDropped, MutantsCounted,
                 MutantVerified, MutantCorrected, CandidateMeasured, BorderMeasured, BorderFailed,
                 LayoutMeasured, LayoutFailed, CandidateFailed, BestImproved, SearchFinished,
                 StageStarted, PassApplied, FileMeasured, FileProved, NumbersCompared, PlanTried,
                 StateTaken, StateReached, StateDropped, RuleRefused, SaturationStarted,
                 RuleApplied, EGraphCounted, SaturationEnded, Extracted, WayFound, SolverAnswered,
                 TreeNodeReached, TreeUpdated, ActionChosen, OperatorMeasured, BlockTaken>;
using EventSink = std::function<void(const Event&)>;

std::string_view to_string(Discarded why);
std::string_view to_string(StopReason reason);
std::string_view to_string(Stage stage);
// For lists of what took how long. Two that are the same work share one.
std::string_view short_name(Stage stage);
std::string_view to_string(StateDrop why);

// Reasons that came of a look at the program itself. Of the others there are thousands, and who
// wants them runs the search again.
bool is_worth_telling(Discarded why);

}  // namespace pet
