// How far estimates of time were from measurements on this machine, and so what further ones are
// worth. Runtimes are good at some operators and bad at others: what was learnt of one candidate
// says most about those of the same subprogram and those made of the same operators.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/ir/graph.h"

namespace pet {

class Calibration {
 public:
  // A candidate's time as a multiple of the original's, as estimated and as it turned out.
  struct Observation {
    std::size_t number = 0;  // of the subprogram
    std::string kind;
    double estimated = 1;
    double measured = 1;
  };

  explicit Calibration(const std::vector<Observation>& observations);

  // What to multiply the estimate of another candidate of this subprogram and kind with.
  double factor(std::size_t number, const std::string& kind) const;
  // How far what was measured lies from estimates so multiplied: a standard deviation of
  // logarithms.
  double spread() const { return spread_; }

  // What a program is made of: the names of its operators that move or compute anything, each once.
  static std::string kind_of(const Graph& program);

 private:
  // The logarithm of a factor: common + of the subprogram + of the kind, each drawn to 0 where
  // little was observed.
  double common_ = 0;
  std::map<std::size_t, double> of_number_;
  std::map<std::string, double> of_kind_;
  double spread_ = 0;
};

}  // namespace pet
