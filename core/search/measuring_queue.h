// The candidates that wait to be measured, and which of them is next: however little time there is,
// something of everything is known, and of what belongs to the best plan most.
#pragma once

#include <optional>
#include <vector>

#include "core/search/calibration.h"
#include "core/search/planner.h"

namespace pet {

class MeasuringQueue {
 public:
  struct Waiting {
    std::size_t number = 0;  // of the class
    // 0: to be measured at once. Else one more than among those of its order of axes.
    std::size_t rank = 0;
    Candidate candidate;
  };

  // `original_ms`: analytic, by class. REQUIRES: the planner outlives this
  MeasuringQueue(const Planner& planner, std::vector<double> original_ms)
      : planner_(planner), original_ms_(std::move(original_ms)) {}

  // Of one class, the cheapest first.
  void add(std::size_t number, std::vector<Candidate> candidates);
  // What became of one that was taken: it is the next one.
  void put_back(std::size_t number, Candidate candidate) {
    waiting_.insert(waiting_.begin(), {number, 0, std::move(candidate)});
  }

  // What was put back; the cheapest candidate of a class, where it is estimated to save anything.
  std::optional<Waiting> take_first();
  // What the best plan would hold if estimates came true.
  std::optional<Waiting> take_wanted();
  // What may save something whatever its neighbours are, first where the most may be hoped for, for
  // the time that it takes, beyond what is known to be saved there.
  std::optional<Waiting> take_worth_by_itself();

  std::size_t waiting(std::size_t number) const;
  double original_ms(std::size_t number) const { return original_ms_[number]; }

 private:
  Calibration calibration() const;
  // The time of the original, of classes that were never timed as far from the estimate as others.
  std::vector<double> known_original_ms() const;
  // By one candidate in one place; 0 where the estimate does not tell it from the original.
  std::vector<double> expected_ms(const std::vector<double>& original,
                                  const Calibration& calibrated) const;
  Waiting take(std::size_t index);

  const Planner& planner_;
  std::vector<double> original_ms_;
  std::vector<Waiting> waiting_;  // next one first
};

}  // namespace pet
