// Verdicts that are remembered over runs and processes: one JSON line each in a file that is only
// ever appended to, so that several processes can share it and any of them may be killed.
//
// A verdict is known by a digest of everything that it follows from: the contents of both programs,
// external data included, the options and this very program. What was not drawn afresh is not
// remembered, and what is unknown neither: with another seed, more time or another solver it may be
// known. A line that is torn or altered is none.
#pragma once

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>

#include "app/pet-verify/question.h"
#include "core/program/file_verdict.h"

namespace pet::app {

struct Remembered {
  FileVerdict verdict;
  std::uint64_t seed = 0;  // of its proof
};

class VerdictCache {
 public:
  // Whether nothing but verdicts are lost where that is written to: nothing is there, or a line, or
  // part of one, that was kept.
  static bool is_one(const std::filesystem::path& file);

  // Nothing: of proofs whose seed this process has not drawn by itself.
  enum class Keeps { New, Nothing };

  // Reads what the file has; says on stderr which lines are none.
  VerdictCache(std::filesystem::path file, Keeps keeps);

  std::optional<Remembered> find(const Digest& key) const;
  // Where it may be kept. A file that cannot be written is said once on stderr.
  void put(const Digest& key, const Remembered& answer);

 private:
  std::filesystem::path file_;
  Keeps keeps_;
  mutable std::mutex mutex_;
  std::map<Digest, Remembered> known_;
  bool is_writable_ = true;
};

// `original` and `mutant`: digests of all that was read of the two programs.
Digest cache_key(const Digest& original, const Digest& mutant, const Question& question,
                 const Options& options);

}  // namespace pet::app
