#include "viz/words/terms.h"

#include <catch2/catch.hpp>

namespace pet::viz {
namespace {

TEST_CASE("A term is written as people write it") {
  InspectedTerm term;
  term.coefficient = "1";
  term.factors = {{"X", {{1, {}}, {0, {{0, 1}}}, {6, {{1, 2}}}}},
                  {"W", {{0, {{0, 1}}}, {3, {{1, -1}}}}}};
  term.sums = {{0, 2}, {0, 3}};
  CHECK(in_words(term) == "X[1, i, 6 + 2 j] · W[i, 3 - j]   for i = 0..1, j = 0..2");
  CHECK(in_words(InspectedTerm{true, "5/2", {}, {}}) == "5/2");
  CHECK(in_words(InspectedTerm{true, "2", {{"", {{0, {}}}}}, {}}) == "2 · f[0]");
}

TEST_CASE("Of many terms some are said, and how many there are") {
  InspectedTerms terms;
  terms.original = 12;
  terms.mutant = 18;
  for (int i = 0; i < 30; ++i) terms.differing.push_back({false, "1", {{"X", {{i, {}}}}}, {}});
  const std::string words = in_words(terms, 2);
  CHECK(words ==
        "12 products in the original, 18 in the mutant\n\nonly in the mutant (2 of 30 terms):\n  "
        "X[0]\n  X[1]\n");
  CHECK(in_words(InspectedTerms{}).find("the same ones") != std::string::npos);
}

}  // namespace
}  // namespace pet::viz
