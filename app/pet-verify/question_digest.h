// What an answer follows from, as a digest: two questions with equal digests have equal answers, up
// to what is drawn, the time there is, and the program that is asked.
#pragma once

#include "app/pet-verify/question.h"
#include "core/util/digest.h"

namespace pet::app {

// Of the options and of how the question is put; not of what its files hold.
Digest digest_of_settings(const Question& question, const Options& options);

// Of all of it: what the files hold now, external data included, and what is expected.
Digest question_digest(const Question& question, const Options& options);

}  // namespace pet::app
