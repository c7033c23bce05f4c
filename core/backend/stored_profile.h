// Comparisons of a device that is elsewhere, kept in a file: one JSON line each, with the structure
// of both programs (core/ir/structure.h), so that lines outlive renamings and other weights.
//
//   {"original", "candidate", "runtime", "version", "device", "threads", "plan", "date", "rounds",
//    "decision", "ratio": {"median", "low", "high"}, "a_ns", "b_ns"}
//
// Of several lines of the same programs the first answers the first question, and the last one all
// that follow: a file that is measured again on fresh samples is so here too.
#pragma once

#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/backend/measuring_profiler.h"
#include "core/onnx/model.h"

namespace pet {

struct ComparedStructures {
  std::string original, candidate;
  auto operator<=>(const ComparedStructures&) const = default;
};

// A line of such a file.
struct StoredComparison {
  ComparedStructures programs;
  std::string rule;  // what decided, in words (rule_in_words)
  BackendInfo by;
  std::string date;  // "2026-11-29T01:07:00Z"; empty: it does not say
  Comparison comparison;
};

class StoredProfile {
 public:
  // A file that is not there is empty where it `may_be_new`. An Error of kind Usage where it cannot
  // be read, or holds times of several devices or precisions.
  static Result<StoredProfile> read(const std::filesystem::path& file, bool may_be_new);
  // Whether a text begins like such a file: it is told from other lines of JSON.
  static bool begins_like_one(std::string_view text);

  // Whose times these are; nullopt: there are none. `version` is that of the last line.
  const std::optional<BackendInfo>& source() const { return source_; }
  // An Error of kind Usage: these are times of another device, or of another precision.
  Status check_source(const BackendInfo& here) const;

  // `rule`: what decided, in words (rule_in_words); another rule is another question.
  std::optional<Comparison> find(const ComparedStructures& programs, const std::string& rule);
  // Times of that program by itself, of every comparison in which it was the original.
  std::vector<double> times_of(const std::string& original) const;
  // Into the file, for those who read it next. False where it cannot be written.
  bool append(const ComparedStructures& programs, const std::string& rule, int threads,
              const BackendInfo& by, const Comparison& comparison) const;

  // How often it had no answer, of how many questions.
  std::size_t missing() const { return asked_ - answered_; }
  std::string missing_in_words() const;
  std::size_t answered() const { return answered_; }

  const std::vector<StoredComparison>& lines() const { return lines_; }
  std::size_t skipped() const { return skipped_; }  // lines that are broken
  const std::filesystem::path& file() const { return file_; }

 private:
  Status add_line(const std::string& text);

  std::filesystem::path file_;
  std::optional<BackendInfo> source_;
  std::vector<StoredComparison> lines_;
  // By what was compared, and how: numbers of lines.
  std::map<std::pair<ComparedStructures, std::string>, std::deque<std::size_t>> known_;
  std::size_t skipped_ = 0, asked_ = 0, answered_ = 0;
};

// Answers from a profile. What is not in it is asked of `live`, and written down; without one it is
// an Error that says how many are missing.
class StoredProfiler final : public Profiler {
 public:
  struct Options {
    ReadOptions read{};
    std::string rule;
    int threads = 0;
    BackendInfo by{};
    std::string why_not_live = {};  // in words; empty: what is missing is asked of `live`
  };
  // REQUIRES: the profile outlives this
  StoredProfiler(StoredProfile& profile, std::unique_ptr<Profiler> live, Options options)
      : profile_(profile), live_(std::move(live)), options_(std::move(options)) {}

  Result<Comparison> compare(const std::filesystem::path& original,
                             const std::filesystem::path& candidate, std::stop_token stop) override;

 private:
  Result<std::string> structure_of(const std::filesystem::path& file) const;

  StoredProfile& profile_;
  std::unique_ptr<Profiler> live_;
  Options options_;
};

}  // namespace pet
