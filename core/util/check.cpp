#include "core/util/check.h"

#include <cstdio>
#include <cstdlib>

namespace pet {

void check_failed(std::string_view condition, std::string_view why, std::source_location where) {
  std::fprintf(stderr, "%s:%u: PET_CHECK(%.*s) failed: %.*s\n", where.file_name(), where.line(),
               static_cast<int>(condition.size()), condition.data(), static_cast<int>(why.size()),
               why.data());
  std::abort();
}

}  // namespace pet
