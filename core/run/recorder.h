// Listens to a search and keeps, subprogram by subprogram, what came of its mutants, and why.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "core/run/record.h"
#include "core/search/events.h"

namespace pet {

class Recorder {
 public:
  void add(const Event& event);
  // In the order in which they were worked on.
  std::vector<SubprogramRecord> subprograms() const;
  // Of mutants and of the search as a whole, as far as it went.
  const EffortRecord& effort() const { return effort_; }
  // nullptr where no event told of it.
  const Lineage* lineage(std::size_t subprogram, MutantId mutant) const;
  // Where it was wrong before it was corrected; nothing where it never was.
  std::optional<CorrectionRecord> correction(std::size_t subprogram, const Lineage& mutant) const;
  // The last measurement of a mutant; nullptr where there is none.
  const MeasuredRecord* measured(std::size_t subprogram, MutantId mutant) const;

 private:
  struct Subprogram {
    SubprogramFound found;
    MutantsCounted counted;
    std::map<MutantId, Lineage> lineages;
    std::map<MutantId, MutantVerified> verified;  // what was said first: before any correction
    std::map<MutantId, MutantId> corrections;     // what corrects which mutant, if it is right
    std::set<MutantId> wrong_corrections;
    std::set<MutantId> looked_at;  // checked, measured or failed
    std::vector<MeasuredRecord> measured;
    std::vector<FailedRecord> failed;
  };
  Subprogram& of(std::size_t number);
  static MutantId subject(const Subprogram& subprogram, MutantId mutant);
  void verified(const MutantVerified& event);
  void measured(const CandidateMeasured& event);
  SubprogramRecord record_of(const Subprogram& subprogram) const;

  std::vector<Subprogram> subprograms_;
  std::map<std::size_t, std::size_t> place_;  // in subprograms_, by number
  EffortRecord effort_;
};

}  // namespace pet
