// What an answer follows from, as a digest: two questions with equal digests have equal answers, up
// to what is drawn and the time there is.
#pragma once

#include <string_view>
#include <vector>

#include "app/pet-verify/question.h"
#include "core/util/digest.h"

namespace pet::app {

Digest digest_of_case(std::string_view text);

// Of its files as they are now, external data included; none where some cannot be read.
std::vector<Digest> contents_of(const Question& question);

// Of the options and of how the question is put; not of what its files hold.
Digest digest_of_settings(const Question& question, const Options& options);

// Of all of it: the program, the contents (where there are none: the bytes of the files as they are
// now), and what is expected.
Digest question_digest(const Question& question, const Options& options,
                       const std::vector<Digest>& contents);

}  // namespace pet::app
