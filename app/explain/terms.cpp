#include "app/explain/compose.h"

namespace pet::explain {

void add_terms(Document& out) {
  out.blocks.push_back(Heading{1, "Terms"});
  Facts terms;
  const auto add = [&](const char* term, const char* meaning) {
    terms.facts.push_back({term, {meaning}});
  };
  add("subprogram",
      "Linear operators between non-linear ones, or a subset of them, that are mutated together "
      "(PET, sections 6.1 and 6.2). Equal ones with other weights are one, at several places.");
  add("mutant",
      "A program with the same inputs and outputs that need not compute the same (section 4.1). "
      "The generator walks a tree of moves; its depth is the number of operators.");
  add("equal",
      "Fully equivalent: the same at every position of every output. Partially equivalent: at some "
      "positions; the others are told as boxes (section 5.1).");
  add("corrected",
      "A correction kernel computes the wrong boxes with the original operators and writes them "
      "over the mutant's result (section 5.2), or joins the batch of the main operator (5.3).");
  add("checked",
      "Both programs are evaluated modulo random primes, with random values for inputs and weights "
      "(Theorem 2, at all positions instead of Theorem 1's few). Before a mutant is corrected, of "
      "channels that only a weight carries one is drawn for each position of the others; what is "
      "used is checked at every position.");
  add("ratio",
      "Time of the original over that of the mutant, between the same neighbours, in the median; "
      "at least: the lower end of its confidence interval.");
  add("came to",
      "Taken: it is in the file. Others fit better: faster than the original, but what was taken "
      "saves more together with its neighbours. Tie: not certain to be faster.");
  out.blocks.push_back(std::move(terms));
}

}  // namespace pet::explain
