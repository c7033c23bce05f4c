// What a device can do, measured (`pet calibrate`) and kept in a file, for estimates.
#pragma once

#include <filesystem>

#include "core/backend/backend.h"
#include "core/cost/analytic.h"
#include "core/util/result.h"

namespace pet::app {

Status write_machine(const std::filesystem::path& file, const MachineModel& machine,
                     const BackendInfo& of);
// An Error of kind Usage: it is no such file, a number in it makes no sense, or it is of another
// device than `here`.
Result<MachineModel> read_machine(const std::filesystem::path& file, const BackendInfo& here);

}  // namespace pet::app
