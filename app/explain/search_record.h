// What a search told, kept subprogram by subprogram: what came of its mutants, and why.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/search/events.h"

namespace pet::explain {

class SearchRecord {
 public:
  void add(const Event& event);
  // One entry a subprogram, in the order in which they were worked on.
  nlohmann::ordered_json subprograms() const;
  // How many there are.
  std::size_t size() const { return subprograms_.size(); }
  double measuring_seconds() const { return measuring_seconds_; }
  // Where the mutant that was corrected into `how` was wrong; nullptr where nothing was corrected.
  const MutantVerified* corrected(std::size_t subprogram, const std::string& how) const;

 private:
  struct Subprogram {
    SubprogramFound found;
    MutantsCounted counted;
    std::set<std::string> verified;
    std::size_t equal = 0, partial = 0;
    std::map<std::string, MutantVerified> corrected;  // by what was corrected
    std::optional<MutantVerified> last_partial;
    std::set<std::string> looked_at;  // mutants that were checked, measured or failed
    std::optional<double> best_ratio;
    nlohmann::ordered_json measured = nlohmann::ordered_json::array();
    nlohmann::ordered_json failed = nlohmann::ordered_json::array();
  };
  Subprogram& of(std::size_t number);
  static nlohmann::ordered_json discarded(const Subprogram& subprogram);

  std::vector<Subprogram> subprograms_;
  std::map<std::size_t, std::size_t> place_;  // in subprograms_, by number
  double measuring_seconds_ = 0;
};

}  // namespace pet::explain
