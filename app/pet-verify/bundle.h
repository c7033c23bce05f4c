// What is kept when engines disagree: enough to look for the defect on another day.
#pragma once

#include <filesystem>
#include <span>

#include "app/pet-verify/question.h"

namespace pet::app {

// Remembers what an engine said last.
class Recorder final : public Engine {
 public:
  explicit Recorder(Engine* engine) : engine_(engine) {}

  std::string_view name() const override { return engine_->name(); }
  Verdict check(const Graph& original, const Graph& mutant, const ProofOptions& options) override {
    return ask(original, mutant, options).verdict;
  }
  EngineWord ask(const Graph& original, const Graph& mutant, const ProofOptions& options) override {
    EngineWord said = engine_->ask(original, mutant, options);
    last_ = said.verdict;
    return said;
  }
  const Verdict& last() const { return last_; }

 private:
  Engine* engine_;
  Verdict last_;
};

// Writes the folder disagreement-DIGEST, named by the bytes of the files, below options.bundle:
// both files (or the case), verdicts.json with what every engine said, and the command that repeats
// it with the same proof_seed in reproduce.txt. External data is not copied. Says where it is.
Result<std::filesystem::path> write_bundle(const Question& question, const Options& options,
                                           const std::string& reason,
                                           std::span<const Recorder> engines);

}  // namespace pet::app
