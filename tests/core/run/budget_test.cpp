#include "core/run/budget.h"

#include <catch2/catch.hpp>
#include <limits>

using namespace pet;

TEST_CASE("The parts of a budget are what is left of it") {
  for (const double spent : {0.0, 7.0, 20.0}) {
    const BudgetParts parts = parts_of({60, {}}, spent, true);
    CHECK(parts.search_s + parts.files_s + parts.proof_s == Approx(60 - spent));
    CHECK(parts.search_s > parts.files_s);
    CHECK(parts.files_s > parts.proof_s);
  }
}

TEST_CASE("A search that has its own time leaves the others the rest") {
  const BudgetParts parts = parts_of({60, 20}, 0, true);
  CHECK(parts.search_s == 20);
  CHECK(parts.files_s + parts.proof_s == Approx(40));
  // More than there is: files are compared all the same.
  CHECK(parts_of({60, 90}, 0, true).search_s == 90);
  CHECK(parts_of({60, 90}, 0, true).files_s > 0);
}

TEST_CASE("A run that writes nothing only searches") {
  CHECK(parts_of({60, {}}, 10, false).search_s == 50);
  CHECK(parts_of({60, {}}, 10, false).files_s == 0);
}

TEST_CASE("What a search leaves goes to what comes after it, and something is always measured") {
  CHECK(files_after_search({60, {}}, 10) > files_after_search({60, {}}, 30));
  const BudgetParts parts = parts_of({60, {}}, 0, true);
  CHECK(files_after_search({60, {}}, parts.search_s) == Approx(parts.files_s));
  CHECK(files_after_search({60, {}}, 100) > 0);
}

TEST_CASE("Without an end to the budget there is none to its parts") {
  const BudgetParts parts = parts_of({std::numeric_limits<double>::infinity(), {}}, 5, true);
  CHECK(parts.search_s == std::numeric_limits<double>::infinity());
}
