// Port: something that loads ONNX files, runs them and times two of them against each other.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/backend/profiler.h"
#include "core/ir/tensor.h"
#include "core/onnx/input_ranges.h"
#include "core/util/id.h"
#include "core/util/result.h"

namespace pet {

struct BackendInfo {
  std::string name;     // "onnxruntime"
  std::string version;  // "1.31.1"
  std::string device;   // the model of the CPU
  int threads = 0;      // how many the device offers; 0: there are none to choose
  // Of workers that say it: a digest of the program and the libraries that it runs, what was chosen
  // when it was started ("precision": "fp32") and decides on times, and how many bytes programs may
  // take.
  std::string build = {};
  std::map<std::string, std::string> options = {};
  std::uint64_t memory = 0;
};

struct NamedTensor {
  std::string name;
  Tensor tensor;
};

struct ModelValue {
  std::string name;
  std::string type;  // ONNX's word: "float", "int64"; a sequence or an optional by its full type
  Shape shape;       // -1 where a dimension is free
};

using ModelId = Id<struct LoadedModelTag>;

struct LoadedModel {
  ModelId id;
  std::vector<ModelValue> inputs, outputs;
};

struct LoadOptions {
  int threads = 1;
  std::map<std::string, Dim> dimensions{};     // sizes of free dimensions, by name
  std::map<std::string, ValueRange> ranges{};  // of inputs whose values are drawn, by name
};

struct PairPlan {
  int rounds = 16;
  int warmup = 1;  // rounds that are run and not recorded
  int evict_mib =
      32;  // read between any two runs, as much as a network touches between two uses of a layer
  std::uint64_t seed =
      1;  // of the inputs: equal names, types and shapes get equal values in both models
  std::uint64_t order_seed = 1;  // of which model goes first in each round
};

struct ProfilePlan {
  int runs = 30;
  int warmup = 2;      // runs that are not recorded
  double seconds = 5;  // after which no further run begins
  int evict_mib = 32;  // read before every run
  std::uint64_t seed = 1;
};

// What a runtime says of one of the operators that it runs, under the name that it has there.
struct OperatorTime {
  std::string name;
  std::string type;
  int calls = 1;           // a run
  std::vector<double> ms;  // of all its calls, a sample a run
  // Of runtimes that say it: operations on floats and bytes moved of a call, what computes it.
  double flops = 0, bytes = 0;
  std::string how = {};
};

struct OperatorProfile {
  std::vector<double> runs_ms;          // whole runs: the operators and what lies between them
  std::vector<OperatorTime> operators;  // in the order in which they run
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual const BackendInfo& info() const = 0;
  // The file must stay where it is until unload(): a backend that had to be started again reads it
  // again.
  virtual Result<LoadedModel> load(const std::filesystem::path& file, const LoadOptions& options,
                                   std::stop_token stop = {}) = 0;
  virtual void unload(ModelId model) = 0;
  // All outputs, in the model's order.
  virtual Result<std::vector<NamedTensor>> run(ModelId model, std::span<const NamedTensor> inputs,
                                               std::stop_token stop = {}) = 0;
  virtual Result<PairTiming> time_pair(ModelId a, ModelId b, const PairPlan& plan,
                                       std::stop_token stop = {}) = 0;
  // All of them once in each round, in an order drawn for it: milliseconds by model, a sample a
  // round. Here pair by pair, of models that are drawn too; of an odd number one runs twice.
  // REQUIRES: at least two
  virtual Result<std::vector<std::vector<double>>> time_together(std::span<const ModelId> models,
                                                                 const PairPlan& plan,
                                                                 std::stop_token stop = {});
  // Whether nothing it is asked will succeed any more, until it is started anew.
  virtual bool is_lost() const { return false; }
  // Times by operator, of runs that are slower for being watched. An Error of kind Unsupported
  // where the runtime does not offer that.
  virtual Result<OperatorProfile> profile(ModelId model, const ProfilePlan& plan,
                                          std::stop_token stop = {});
};

}  // namespace pet
