// How long one file takes by itself.
#pragma once

#include <vector>

#include "core/backend/backend.h"

namespace pet {

// Milliseconds of single runs of the whole file, caches evicted between them, for about so many
// seconds (two runs at least).
Result<std::vector<double>> time_alone(Backend& backend, const std::filesystem::path& file,
                                       const LoadOptions& options, double seconds,
                                       std::uint64_t seed, const std::stop_token& stop);

}  // namespace pet
