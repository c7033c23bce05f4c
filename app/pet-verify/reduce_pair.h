// pet-verify --reduce CASE.txt: what is left of a failing pair.
#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "app/pet-verify/answer.h"

namespace pet::app {

// Why no smaller pair can fail like this one: it does not fail. nullopt: it fails.
std::optional<std::string> nothing_to_reduce(const Answer& answer);

// Makes the pair of a question smaller as long as it fails as `answer` says, writes it to
// options.reduce and says on stderr by how much.
// REQUIRES: not nothing_to_reduce(answer)
Status reduce_pair(const Question& question, const Options& options, const Answer& answer,
                   std::span<Engine* const> engines, const std::stop_token& stop);

}  // namespace pet::app
