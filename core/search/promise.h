// What plans promise and what files keep of it. A plan is told by what its places save one by one,
// in excerpts; its file saves another sum, since a runtime fuses and lays out what it finds there.
// How far the two lie apart is learnt from the files of a run as they are measured.
#pragma once

#include "core/backend/profiler.h"

namespace pet {

// Of a file that was measured as a whole.
struct Kept {
  double promised_ms = 0;
  double saved_ms = 0;
};

// What the file saves, by the original's time and the ratio.
double saved_ms(const Comparison& of_file);

// A first look need not decide: what is written is measured again.
bool is_promising(const Comparison& first_look);

// Whether a plan may be faster than a file that saves so much. Plans keep as large a share of their
// promise as that one did, if it is more than all of it, else all of it: that one disappoints is no
// reason to think less of others. A tenth more is within what sums of places miss.
bool may_beat(double promised_ms, const Kept& file);

}  // namespace pet
