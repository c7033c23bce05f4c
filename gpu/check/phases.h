// What device_check does, one file a phase. Each writes its results when it is done, or as far as
// it came.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "gpu/device/device.h"

namespace pet::gpu {

using Json = nlohmann::ordered_json;

struct PhaseResult {
  Json json;
  int wrong = 0;
  std::string line;  // of the table
};

// How long a phase may still take.
using TimeLeft = std::function<double()>;

// Versions, the device as cuDNN describes it, ceilings: copies, products, the cost of a launch.
PhaseResult facts(const CudaDevice& device, const TimeLeft& seconds_left);

// Every case below that folder (tests/cases), both programs of each, on the device against their
// definitions, with outputs poisoned.
PhaseResult conformance(const CudaDevice& device, const std::filesystem::path& cases,
                        const TimeLeft& seconds_left);

}  // namespace pet::gpu
