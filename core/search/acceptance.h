// Whether a rewritten file may take the place of the original: written beside its target, fastest
// of those that were tried, proved against the original, run against it, and measured faster on
// samples of its own. Only then renamed. Stage by stage: stop calling step() and it pauses.
//
// The plan that promises most is written and measured against the original first. Others are
// written only if they may be faster by what it kept of its promise (promise.h); those run one race
// with it and the original (core/backend/race.h).
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
#include "core/program/file_verdict.h"
#include "core/search/search.h"

namespace pet {

struct AcceptanceConfig {
  double log2_error = -64;      // of everything that is claimed, over all attempts
  double max_rel_error = 1e-4;  // max|difference| / max|output|, of every float output
  double max_growth = 4;        // bytes of the file, as a multiple of the original's
  int samples = 8;              // random inputs on which both files run
  // Whole files are compared for so long: plans with one another and the original before the proof,
  // and what was proved with the original after it. Once it is over no other plan is tried.
  double comparing_seconds = 36;
  double seconds_a_run = 0;    // of the original, as far as it is known: some rounds must fit
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
  double promised_ms = 0;      // what its places save one by one, added up
};

struct Accepted {
  std::vector<Choice> chosen;  // empty: the original is kept
  std::string reason;          // why, in words
  std::optional<FileVerdict> verdict;
  std::optional<NumericDifference> numeric;
  std::optional<Comparison> comparison;  // of whole files, on fresh samples
  double promised_ms = 0;                // as in Rejected
  std::optional<Graph> written;          // as it was read back
  std::vector<LeftConstant> left;        // of that file: what could not be computed ahead of time
  std::uintmax_t bytes = 0;
  int attempts = 0;
  std::vector<Rejected> rejected;
  bool disagreement =
      false;  // the proof found a witness, or the runs differ: something is wrong with this program
};

using FileProver = std::function<Result<FileVerdict>(const Model& original, const Model& changed,
                                                     double log2_error)>;

// How whole files are to be compared.
struct FileEffort {
  double seconds = 10;     // for all of them together
  std::uint64_t draw = 0;  // by which samples: each comparison has its own
  bool is_seen_twice = true;
  std::size_t candidates = 1;  // beside the original
};

// What decides.
struct Judges {
  FileProver prove;
  Backend& backend;
  // Good until it is called again.
  std::function<Profiler&(const FileEffort&)> profile_files;
};

// Tries the fastest plan first, then the others as they came in. Writes `target` only if something
// is accepted.
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
  enum class Next { Write, Race, Open, Prove, CompareNumbers, MeasureAgain, Leave, Place, End };

  Status advance();
  Status write();
  Status race();
  Status run_race();
  void take_others();
  bool there_is_time_for(std::size_t others) const;
  Status open();
  Status measure_again();
  Status prove();
  Status compare_numbers();
  void leave_unproved();
  Status tell_measured(Contender& contender, const Comparison& comparison);
  Status place();
  void leave_out(std::size_t plan, std::string reason);
  void reject(std::size_t plan, const Accepted& how);
  void reject_contender();
  void tell(std::size_t plan, const Accepted& how);
  void begin(Stage stage, std::size_t plan) { sink_(StageStarted{stage, plan}); }
  const Contender& contender() const;
  Profiler& profiler(double seconds, bool is_seen_twice, std::size_t candidates);
  std::string too_late() const;
  bool is_time_over() const { return seconds_left() < 0; }
  double seconds_left() const { return config_.comparing_seconds - seconds_compared_; }
  // A share of what is left, but so many rounds at least.
  double seconds_for(double share, std::size_t rounds, double seconds_a_round) const;

  const Model& original_;
  std::vector<Plan> plans_;
  std::filesystem::path target_;
  AcceptanceConfig config_;
  Judges judges_;
  EventSink sink_;
  std::stop_token stop_;

  Next next_ = Next::Write;
  std::vector<std::size_t> to_write_;  // plans
  FoldedConstants folded_;             // of those that were written: others hold some of them, too
  bool others_were_taken_ = false;
  std::vector<Contender> contenders_;  // the fastest first, once they have been compared
  std::size_t current_ = 0;            // contender that is tried
  bool was_one_tried_ = false;
  std::optional<Model> changed_;  // the current one's file, as it was read back
  Accepted out_;
  std::string original_file_;  // digest, once something was measured
  double seconds_compared_ = 0;
  std::uint64_t comparisons_ = 0;
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
