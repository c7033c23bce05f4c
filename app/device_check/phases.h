// What device_check does, one file a phase. Each writes its results when it is done, or as far as
// it came.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "gpu/device/device.h"

namespace pet::app {

using Json = nlohmann::ordered_json;
using namespace gpu;  // NOLINT: all of this is about a GPU

struct PhaseResult {
  Json json;
  int wrong = 0;
  std::string line;  // of the table
};

// Tiny: the same with few channels, to see that all of it runs.
enum class Size { Full, Tiny };

// How long a phase may still take.
using TimeLeft = std::function<double()>;

// Versions, the device as cuDNN describes it, ceilings: copies, products, the cost of a launch.
PhaseResult facts(const CudaDevice& device, const TimeLeft& seconds_left);

// Every operator's case and every mutant below that folder (tests/cases), and the mutants
// corrected, on the device against their definitions, with results poisoned.
PhaseResult conformance(const CudaDevice& device, const std::filesystem::path& cases,
                        const TimeLeft& seconds_left);

// The rows of PET's operator benchmark: every way in which each of their launches is computed.
PhaseResult operators(const CudaDevice& device, Size size, const TimeLeft& seconds_left);

// The models that are bundled: a run, its slowest launches, and whether a comparison of a model
// with itself decides anything, which it must not.
PhaseResult models(int device, Precision precision, Size size, const TimeLeft& seconds_left);

}  // namespace pet::app
