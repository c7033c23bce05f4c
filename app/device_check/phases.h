// What device_check does, one file a phase. Each writes its results when it is done, or as far as
// it came.
#pragma once

#include <array>
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

// Versions, the device as cuDNN describes it, ceilings: copies, products, the cost of a launch; and
// whether comparisons of a program with itself decide anything, which they must not.
PhaseResult facts(const CudaDevice& device, const TimeLeft& seconds_left);

// Every operator's case and every mutant below that folder (tests/cases), and the mutants
// corrected, on the device against their definitions, with results poisoned.
PhaseResult conformance(const CudaDevice& device, const std::filesystem::path& cases,
                        const TimeLeft& seconds_left);

// The rows of PET's operator benchmark, in fp32 and TF32: every way in which each of their launches
// is computed. Mutants below that folder, as they are and corrected, beside their originals.
PhaseResult operators(const CudaDevice& device, const std::filesystem::path& cases, Size size,
                      const TimeLeft& seconds_left);

// The models that PET is evaluated on: a run, its slowest launches, and a search that is timed and
// not proved, with mutants that are equal everywhere, in part, and both. Comparisons go into
// profile.jsonl of that folder, journals into journals.tar.gz.
PhaseResult models(Precision precision, int device, Size size, const std::filesystem::path& out,
                   const TimeLeft& seconds_left);

// The same models in what else is installed: PyTorch, ONNX Runtime with CUDA; else why not.
PhaseResult peers(const std::filesystem::path& script, Size size, const std::filesystem::path& out,
                  const TimeLeft& seconds_left);

// By batch, those first in which most is to be gained.
struct NamedModel {
  const char* name;
  std::int64_t batch;
};
inline constexpr std::array kModels = {NamedModel{"csrnet", 16},       NamedModel{"resnet3d18", 1},
                                       NamedModel{"csrnet", 1},        NamedModel{"bert-pet", 16},
                                       NamedModel{"inception-v3", 1},  NamedModel{"resnet18", 1},
                                       NamedModel{"bert-pet", 1},      NamedModel{"resnet3d18", 16},
                                       NamedModel{"inception-v3", 16}, NamedModel{"resnet18", 16}};

}  // namespace pet::app
