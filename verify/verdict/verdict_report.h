// From marked positions to a verdict: the part that the engines share. Which positions are marked
// is each engine's own affair.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "verify/verdict/replay.h"

namespace pet {

// Every output of the original, equal at all positions, as far as their number is known.
std::vector<OutputVerdict> equal_outputs(const Graph& original);

// Region and outcome of output `number` of the mutant. `undecided` says why nothing is known where
// no position is known to differ. An output that is equal as a whole, or was not compared, stays as
// it is.
void describe(const Graph& mutant, std::size_t number, const std::vector<char>& marked,
              std::string_view undecided, OutputVerdict& out);

// OutputVerdict::equal_at.
void keep_positions(const std::vector<char>& marked, OutputVerdict& out);

// Of engines that compare expressions: what becomes of undecided positions. Real runs first, for
// they give witnesses; then what the engine knows by itself of output and position.
void decide(const Graph& original, const Graph& mutant, std::string_view engine,
            const ProofOptions& options,
            const std::function<bool(std::size_t output, std::size_t position)>& surely_differ,
            Marks& marks, std::vector<OutputVerdict>& outputs);

// No "equal" is claimed anywhere; a difference that was found stands. Where nothing claims
// equality, or leaves it open, there is nothing to withhold.
void withhold(Verdict& verdict, const std::string& reason);

// The same for a verdict that nobody claims to be whole.
void leave_open(Verdict& verdict, const std::string& reason);

// Whether it calls anything equal, be it one position of one output.
bool claims_anything(const Verdict& verdict);

// Whether inputs were found that tell the two apart.
bool has_witness(const std::vector<OutputVerdict>& outputs);

// The verdict of a pair from those of its outputs.
Outcome combined(const std::vector<OutputVerdict>& outputs);

}  // namespace pet
