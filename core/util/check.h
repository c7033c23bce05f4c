// PET_CHECK: a contract between our own functions. On in every build; throws with the place and the
// reason. Nobody goes on with what was in work: who has several pieces of work, a pair of a batch,
// a job of a window, gives that one up and does the others; else the program ends.
#pragma once

#include <source_location>
#include <stdexcept>
#include <string_view>

namespace pet {

class CheckFailed final : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void check_failed(std::string_view condition, std::string_view why,
                               std::source_location where);

}  // namespace pet

#define PET_CHECK(condition, why) \
  ((condition) ? void(0) : ::pet::check_failed(#condition, (why), std::source_location::current()))
