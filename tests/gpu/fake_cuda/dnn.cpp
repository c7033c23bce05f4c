// cuDNN's backend interface: descriptors with attributes, graphs of a convolution and what follows.
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tests/gpu/fake_cuda/stream.h"

namespace {

#include "gpu/device/dnn.def"

constexpr int kRefused = 3000;
constexpr double kMostWork = 1e7;  // larger ones are for timing alone

struct Descriptor {
  int kind = 0;
  bool finished = false;
  std::map<int, std::vector<char>> attributes;
  Descriptor* graph = nullptr;  // of a configuration
  std::int64_t engine = 0;

  template <class T>
  std::vector<T> all(int attribute) const {
    const auto found = attributes.find(attribute);
    if (found == attributes.end()) return {};
    std::vector<T> out(found->second.size() / sizeof(T));
    std::memcpy(out.data(), found->second.data(), out.size() * sizeof(T));
    return out;
  }
  template <class T>
  T one(int attribute) const {
    return all<T>(attribute).at(0);
  }
  Descriptor* object(int attribute) const { return one<Descriptor*>(attribute); }
};

std::size_t size_of(int type) {
  switch (type) {
    case kDnnOfBoolean:
    case kDnnOfChar:
      return 1;
    case kDnnOfInt64:
    case kDnnOfPointer:
    case kDnnOfDescriptor:
    case kDnnOfHandle:
      return 8;
    default:
      return 4;
  }
}

using Int64s = std::vector<std::int64_t>;

struct Tensor {
  Int64s extents, strides;
  float* memory = nullptr;

  float& at(const Int64s& index) const {
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < index.size(); ++i)
      offset += (extents[i] == 1 ? 0 : index[i]) * strides[i];  // one of one is repeated
    return memory[offset];
  }
};

bool step_on(Int64s& at, const Int64s& extents) {
  for (std::size_t i = at.size(); i-- > 0;) {
    if (++at[i] < extents[i]) return true;
    at[i] = 0;
  }
  return false;
}

// Runs a graph on the memory of a pack.
class Run {
 public:
  Run(Descriptor* graph, Int64s ids, std::vector<float*> memory)
      : graph_(graph), ids_(std::move(ids)), memory_(std::move(memory)) {}

  void operator()() {
    for (Descriptor* operation : graph_->all<Descriptor*>(kDnnGraphOperations)) {
      if (operation->kind == kDnnConvolutionForward) convolve(*operation);
      if (operation->kind == kDnnPointwiseOperation) pointwise(*operation);
    }
  }

 private:
  Tensor tensor(const Descriptor& it) {
    Tensor out{it.all<std::int64_t>(kDnnTensorExtents), it.all<std::int64_t>(kDnnTensorStrides)};
    const auto id = it.one<std::int64_t>(kDnnTensorId);
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      if (ids_[i] == id) out.memory = memory_[i];
    }
    if (out.memory != nullptr) return out;
    std::int64_t last = 0;
    for (std::size_t i = 0; i < out.extents.size(); ++i)
      last += (out.extents[i] - 1) * out.strides[i];
    auto& between = between_[id];
    between.resize(static_cast<std::size_t>(last) + 1);
    out.memory = between.data();
    return out;
  }

  void convolve(const Descriptor& it) {
    const Tensor x = tensor(*it.object(kDnnForwardData));
    const Tensor w = tensor(*it.object(kDnnForwardWeight));
    const Tensor y = tensor(*it.object(kDnnForwardResult));
    const Descriptor& shape = *it.object(kDnnForwardConvolution);
    const auto strides = shape.all<std::int64_t>(kDnnConvolutionStrides);
    const auto dilations = shape.all<std::int64_t>(kDnnConvolutionDilations);
    const auto pads = shape.all<std::int64_t>(kDnnConvolutionPrePads);
    const std::int64_t groups = x.extents[1] / w.extents[1];
    double work = 1;
    for (const std::int64_t extent : y.extents) work *= static_cast<double>(extent);
    for (std::size_t i = 1; i < w.extents.size(); ++i) work *= static_cast<double>(w.extents[i]);
    if (work > kMostWork) return;
    Int64s at(y.extents.size(), 0), tap(w.extents.size(), 0), taps = w.extents, from = at;
    taps[0] = 1;
    do {
      const std::int64_t group = at[1] / (w.extents[0] / groups);
      from[0] = at[0];
      double sum = 0;
      do {
        from[1] = group * w.extents[1] + tap[1];
        bool inside = true;
        for (std::size_t s = 0; s < strides.size(); ++s) {
          from[2 + s] = at[2 + s] * strides[s] + tap[2 + s] * dilations[s] - pads[s];
          inside = inside && from[2 + s] >= 0 && from[2 + s] < x.extents[2 + s];
        }
        if (inside) sum += double{x.at(from)} * double{(&w.at(tap))[at[1] * w.strides[0]]};
      } while (step_on(tap, taps));
      y.at(at) = static_cast<float>(sum);
    } while (step_on(at, y.extents));
  }

  void pointwise(const Descriptor& it) {
    const Tensor x = tensor(*it.object(kDnnOperationX));
    const Tensor y = tensor(*it.object(kDnnOperationY));
    const int mode = it.object(kDnnOperationPointwise)->one<int>(kDnnPointwiseMode);
    const Tensor b = mode == kDnnAdd ? tensor(*it.object(kDnnOperationB)) : x;
    Int64s at(y.extents.size(), 0);
    do y.at(at) = mode == kDnnAdd ? x.at(at) + b.at(at) : x.at(at) < 0 ? 0 : x.at(at);
    while (step_on(at, y.extents));
  }

  Descriptor* graph_;
  Int64s ids_;
  std::vector<float*> memory_;
  std::map<std::int64_t, std::vector<float>> between_;
};

// Two engines, the first of which multiplies on tensor cores.
constexpr std::int64_t kEngines = 2;

// As of the real one on Hopper: no engine computes a dilated convolution and a rectifier at once.
bool is_offered(const Descriptor& graph) {
  bool dilated = false, rectified = false;
  for (const Descriptor* operation : graph.all<Descriptor*>(kDnnGraphOperations)) {
    if (operation->kind == kDnnConvolutionForward) {
      for (const std::int64_t dilation :
           operation->object(kDnnForwardConvolution)->all<std::int64_t>(kDnnConvolutionDilations))
        dilated = dilated || dilation > 1;
    } else {
      rectified =
          rectified ||
          operation->object(kDnnOperationPointwise)->one<int>(kDnnPointwiseMode) == kDnnRelu;
    }
  }
  return !(dilated && rectified);
}

int results(Descriptor& heuristic, std::int64_t most, std::int64_t* count, void* into) {
  if (!heuristic.finished) return kRefused;
  *count = is_offered(*heuristic.object(kDnnHeuristicGraph)) ? std::min(most, kEngines) : 0;
  auto** configs = static_cast<Descriptor**>(into);
  for (std::int64_t i = 0; i < *count; ++i) {
    configs[i]->graph = heuristic.object(kDnnHeuristicGraph);
    configs[i]->engine = i;
    configs[i]->finished = true;
  }
  return 0;
}

}  // namespace

extern "C" {

std::size_t cudnnGetVersion() { return 91900; }
const char* cudnnGetErrorString(int) { return "refused by the fake cuDNN"; }
void cudnnGetLastErrorString(char* words, std::size_t size) {
  if (size > 0) words[0] = '\0';
}
int cudnnCreate(void** handle) { return *handle = new int, 0; }
int cudnnDestroy(void* handle) { return delete static_cast<int*>(handle), 0; }
int cudnnSetStream(void*, void*) { return 0; }
int cudnnBackendCreateDescriptor(int kind, void** descriptor) {
  auto made = std::make_unique<Descriptor>();
  made->kind = kind;
  *descriptor = made.release();
  return 0;
}
int cudnnBackendDestroyDescriptor(void* descriptor) {
  return delete static_cast<Descriptor*>(descriptor), 0;
}
int cudnnBackendFinalize(void* descriptor) {
  return static_cast<Descriptor*>(descriptor)->finished = true, 0;
}
int cudnnBackendSetAttribute(void* descriptor, int attribute, int type, std::int64_t count,
                             const void* values) {
  auto& it = *static_cast<Descriptor*>(descriptor);
  if (it.finished) return kRefused;
  const std::size_t bytes = static_cast<std::size_t>(count) * size_of(type);
  if (type == kDnnOfDescriptor) {
    for (std::int64_t i = 0; i < count; ++i) {
      if (!static_cast<Descriptor* const*>(values)[i]->finished) return kRefused;
    }
  }
  it.attributes[attribute].assign(static_cast<const char*>(values),
                                  static_cast<const char*>(values) + bytes);
  return 0;
}
int cudnnBackendGetAttribute(void* descriptor, int attribute, int, std::int64_t most,
                             std::int64_t* count, void* into) {
  auto& it = *static_cast<Descriptor*>(descriptor);
  if (attribute == kDnnHeuristicResults) return results(it, most, count, into);
  *count = 1;
  if (attribute == kDnnConfigEngine) {
    (*static_cast<Descriptor**>(into))->engine = it.engine;
    return 0;
  }
  if (attribute == kDnnEngineIndex) return *static_cast<std::int64_t*>(into) = it.engine, 0;
  if (attribute == kDnnPlanWorkspace) return *static_cast<std::int64_t*>(into) = 64, 0;
  if (attribute != kDnnEngineNotes) return kRefused;
  *count = it.engine == 0 ? 1 : 0;
  *static_cast<int*>(into) = 0;
  return 0;
}
int cudnnBackendExecute(void*, void* plan, void* pack) {
  const auto& it = *static_cast<Descriptor*>(plan);
  const auto& operands = *static_cast<Descriptor*>(pack);
  if (!it.finished || !operands.finished || operands.one<void*>(kDnnPackWorkspace) == nullptr)
    return kRefused;
  Descriptor* graph = it.object(kDnnPlanConfig)->graph;
  if (graph == nullptr) return kRefused;
  pet::fake::submit(
      Run(graph, operands.all<std::int64_t>(kDnnPackIds), operands.all<float*>(kDnnPackPointers)));
  return 0;
}

}  // extern "C"
