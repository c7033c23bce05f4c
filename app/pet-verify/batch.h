// Many pairs: looked at side by side, told in order.
#pragma once

#include <span>

#include "app/pet-verify/answer.h"
#include "app/pet-verify/run.h"

namespace pet::app {

// Prints what came of each pair in the order of the questions, and at the end how many were what.
// The exit code: the worst of all. With options.report every object is a line of that file too, on
// the disk before the next pair's; with options.resume those that are there are not asked again,
// and the seed is theirs.
int verify_batch(std::span<const Question> questions, const Options& options,
                 const MakeEngines& engines);

// On stderr: that engines disagree, where they do, and where it is kept.
void tell_disagreement(const Question& question, const Answer& answer);

}  // namespace pet::app
