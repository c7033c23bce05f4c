#include "core/run/budget.h"

#include <algorithm>

namespace pet {
namespace {

// Of the whole: a search of twice the time finds little more, and files that are compared for less
// are called equally fast. The proof takes what it takes; this much is kept for it, and of a video
// network it takes more (ResNet3D-18: 15 s, and 6 s for numbers).
constexpr double kSearch = 0.45, kFiles = 0.3, kProof = 0.25;
constexpr double kLeastFiles = 6;  // seconds

}  // namespace

BudgetParts parts_of(const Budget& budget, double spent_s, bool writes_file) {
  const double left = std::max(0.0, budget.whole_s - spent_s);
  if (!writes_file) return {budget.search_s.value_or(left), 0, 0};
  BudgetParts out;
  out.search_s = budget.search_s.value_or(kSearch * left);
  const double behind = std::max(0.0, left - out.search_s);
  out.files_s = std::max(kLeastFiles, behind * kFiles / (kFiles + kProof));
  out.proof_s = std::max(0.0, behind - out.files_s);
  return out;
}

double files_after_search(const Budget& budget, double spent_s) {
  const double left = std::max(0.0, budget.whole_s - spent_s);
  return std::max(kLeastFiles, left * kFiles / (kFiles + kProof));
}

}  // namespace pet
