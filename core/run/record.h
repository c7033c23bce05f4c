// What a run did, for people: what `pet optimize` reports, `pet explain` tells and a window shows.
// Facts as values; whoever shows them makes the words. A field that is not known is empty, since
// journals, reports of older versions and files that somebody edited are read into this too.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/axis_order.h"
#include "core/ir/attrs.h"
#include "core/ir/box.h"
#include "core/ir/type.h"
#include "core/program/constant_folder.h"
#include "core/search/events.h"
#include "core/search/lineage.h"

namespace pet {

struct Speedup {
  double median = 1;
  std::optional<double> low, high;  // what it certainly is
};
Speedup speedup_of(const Ratio& ratio);

// Times of a whole file.
struct FileTimes {
  double median_ms = 0, min_ms = 0;
  std::size_t runs = 0;
};

// A program of one place. Constants that follow from others are one leaf, however they do.
struct ProgramRecord {
  struct Leaf {
    std::string id, name;
    TensorType type;
    std::vector<std::string> from;     // constants of the original that it is computed from
    std::size_t operators = 0;         // by which
    std::optional<double> value = {};  // of one element, where it is fixed
  };
  struct Step {
    std::string id, op;
    Attrs attributes;  // that are not at their default
    TensorType type;
    std::vector<std::string> operands;
    bool is_view = false;  // moves elements, computes nothing
  };
  std::vector<Leaf> inputs, constants;
  std::vector<Step> steps;
  std::vector<std::string> outputs;
};

// Where a mutant was wrong before it was corrected.
struct CorrectionRecord {
  std::optional<Region> wrong;  // of its only output
  double share = 0;             // of the positions
};

struct LayoutRecord {
  std::string value;
  AxisOrder order;  // which axis of the value stands at each place
};

// A place of the model where something else is computed now.
struct PlaceRecord {
  std::size_t subprogram = 0;
  std::string name;  // the first value that it computes
  std::vector<std::string> outputs;
  Lineage mutant;
  double saved_ms = 0;
  Speedup ratio;
  std::optional<CorrectionRecord> correction;
  ProgramRecord before, after;
  std::vector<LayoutRecord> inputs, results;  // that are there in another order of axes
};

struct MeasuredRecord {  // of a mutant
  Lineage mutant;
  std::optional<Decision> decision;
  Speedup ratio;
  double original_ms = 0, candidate_ms = 0;
  double saved_ms() const { return original_ms - candidate_ms; }
};

struct FailedRecord {  // a mutant that could not be measured
  Lineage mutant;
  std::string why;
};

struct SubprogramRecord {
  std::size_t number = 0;
  std::vector<std::string> operators;
  std::string place;
  std::size_t places = 1;
  std::size_t nodes = 0;                    // of the generator's tree
  std::size_t generated = 0, distinct = 0;  // mutants that they yielded
  std::size_t proposed = 0;                 // of them, those that the search looked at
  std::size_t checked = 0;
  std::size_t not_checked = 0;  // of those proposed: nobody knows whether they are equal
  // At least so many; nothing where none is known and some were not checked.
  std::optional<std::size_t> equal, partial, corrected;
  std::array<std::size_t, kPrunedReasons> pruned = {};
  std::array<std::size_t, kDiscardedReasons> discarded = {};
  std::size_t left = 0;  // of those proposed: kept until cheaper ones came or the time was up
  std::optional<double> best_ratio;
  std::vector<MeasuredRecord> measured;
  std::vector<FailedRecord> failed;
};

struct AttemptRecord {  // a file that came to nothing
  std::size_t mutants = 0;
  std::string reason;
  std::optional<Speedup> ratio;
  std::optional<double> promised_ms = {};  // what its places save one by one, added up
};

struct TargetRecord {  // what it was measured in
  std::string name, version, device;
  std::size_t threads = 0;
};

struct NumericRecord {  // largest differences of the outputs on the same inputs
  double max_abs = 0, max_rel = 0, max_rel_of_channel = 0;
};

// Why the written file is right.
struct TrustRecord {
  std::optional<Outcome> verdict;
  std::optional<double> log2_error;  // nothing: nothing was left to chance
  double growth = 1;                 // of sums
  std::size_t primes = 0, weight_programs = 0;
  NumericRecord numeric;
  std::map<std::string, std::string> proved_at;  // types of the inputs
  std::map<std::string, Dim>
      fixed;  // sizes that the original leaves open, and the written file not
  std::string proof_seed, certificate;
  std::vector<LeftConstant> left;  // what could not be computed ahead of time
};

struct EffortRecord {              // of the search
  std::optional<StopReason> stop;  // nothing: it did not end
  std::size_t proposed = 0, verified = 0, measured = 0;
  std::optional<double> measuring_s;
  std::size_t made = 0, reused = 0;  // measurements: afresh, and from earlier runs
};

struct RuleStepRecord {  // on the way of a search by rewrite rules
  move::ApplyRule applied;
  // By estimate, in all places; less than 0 where it only leads to others.
  std::optional<double> saved_ms;
  std::size_t places = 1;  // equal blocks in which the same was done, this one included
};

struct LimitsRecord {
  std::optional<double> search_s, max_rel_error, max_growth;
};

struct RunRecord {
  enum class Source { Report, Journal };
  Source source = Source::Report;
  std::string model, original, optimized;  // the first one a name, the others paths
  bool changed = false;
  std::string reason;  // why not
  std::uintmax_t bytes_original = 0, bytes_optimized = 0;
  TargetRecord target;
  std::optional<FileTimes> original_times, optimized_times;
  Speedup speedup;
  std::optional<double> promised_ms;  // what the places of the written file save, added up
  std::vector<AttemptRecord> rejected;
  std::size_t attempts = 0;  // files that were looked at as a whole
  TrustRecord trust;
  std::map<std::string, std::size_t> operators_before, operators_after;
  LimitsRecord limits;
  std::vector<SubprogramRecord> subprograms;
  std::vector<PlaceRecord> places;
  std::vector<RuleStepRecord> rule_way;  // of a journal, to the cheapest program that was reached
  EffortRecord effort;
  std::map<std::string, double> seconds;  // by stage
  double peak_rss_mib = 0;
  std::uint64_t seed = 0;
  std::string without_programs;  // why the places of a journal are without theirs
};

}  // namespace pet
