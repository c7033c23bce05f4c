// Whether a rewritten file may take the place of the original: written beside its target, read
// back, proved against the original, run against it, and measured faster on samples of its own.
// Only then renamed.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>

#include "core/backend/backend.h"
#include "core/onnx/input_data.h"
#include "core/program/constant_folder.h"
#include "core/search/search.h"

namespace pet {

struct AcceptanceConfig {
  double log2_error = -64;         // of everything that is claimed, over all attempts
  double max_rel_error = 1e-4;     // max|difference| / max|output|, of every float output
  double max_growth = 4;           // bytes of the file, as a multiple of the original's
  int samples = 8;                 // random inputs on which both files run
  double comparing_seconds = 240;  // once whole files were compared for longer, no other is tried
  std::vector<InputSet> data;      // inputs of the user's own, on which they run as well
  std::uint64_t seed = 1;
  std::size_t threads = 1;  // of our own work
  ReadOptions read;         // sizes of open dimensions
  LoadOptions load;
  std::map<std::string, std::string> metadata;
  std::function<void(const PlanTried&)> tried = [](const PlanTried&) {};
  std::function<void(const std::string&)> stage = [](const std::string&) {};  // what begins
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

using FileProver =
    std::function<Result<Verdict>(const Model& original, const Model& changed, double log2_error)>;

// What decides. Whole files are timed: those of plans with one another, and what is to be written
// with the original, which decides over all that was found and may take longer.
struct Judges {
  FileProver prove;
  Backend& backend;
  Profiler& among_plans;
  Profiler& against_original;
};

// Writes every plan, measures the files against each other and tries the fastest first, then the
// others in their order. Writes `target` only if something is accepted.
// An error: the disk, the runtime on the original, no file that it measures, or a stop.
Result<Accepted> accept(const Model& original, const std::vector<Plan>& plans,
                        const std::filesystem::path& target, const AcceptanceConfig& config,
                        const Judges& judges, const std::stop_token& stop);

// Both files on random inputs, of several sizes and signs, within what the nodes that read them
// admit. An error where the runtime refuses one, where an output holds a NaN or is infinite in one
// file only, or where integers differ.
Result<NumericDifference> numeric_difference(const Model& original,
                                             const std::filesystem::path& changed,
                                             const AcceptanceConfig& config, Backend& backend,
                                             std::stop_token stop);

}  // namespace pet
