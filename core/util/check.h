// PET_CHECK: a contract between our own functions. On in every build; aborts with the place and the
// reason.
#pragma once

#include <source_location>
#include <string_view>

namespace pet {

[[noreturn]] void check_failed(std::string_view condition, std::string_view why,
                               std::source_location where);

}  // namespace pet

#define PET_CHECK(condition, why) \
  ((condition) ? void(0) : ::pet::check_failed(#condition, (why), std::source_location::current()))
