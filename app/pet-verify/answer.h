// What came of one question, and the exit code for it.
#pragma once

#include <functional>
#include <span>
#include <stop_token>

#include "app/pet-verify/question.h"
#include "app/pet-verify/verdict_cache.h"
#include "core/util/digest.h"
#include "verify/files/case_check.h"
#include "verify/pairs/engines.h"

namespace pet::app {

struct Answer {
  // The verdict; or why there is none: input that cannot be read, a request that makes no sense.
  std::optional<FileVerdict> verdict;
  std::optional<Error> error;
  // Of the files, as they were read for it; none where some cannot be read.
  std::vector<Digest> contents;
  std::optional<Digest> question;  // in a batch: of what was asked
  // Whether the verdict is any: PET's test as published is none, and no expectation is met by it.
  bool is_evidence = true;
  bool has_expectation = false;
  std::string deviation;  // how it is not as expected; empty: as expected
  double seconds = 0;
  bool is_out_of_time = false;                   // that is why nothing is known
  std::optional<std::uint64_t> remembered_seed;  // of the proof, where an earlier run gave it
  // Of an equal pair, where one was asked for: the certificate, or why there is none.
  std::optional<Result<std::string>> certificate;
  // Where engines disagree: the folder that reproduces it, or why there is none.
  std::optional<Result<std::filesystem::path>> kept;

  int exit_code() const;
};

// The worst of several, none being kDone: engines that disagree first, then bad input, what is not
// equal or not as expected, what was not found out (a batch ends with it).
int worst(int a, int b);

// `progress` is told what is asked and how far that is. What `cache` knows is not asked, and it is
// given the rest; it may be null.
Answer answer(const Question& question, const Options& options, std::span<Engine* const> engines,
              const std::stop_token& stop, const ProofOptions::Progress& progress,
              VerdictCache* cache = nullptr);

}  // namespace pet::app
