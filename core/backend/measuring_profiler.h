// The Profiler that really measures: two files in a Backend, in short batches, until the ratio is
// decided.
//
// Where weights come to lie in memory is drawn when a file is loaded, and stays: of two copies of
// one file the one can be a per cent faster for as long as both are loaded, and no number of rounds
// tells that from a gain. So a candidate is faster only if a second comparison says so too, with
// both files loaded anew and in the other order; where it does not, nothing is decided.
#pragma once

#include <chrono>

#include "core/backend/backend.h"
#include "core/backend/paired_ratio.h"
#include "core/backend/race.h"

namespace pet {

class MeasuringProfiler final : public Profiler {
 public:
  struct Options {
    LoadOptions load{};
    RatioRule rule{};
    int evict_mib = 32;
    std::uint64_t seed = 1;  // of inputs and orders; every comparison draws others
    // Of each of the two comparisons; after it, it stays undecided. But one of fewer rounds than
    // that goes on, for three times as long at most. The first look is after 12 rounds: with fewer,
    // nothing is known.
    std::chrono::milliseconds budget{10'000};
    std::size_t least_rounds = 12;
    std::chrono::milliseconds batch{500};  // what one request to the backend should take
    // Without, a candidate that is faster by luck may be called so: for whoever looks again.
    bool is_seen_twice = true;
  };

  MeasuringProfiler(Backend& backend, Options options)
      : backend_(backend), options_(std::move(options)) {}

  Result<Comparison> compare(const std::filesystem::path& original,
                             const std::filesystem::path& candidate, std::stop_token stop) override;
  // All of them loaded at once, each once in every round, within the time of one comparison. Where
  // a file brings the runtime down each is compared by itself instead, with its share of the time.
  Result<RaceResult> race(const std::filesystem::path& original,
                          std::span<const std::filesystem::path> candidates,
                          std::stop_token stop) override;

  std::size_t made() const { return made_; }  // comparisons that gave a result

 private:
  enum class LoadedFirst { Original, Candidate };
  Result<Comparison> compare_once(const std::filesystem::path& original,
                                  const std::filesystem::path& candidate, LoadedFirst which,
                                  const std::stop_token& stop);
  Result<Comparison> compare_loaded(ModelId original, ModelId candidate,
                                    const std::stop_token& stop);
  Result<RaceResult> race_together(const std::filesystem::path& original,
                                   std::span<const std::filesystem::path> candidates,
                                   const std::stop_token& stop);
  Status run_race(std::span<const ModelId> runners, Race& race, const std::stop_token& stop);
  PairPlan first_plan();
  bool may_go_on(std::size_t rounds, std::size_t least, double spent_s) const;
  void plan_next(PairPlan& plan, double took_s, std::size_t wanted) const;

  Backend& backend_;
  Options options_;
  std::uint64_t comparisons_ = 0;
  std::size_t made_ = 0;
};

}  // namespace pet
