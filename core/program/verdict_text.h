// A verdict for people: what the command line prints of it, and whoever else shows one.
#pragma once

#include <string>

#include "core/program/file_verdict.h"

namespace pet {

// The outcome and why, then a line or more for each output, the sizes that it holds for, whose
// weights it is of (`weights_bound`: the stored ones only) and who was asked.
// Of many places some, unless all are asked for.
enum class PlacesInText { Some, All };
std::string text_of(const FileVerdict& verdict, bool weights_bound,
                    PlacesInText places = PlacesInText::Some);

// Verdict::reason; and of which output it is, where the others are what they are for another
// reason, or none.
std::string reason_of(const FileVerdict& verdict);

}  // namespace pet
