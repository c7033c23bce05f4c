// How the time that a person waits is shared out: a search, whole files compared, the proof. Who
// ends early leaves what is over to those behind.
#pragma once

#include <optional>

namespace pet {

struct Budget {
  double whole_s = 120;            // from the beginning of the run
  std::optional<double> search_s;  // what is searched for, instead of its share
};

struct BudgetParts {
  double search_s = 0, files_s = 0, proof_s = 0;
};

// Of what is left of the whole once `spent_s` are gone. A run that writes no file only searches.
BudgetParts parts_of(const Budget& budget, double spent_s, bool writes_file);
// What whole files may be compared for, the search being over; never so little that nothing is
// known of them.
double files_after_search(const Budget& budget, double spent_s);

}  // namespace pet
