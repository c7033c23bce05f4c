// pet-verify --reduce CASE.txt: what is left of a failing pair.
#pragma once

#include <span>
#include <stop_token>

#include "app/pet-verify/answer.h"

namespace pet::app {

// Makes the pair of a question smaller as long as it fails as `answer` says, writes it to
// options.reduce and says on stderr by how much. An Error of the kind Usage where it does not fail.
// REQUIRES: there is a verdict
Status reduce_pair(const Question& question, const Options& options, const Answer& answer,
                   std::span<EquivalenceChecker* const> engines, const std::stop_token& stop);

}  // namespace pet::app
