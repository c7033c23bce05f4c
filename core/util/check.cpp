#include "core/util/check.h"

#include <fmt/format.h>

namespace pet {

void check_failed(std::string_view condition, std::string_view why, std::source_location where) {
  throw CheckFailed(fmt::format("a defect of this program, at {}:{}: PET_CHECK({}) failed: {}",
                                where.file_name(), where.line(), condition, why));
}

}  // namespace pet
