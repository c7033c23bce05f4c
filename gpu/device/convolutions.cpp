#include "gpu/device/convolutions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "gpu/launch/plan.h"

namespace pet::gpu {
namespace {

#include "gpu/device/dnn.def"

constexpr std::size_t kLikeliest = 8;      // that quick tuning takes as they come
constexpr std::size_t kMostConfigs = 256;  // of one heuristic; there were up to 77

enum TensorId : std::int64_t { kData = 1, kWeight, kResult, kResidual, kBias, kFirstBetween };

// Makes descriptors; after the first failure it makes nothing more and says what failed.
class Maker {
 public:
  explicit Maker(const Libraries& lib) : lib_(lib) {}

  DnnDescriptor open(DnnKind kind) {
    DnnDescriptor out = nullptr;
    check(lib_.cudnnBackendCreateDescriptor(kind, &out), "a descriptor");
    parts_.emplace_back(lib_, out);
    return out;
  }
  template <class T>
  void set(DnnDescriptor of, DnnAttribute attribute, DnnType type, const std::vector<T>& values) {
    if (!failed_.empty()) return;
    check(lib_.cudnnBackendSetAttribute(of, attribute, type,
                                        static_cast<std::int64_t>(values.size()), values.data()),
          "an attribute");
  }
  void close(DnnDescriptor of, const char* what) {
    if (failed_.empty()) check(lib_.cudnnBackendFinalize(of), what);
  }

  const std::string& failed() const { return failed_; }
  std::vector<DnnObject> take() { return std::move(parts_); }

 private:
  void check(int code, const char* what) {
    if (code == 0 || !failed_.empty()) return;
    std::array<char, 512> words{};
    lib_.cudnnGetLastErrorString(words.data(), words.size());
    failed_ = fmt::format("{}: {} {}", what, lib_.cudnnGetErrorString(code), words.data());
  }

  const Libraries& lib_;
  std::vector<DnnObject> parts_;
  std::string failed_;
};

using Int64s = std::vector<std::int64_t>;

DnnDescriptor tensor(Maker& make, std::int64_t id, const Shape& extents, const Shape& strides) {
  const DnnDescriptor out = make.open(kDnnTensor);
  make.set(out, kDnnTensorType, kDnnOfDataType, std::vector<int>{kDnnFloat});
  make.set(out, kDnnTensorExtents, kDnnOfInt64, extents);
  make.set(out, kDnnTensorStrides, kDnnOfInt64, strides);
  make.set(out, kDnnTensorId, kDnnOfInt64, Int64s{id});
  make.set(out, kDnnTensorAlignment, kDnnOfInt64, Int64s{16});
  if (id >= kFirstBetween) {
    const bool is_virtual = true;
    make.set(out, kDnnTensorIsVirtual, kDnnOfBoolean, std::vector<char>{is_virtual});
  }
  make.close(out, "a tensor");
  return out;
}

DnnDescriptor tensor(Maker& make, std::int64_t id, const View& view) {
  return tensor(make, id, view.extents, view.strides);
}

DnnDescriptor geometry(Maker& make, const Convolution& c) {
  Int64s strides, dilations, before, after;
  for (const Slide& slide : c.slides) {
    strides.push_back(slide.stride);
    dilations.push_back(slide.dilation);
    before.push_back(slide.before);
    after.push_back(slide.after);
  }
  const DnnDescriptor out = make.open(kDnnConvolution);
  make.set(out, kDnnConvolutionType, kDnnOfDataType, std::vector<int>{kDnnFloat});
  make.set(out, kDnnConvolutionMode, kDnnOfConvolutionMode, std::vector<int>{kDnnCrossCorrelation});
  make.set(out, kDnnConvolutionSpatial, kDnnOfInt64,
           Int64s{static_cast<std::int64_t>(c.slides.size())});
  make.set(out, kDnnConvolutionStrides, kDnnOfInt64, strides);
  make.set(out, kDnnConvolutionDilations, kDnnOfInt64, dilations);
  make.set(out, kDnnConvolutionPrePads, kDnnOfInt64, before);
  make.set(out, kDnnConvolutionPostPads, kDnnOfInt64, after);
  make.close(out, "the geometry");
  return out;
}

DnnDescriptor forward(Maker& make, const Convolution& c, DnnDescriptor result) {
  const DnnDescriptor shape = geometry(make, c);
  const DnnDescriptor data = tensor(make, kData, c.data);
  const DnnDescriptor weight = tensor(make, kWeight, c.weight);
  const DnnDescriptor out = make.open(kDnnConvolutionForward);
  make.set(out, kDnnForwardConvolution, kDnnOfDescriptor, std::vector{shape});
  make.set(out, kDnnForwardData, kDnnOfDescriptor, std::vector{data});
  make.set(out, kDnnForwardWeight, kDnnOfDescriptor, std::vector{weight});
  make.set(out, kDnnForwardResult, kDnnOfDescriptor, std::vector{result});
  make.set(out, kDnnForwardAlpha, kDnnOfFloat, std::vector<float>{1});
  make.set(out, kDnnForwardBeta, kDnnOfFloat, std::vector<float>{0});
  make.close(out, "the convolution");
  return out;
}

DnnDescriptor pointwise(Maker& make, int mode, DnnDescriptor x, DnnDescriptor b, DnnDescriptor y) {
  const DnnDescriptor how = make.open(kDnnPointwise);
  make.set(how, kDnnPointwiseMode, kDnnOfPointwiseMode, std::vector<int>{mode});
  make.set(how, kDnnPointwisePrecision, kDnnOfDataType, std::vector<int>{kDnnFloat});
  make.close(how, "a pointwise function");
  const DnnDescriptor out = make.open(kDnnPointwiseOperation);
  make.set(out, kDnnOperationPointwise, kDnnOfDescriptor, std::vector{how});
  make.set(out, kDnnOperationX, kDnnOfDescriptor, std::vector{x});
  if (b != nullptr) make.set(out, kDnnOperationB, kDnnOfDescriptor, std::vector{b});
  make.set(out, kDnnOperationY, kDnnOfDescriptor, std::vector{y});
  make.close(out, "a pointwise operation");
  return out;
}

// Extents [1, F, 1, 1], as what is added along the features.
DnnDescriptor bias_tensor(Maker& make, const Convolution& c) {
  Shape extents(c.result.extents.size(), 1);
  extents[1] = c.result.extents[1];
  Shape strides(extents.size(), 1);
  strides[0] = extents[1];
  return tensor(make, kBias, extents, strides);
}

// The convolution, then residual, bias and rectifier: between two of them a tensor that is never
// written.
DnnDescriptor graph_of(Maker& make, const DnnTarget& target, const Convolution& c) {
  int left = (c.residual ? 1 : 0) + (c.bias ? 1 : 0) + (c.relu ? 1 : 0);
  std::int64_t next = kFirstBetween;
  const auto result = [&] {
    return tensor(make, left-- == 0 ? std::int64_t{kResult} : next++, c.result);
  };
  DnnDescriptor last = result();
  std::vector<DnnDescriptor> operations = {forward(make, c, last)};
  const auto add = [&](int mode, DnnDescriptor b) {
    const DnnDescriptor before = last;
    last = result();
    operations.push_back(pointwise(make, mode, before, b, last));
  };
  if (c.residual) add(kDnnAdd, tensor(make, kResidual, *c.residual));
  if (c.bias) add(kDnnAdd, bias_tensor(make, c));
  if (c.relu) add(kDnnRelu, nullptr);
  const DnnDescriptor graph = make.open(kDnnOperationGraph);
  make.set(graph, kDnnGraphOperations, kDnnOfDescriptor, operations);
  if (target.handle != nullptr)
    make.set(graph, kDnnGraphHandle, kDnnOfHandle, std::vector{target.handle});
  make.close(graph, "the graph");
  return graph;
}

DnnDescriptor described_device(Maker& make, const DnnTarget& target) {
  if (target.handle != nullptr) return nullptr;
  const DnnDescriptor out = make.open(kDnnDeviceProperties);
  std::vector<char> json(target.description.begin(), target.description.end());
  json.push_back('\0');
  make.set(out, kDnnDeviceJson, kDnnOfChar, json);
  make.close(out, "the described device");
  return out;
}

class Planning {
 public:
  Planning(const Libraries& lib, const DnnTarget& target, const Convolution& c, Precision precision,
           std::size_t most, Tuning tuning)
      : lib_(lib),
        target_(target),
        convolution_(c),
        precision_(precision),
        most_(most),
        likeliest_(tuning == Tuning::Full ? most : std::min(most, kLikeliest)) {}

  Result<std::vector<ConvolutionPlan>> plan() {
    std::vector<ConvolutionPlan> out;
    for (const int mode : kDnnHeuristicModes) {
      if (out.size() < most_) add_plans(mode, out);
    }
    if (!out.empty()) return out;
    return Error{fmt::format("no engine of cuDNN computes this convolution in {}: {}",
                             precision_ == Precision::Fp32 ? "fp32" : "TF32",
                             why_not_.empty() ? "none is offered" : why_not_),
                 ErrorKind::Unsupported};
  }

 private:
  // Of one heuristic, likeliest fast first.
  void add_plans(int mode, std::vector<ConvolutionPlan>& out) {
    Maker make(lib_);
    const DnnDescriptor graph = graph_of(make, target_, convolution_);
    const DnnDescriptor device = described_device(make, target_);
    const DnnDescriptor heuristic = make.open(kDnnHeuristic);
    make.set(heuristic, kDnnHeuristicGraph, kDnnOfDescriptor, std::vector{graph});
    make.set(heuristic, kDnnHeuristicMode, kDnnOfHeuristicMode, std::vector<int>{mode});
    if (device != nullptr)
      make.set(heuristic, kDnnHeuristicDevice, kDnnOfDescriptor, std::vector{device});
    make.close(heuristic, "the heuristic");
    std::vector<DnnDescriptor> configs;
    for (std::size_t i = 0; i < kMostConfigs; ++i) configs.push_back(make.open(kDnnEngineConfig));
    if (!make.failed().empty()) {
      why_not_ = make.failed();
      return;
    }
    std::int64_t count = 0;
    lib_.cudnnBackendGetAttribute(heuristic, kDnnHeuristicResults, kDnnOfDescriptor,
                                  static_cast<std::int64_t>(configs.size()), &count,
                                  configs.data());
    const auto shared = std::make_shared<std::vector<DnnObject>>(make.take());
    for (std::int64_t i = 0; i < count && out.size() < most_; ++i) {
      auto plan = finished(configs[static_cast<std::size_t>(i)], device);
      const bool is_new = plan && engines_.insert(plan->engine).second;
      if (!plan || (out.size() >= likeliest_ && !is_new)) continue;
      plan->graph = shared;
      out.push_back(*std::move(plan));
    }
  }

  std::optional<ConvolutionPlan> finished(DnnDescriptor config, DnnDescriptor device) {
    Maker make(lib_);
    ConvolutionPlan out;
    read_engine(make, config, out);
    if (!is_wanted(out)) return std::nullopt;
    const DnnDescriptor plan = make.open(kDnnPlan);
    if (target_.handle != nullptr)
      make.set(plan, kDnnPlanHandle, kDnnOfHandle, std::vector{target_.handle});
    make.set(plan, kDnnPlanConfig, kDnnOfDescriptor, std::vector{config});
    if (device != nullptr) make.set(plan, kDnnPlanDevice, kDnnOfDescriptor, std::vector{device});
    make.close(plan, "the plan");
    if (!make.failed().empty()) {
      why_not_ = make.failed();
      return std::nullopt;
    }
    std::int64_t workspace = 0, count = 0;
    lib_.cudnnBackendGetAttribute(plan, kDnnPlanWorkspace, kDnnOfInt64, 1, &count, &workspace);
    out.workspace = static_cast<std::size_t>(workspace);
    out.parts = make.take();
    return out;
  }

  void read_engine(Maker& make, DnnDescriptor config, ConvolutionPlan& out) {
    DnnDescriptor engine = make.open(kDnnEngine);
    std::int64_t count = 0;
    lib_.cudnnBackendGetAttribute(config, kDnnConfigEngine, kDnnOfDescriptor, 1, &count, &engine);
    lib_.cudnnBackendGetAttribute(engine, kDnnEngineIndex, kDnnOfInt64, 1, &count, &out.engine);
    std::array<int, 16> notes{};
    lib_.cudnnBackendGetAttribute(engine, kDnnEngineNotes, kDnnOfNumericalNote, notes.size(),
                                  &count, notes.data());
    for (std::int64_t i = 0; i < count; ++i) {
      const auto note = static_cast<std::size_t>(notes[static_cast<std::size_t>(i)]);
      out.notes.emplace_back(note < kDnnNotes.size() ? kDnnNotes[note] : "?");
    }
  }

  // Tensor cores multiply floats as TF32.
  bool is_wanted(const ConvolutionPlan& plan) {
    std::vector<std::string> refused = {"DOWN_CONVERT_INPUTS", "REDUCED_PRECISION_REDUCTION",
                                        "NONDETERMINISTIC"};
    if (precision_ == Precision::Fp32) refused.emplace_back("TENSOR_CORE");
    for (const std::string& note : plan.notes) {
      if (std::ranges::find(refused, note) == refused.end()) continue;
      why_not_ = fmt::format("engine {} is noted {}", plan.engine, note);
      return false;
    }
    return true;
  }

  const Libraries& lib_;
  const DnnTarget& target_;
  const Convolution& convolution_;
  Precision precision_;
  std::size_t most_, likeliest_;
  std::set<std::int64_t> engines_;  // of plans that were seen
  std::string why_not_;
};

}  // namespace

DnnObject::~DnnObject() {
  if (descriptor_ != nullptr) lib_->cudnnBackendDestroyDescriptor(descriptor_);
}

Result<std::vector<ConvolutionPlan>> plans_of(const Libraries& lib, const DnnTarget& target,
                                              const Convolution& convolution, Precision precision,
                                              std::size_t most, Tuning tuning) {
  if (!lib.cudnn_missing.empty()) return Error{lib.cudnn_missing, ErrorKind::Tool};
  return Planning(lib, target, convolution, precision, most, tuning).plan();
}

ConvolutionRefusal refusal_of(const Libraries& lib, DnnTarget target, Precision precision) {
  auto known = std::make_shared<std::map<std::string, std::optional<std::string>>>();
  return [&lib, target = std::move(target), precision, known](const Convolution& c) {
    const std::string what = identity_of({.what = c, .nodes = {}});
    if (const auto it = known->find(what); it != known->end()) return it->second;
    const auto plans = plans_of(lib, target, c, precision, 1);
    return (*known)[what] = plans ? std::nullopt : std::optional(plans.error().message);
  };
}

Status execute(const Libraries& lib, DnnHandle handle, const ConvolutionPlan& plan,
               const Convolution& convolution, const ConvolutionMemory& memory) {
  Int64s ids = {kData, kWeight, kResult};
  std::vector<Address> addresses = {memory.data, memory.weight, memory.result};
  if (convolution.residual) {
    ids.push_back(kResidual);
    addresses.push_back(memory.residual);
  }
  if (convolution.bias) {
    ids.push_back(kBias);
    addresses.push_back(memory.bias);
  }
  Maker make(lib);
  const DnnDescriptor pack = make.open(kDnnVariantPack);
  make.set(pack, kDnnPackIds, kDnnOfInt64, ids);
  make.set(pack, kDnnPackPointers, kDnnOfPointer, addresses);
  make.set(pack, kDnnPackWorkspace, kDnnOfPointer, std::vector{memory.workspace});
  make.close(pack, "the operands");
  if (!make.failed().empty()) return Error{make.failed(), ErrorKind::Tool};
  const int code = lib.cudnnBackendExecute(handle, plan.plan(), pack);
  if (code == 0) return Done{};
  return Error{fmt::format("engine {} of cuDNN: {}", plan.engine, lib.cudnnGetErrorString(code)),
               ErrorKind::Tool};
}

}  // namespace pet::gpu
