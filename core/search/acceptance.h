// Whether a rewritten file may take the place of the original: written beside its target, read
// back, proved against the original, run against it, and measured faster on samples of its own.
// Only then renamed. Stage by stage: stop calling step() and it pauses.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "core/backend/backend.h"
#include "core/onnx/input_data.h"
#include "core/onnx/input_ranges.h"
#include "core/program/constant_folder.h"
#include "core/search/search.h"

namespace pet {

struct AcceptanceConfig {
  double log2_error = -64;      // of everything that is claimed, over all attempts
  double max_rel_error = 1e-4;  // max|difference| / max|output|, of every float output
  double max_growth = 4;        // bytes of the file, as a multiple of the original's
  int samples = 8;              // random inputs on which both files run
  // Whole files are compared for so long: plans with one another, the best with the original before
  // the proof, and again after it. Once it is over no other plan is tried.
  double comparing_seconds = 36;
  double seconds_a_round = 0;  // of both files, as far as it is known: some rounds must fit
  std::vector<InputSet> data;  // inputs of the user's own, on which they run as well
  std::map<std::string, ValueRange> fill;  // what is drawn for inputs, where somebody says it
  std::uint64_t seed = 1;
  std::size_t threads = 1;  // of our own work
  ReadOptions read;         // sizes of open dimensions
  LoadOptions load;
  std::map<std::string, std::string> metadata;
  bool measures_only = false;  // nothing is proved and nothing written: times are all
};

// The largest difference of the outputs on random inputs.
struct NumericDifference {
  double max_abs = 0;
  double max_rel = 0;             // against the largest value of the output
  double max_rel_of_channel = 0;  // against the largest value of its channel (axis 1)
};

// An attempt that came to nothing.
struct Rejected {
  std::size_t choices = 0;  // made together in that file
  std::string reason;
  std::optional<Ratio> ratio;  // of the whole file against the original, where it was measured
};

struct Accepted {
  std::vector<Choice> chosen;  // empty: the original is kept
  std::string reason;          // why, in words
  std::optional<Verdict> verdict;
  std::optional<NumericDifference> numeric;
  std::optional<Comparison> comparison;  // of whole files, on fresh samples
  std::optional<Graph> written;          // as it was read back
  std::vector<LeftConstant> left;        // of that file: what could not be computed ahead of time
  std::uintmax_t bytes = 0;
  int attempts = 0;
  std::vector<Rejected> rejected;
  bool disagreement =
      false;  // the proof found a witness, or the runs differ: something is wrong with this program
};

// What a written file says of how it came about: the version of the tool, the digest of what it was
// made of, and where it was measured, if anywhere.
std::map<std::string, std::string> provenance(const Model& original, const std::string& tool);
std::map<std::string, std::string> provenance(const Model& original, const std::string& tool,
                                              const BackendInfo& runtime, int threads);

using FileProver =
    std::function<Result<Verdict>(const Model& original, const Model& changed, double log2_error)>;

// What decides. Whole files are timed: those of plans with one another, and what is to be written
// with the original.
struct Judges {
  FileProver prove;
  Backend& backend;
  // One that takes so many seconds for a comparison; each draws samples of its own.
  std::function<Profiler&(double seconds, bool is_seen_twice)> profile_files;
};

// Writes every plan, measures the files against each other and tries the fastest first, then the
// others in their order. Writes `target` only if something is accepted.
class Acceptance {
 public:
  // `sink` hears of each stage, of what came of it, and of each plan that was tried.
  // REQUIRES: model and judges outlive this
  Acceptance(const Model& original, std::vector<Plan> plans, std::filesystem::path target,
             AcceptanceConfig config, Judges judges, EventSink sink, std::stop_token stop);
  ~Acceptance();
  Acceptance(const Acceptance&) = delete;
  Acceptance& operator=(const Acceptance&) = delete;

  // One stage of one plan: its file is written, measured, proved, run, or put in place. An Error
  // ends it: the disk, the runtime on the original, no file that it measures, or a stop.
  // REQUIRES: neither an Error nor Finished came before
  Result<StepStatus> step();
  // REQUIRES: Finished
  Accepted take() { return std::move(out_); }

 private:
  struct Contender;  // a plan and its file
  enum class Next {
    Write,
    Compare,
    Open,
    Measure,
    Prove,
    CompareNumbers,
    MeasureAgain,
    Leave,
    Place,
    End
  };

  Status advance();
  Status write();
  Status compare_files();
  Status open();
  Status measure(Stage stage, double share, Next then, const std::string& not_faster);
  Status prove();
  Status compare_numbers();
  void leave_unproved();
  Status place();
  void put_fastest_first();
  void reject(std::size_t plan, const Accepted& how);
  void reject_contender();
  void tell(std::size_t plan, const Accepted& how);
  void begin(Stage stage, std::size_t plan) { sink_(StageStarted{stage, plan}); }
  const Contender& contender() const;
  Result<Comparison> compare(Profiler& profiler, const std::filesystem::path& original,
                             const std::filesystem::path& file);
  bool is_time_over() const { return seconds_compared_ > config_.comparing_seconds; }
  // A share of the time that is left for comparing files; something is always measured.
  double seconds_for(double share) const;
  // What it takes at least to see anything.
  double seconds_needed(bool is_seen_twice) const;

  const Model& original_;
  std::vector<Plan> plans_;
  std::filesystem::path target_;
  AcceptanceConfig config_;
  Judges judges_;
  EventSink sink_;
  std::stop_token stop_;

  Next next_ = Next::Write;
  std::size_t plan_ = 0;  // to be written next
  std::vector<Contender> contenders_;
  std::size_t fastest_ = 0;       // of those that were compared
  std::size_t rival_ = 1;         // to be compared with it next
  std::size_t current_ = 0;       // contender that is tried
  std::optional<Model> changed_;  // the current one's file, as it was read back
  Accepted out_;
  double seconds_compared_ = 0;
  bool has_measured_ = false;
  std::optional<Error> unmeasured_;  // why a file could not be measured, the last one
};

// Both files on random inputs, of several sizes and signs, within what the nodes that read them
// admit. An error where the runtime refuses one, where an output holds a NaN or is infinite in one
// file only, or where integers differ.
Result<NumericDifference> numeric_difference(const Model& original,
                                             const std::filesystem::path& changed,
                                             const AcceptanceConfig& config, Backend& backend,
                                             std::stop_token stop);

}  // namespace pet
