// Convolutions of cuDNN, by its backend interface: a graph of the convolution and what is added to
// it, the engines that can compute it, a plan of each. Plans need no device: a described one will
// do.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gpu/device/libraries.h"
#include "gpu/launch/launch.h"

namespace pet::gpu {

// What plans are made for: the handle of a device, or the JSON that describes one.
struct DnnTarget {
  DnnHandle handle = nullptr;
  std::string description = {};  // where there is no handle
};

enum class Precision { Fp32, Tf32 };

// How many ways are tried: the likeliest and one of every other engine, or all.
enum class Tuning { Quick, Full };

class DnnObject {
 public:
  DnnObject() = default;
  DnnObject(const Libraries& lib, DnnDescriptor descriptor) : lib_(&lib), descriptor_(descriptor) {}
  DnnObject(DnnObject&& other) noexcept { swap(other); }
  DnnObject& operator=(DnnObject&& other) noexcept {
    swap(other);
    return *this;
  }
  ~DnnObject();
  DnnDescriptor get() const { return descriptor_; }

 private:
  void swap(DnnObject& other) noexcept {
    std::swap(lib_, other.lib_);
    std::swap(descriptor_, other.descriptor_);
  }
  const Libraries* lib_ = nullptr;
  DnnDescriptor descriptor_ = nullptr;
};

struct ConvolutionPlan {
  std::vector<DnnObject> parts;                   // the plan last
  std::shared_ptr<std::vector<DnnObject>> graph;  // what it is a plan of, shared with others
  std::int64_t engine = 0;
  std::vector<std::string> notes;  // "TENSOR_CORE", "WINOGRAD"
  std::size_t workspace = 0;

  DnnDescriptor plan() const { return parts.back().get(); }
};

// As many plans of engines that compute in that precision as that tuning tries, likeliest fast
// first, at most `most`.
// An Error where there is none, with what the engines lacked.
Result<std::vector<ConvolutionPlan>> plans_of(const Libraries& lib, const DnnTarget& target,
                                              const Convolution& convolution, Precision precision,
                                              std::size_t most, Tuning tuning = Tuning::Full);

// What lowering asks about a target, each convolution once: why no engine computes it.
// REQUIRES: the libraries, and the handle where there is one, outlive the answers
ConvolutionRefusal refusal_of(const Libraries& lib, DnnTarget target, Precision precision);

// Where the operands of a convolution lie.
struct ConvolutionMemory {
  Address data = 0, weight = 0, result = 0, residual = 0, bias = 0, workspace = 0;
};
Status execute(const Libraries& lib, DnnHandle handle, const ConvolutionPlan& plan,
               const Convolution& convolution, const ConvolutionMemory& memory);

}  // namespace pet::gpu
