#include "core/backend/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <optional>

#include "core/backend/random_tensor.h"
#include "core/eval/evaluate.h"
#include "core/util/check.h"
#include "core/util/printable.h"
#include "core/util/rng.h"

namespace pet {
namespace {

using Reals = LaneTensor<double>;
using Values = std::vector<std::shared_ptr<const Reals>>;
using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point started) {
  return std::chrono::duration<double, std::milli>(Clock::now() - started).count();
}

Error stopped() { return {"stopped while the reference evaluated", ErrorKind::Stopped}; }

// How often each node is read: by nodes that the outputs need, and as an output. 0: never.
std::vector<int> uses_of(const Graph& graph) {
  std::vector<int> uses(graph.nodes().size(), 0);
  for (const NodeId id : graph.outputs()) ++uses[id.index()];
  for (std::size_t i = uses.size(); i-- > 0;) {
    if (uses[i] == 0) continue;
    for (const NodeId operand : graph.node(NodeId(i)).operands) ++uses[operand.index()];
  }
  return uses;
}

std::string place_of(const Model& model, NodeId id) {
  const auto& origin = id.index() < model.origins.size() ? model.origins[id.index()] : std::nullopt;
  if (!origin) return fmt::format("value '{}'", printable(model.graph.node(id).name));
  const FileNode& node = model.file_nodes[*origin];
  return fmt::format("node '{}' ({})", printable(node.name), printable(node.op_type));
}

Status check_node(const Model& model, NodeId id) {
  const Node& node = model.graph.node(id);
  std::string why;
  if (node.op() != nullptr && !model.graph.has_meaning(id)) {
    const auto& origin = model.origins[id.index()];
    const auto note = std::ranges::find_if(
        model.opaque, [&](const OpaqueNote& n) { return origin && n.file_node == *origin; });
    why = note != model.opaque.end() ? printable(note->reason) : "it has no definition";
  } else if (node.type.dtype != DType::Float) {
    why = fmt::format("it holds {}, only float is evaluated", to_string(node.type.dtype));
  } else {
    return Done{};
  }
  return Error{fmt::format("{} cannot be evaluated by the reference: {}; use --target ort",
                           place_of(model, id), why),
               ErrorKind::Unsupported};
}

Status check_nodes(const Model& model, const std::vector<int>& uses) {
  for (const bool operators : {true, false}) {  // who is to blame for an odd input is its reader
    for (const NodeId id : model.graph.ids()) {
      if (uses[id.index()] == 0 || (model.graph.node(id).op() != nullptr) != operators) continue;
      if (auto status = check_node(model, id); !status) return status;
    }
  }
  return Done{};
}

std::shared_ptr<const Reals> reals_of(const Tensor& tensor) {
  auto out = std::make_shared<Reals>(tensor.shape(), 1);
  const auto floats = tensor.floats();
  std::copy(floats.begin(), floats.end(), out->lane(0).begin());
  return out;
}

Tensor tensor_of(const Reals& values) {
  std::vector<float> out(values.size());
  std::ranges::transform(values.lane(0), out.begin(),
                         [](double x) { return static_cast<float>(x); });
  return Tensor::of_floats(values.shape, std::move(out));
}

// Every output of the program, in its order. `values` holds inputs and constants, by node. Where
// `times` are asked for, they are told by node.
Result<Values> evaluate(const Graph& graph, std::vector<int> uses, Values values,
                        std::size_t threads, const std::stop_token& stop,
                        std::vector<double>* times) {
  const RealEvaluator<double> evaluator(Signs::Signed, Functions::Computed, threads);
  for (const NodeId id : graph.ids()) {
    if (uses[id.index()] == 0 || graph.node(id).op() == nullptr) continue;
    if (stop.stop_requested()) return stopped();
    const auto started = Clock::now();
    std::vector<const Reals*> operands;
    for (const NodeId operand : graph.node(id).operands)
      operands.push_back(values[operand.index()].get());
    auto result = evaluator.evaluate(graph.meaning(id), operands);
    if (!result) return std::move(result).error();
    values[id.index()] = std::make_shared<const Reals>(*std::move(result));
    for (const NodeId operand : graph.node(id).operands) {
      if (--uses[operand.index()] == 0) values[operand.index()].reset();
    }
    if (times != nullptr) (*times)[id.index()] = ms_since(started);
  }
  Values outputs;
  for (const NodeId id : graph.outputs()) outputs.push_back(values[id.index()]);
  return outputs;
}

// Reads as much memory as a network touches between two uses of a layer.
class Eviction {
 public:
  explicit Eviction(int mib) : words_((static_cast<std::size_t>(mib) << 20) / sizeof(long), 1) {}
  void operator()() {
    long sum = 0;
    for (const long word : words_) sum += word;
    seen_ = sum;
  }

 private:
  std::vector<long> words_;
  volatile long seen_ = 0;  // or nothing would be read
};

// By node of the graph, without times.
std::vector<OperatorTime> operators_of(const Model& model) {
  std::vector<OperatorTime> out;
  for (const NodeId id : model.graph.ids()) {
    const Node& node = model.graph.node(id);
    const auto& origin = model.origins[id.index()];
    const std::string name = origin ? model.file_nodes[*origin].name : "";
    out.push_back({.name = name.empty() ? node.name : name,
                   .type = node.op() == nullptr ? "" : node.op()->def->name,
                   .ms = {}});
  }
  return out;
}

}  // namespace

struct ReferenceBackend::Loaded {
  Model model;
  LoadOptions options;
  std::vector<int> uses;
  Values constants;  // by node

  Result<Values> run(Values inputs, const std::stop_token& stop,
                     std::vector<double>* times = nullptr) const {
    return evaluate(model.graph, uses, std::move(inputs),
                    static_cast<std::size_t>(std::max(1, options.threads)), stop, times);
  }
};

ReferenceBackend::ReferenceBackend(BackendInfo info) : info_(std::move(info)) {}
ReferenceBackend::~ReferenceBackend() = default;

Result<LoadedModel> ReferenceBackend::load(const std::filesystem::path& file,
                                           const LoadOptions& options, std::stop_token) {
  auto model = read_model(file, {.dimensions = options.dimensions});
  if (!model) return std::move(model).error();
  const auto where = printable(file.string());
  auto made = std::make_unique<Loaded>(Loaded{*std::move(model), options, {}, {}});
  const Graph& graph = made->model.graph;
  made->uses = uses_of(graph);
  made->constants.resize(graph.nodes().size());
  if (auto status = check_nodes(made->model, made->uses); !status)
    return std::move(status).error().within(where);
  for (const NodeId id : graph.ids()) {
    if (made->uses[id.index()] == 0) continue;
    if (const Tensor* tensor = graph.node(id).constant())
      made->constants[id.index()] = reals_of(*tensor);
  }
  LoadedModel out{ModelId(next_++), {}, {}};
  const auto value = [](const std::string& name, const TensorType& type) {
    return ModelValue{name, std::string(to_string(type.dtype)), type.shape.value_or(Shape{})};
  };
  for (const ModelInput& input : made->model.inputs) {
    if (input.standard == nullptr) out.inputs.push_back(value(input.name, input.type));
  }
  for (const ModelOutput& output : made->model.outputs)
    out.outputs.push_back(value(output.name, output.type));
  models_.emplace(out.id, std::move(made));
  return out;
}

void ReferenceBackend::unload(ModelId model) {
  PET_CHECK(models_.erase(model) == 1, "this model is not loaded");
}

const ReferenceBackend::Loaded& ReferenceBackend::loaded(ModelId model) const {
  const auto it = models_.find(model);
  PET_CHECK(it != models_.end(), "this model is not loaded");
  return *it->second;
}

Result<std::vector<NamedTensor>> ReferenceBackend::run(ModelId model,
                                                       std::span<const NamedTensor> inputs,
                                                       std::stop_token stop) {
  const Loaded& it = loaded(model);
  Values values = it.constants;
  for (const ModelInput& input : it.model.inputs) {
    if (it.uses[input.id.index()] == 0) continue;
    const auto given = std::ranges::find(inputs, input.name, &NamedTensor::name);
    const Tensor* tensor = given != inputs.end() ? &given->tensor : input.standard.get();
    if (tensor == nullptr || tensor->type() != input.type) {
      return Error{
          fmt::format("input {}: {} is needed", printable(input.name), to_string(input.type)),
          ErrorKind::Usage};
    }
    values[input.id.index()] = reals_of(*tensor);
  }
  const auto outputs = it.run(std::move(values), stop);
  if (!outputs) return outputs.error();
  std::vector<NamedTensor> out;
  for (std::size_t i = 0; i < outputs->size(); ++i)
    out.push_back({it.model.outputs[i].name, tensor_of(*(*outputs)[i])});
  return out;
}

// Values for every input, the same for inputs of equal name and type.
Result<ReferenceBackend::Values> ReferenceBackend::drawn(const Loaded& it, std::uint64_t seed) {
  Values values = it.constants;
  for (const ModelInput& input : it.model.inputs) {
    if (it.uses[input.id.index()] == 0) continue;
    if (input.standard != nullptr) {
      values[input.id.index()] = reals_of(*input.standard);
      continue;
    }
    Digester digester("input");
    digester.add(input.name).add(seed);
    Rng rng(digester.finish().word());
    const auto range = it.options.ranges.find(input.name);
    auto tensor = random_tensor(
        input.type, range == it.options.ranges.end() ? ValueRange{} : range->second, {}, rng);
    if (!tensor) return std::move(tensor).error().within("input " + printable(input.name));
    values[input.id.index()] = reals_of(*tensor);
  }
  return values;
}

Result<PairTiming> ReferenceBackend::time_pair(ModelId a, ModelId b, const PairPlan& plan,
                                               std::stop_token stop) {
  PET_CHECK(plan.rounds > 0 && plan.warmup >= 0, "a plan has rounds");
  const std::array models{&loaded(a), &loaded(b)};
  std::array<Values, 2> inputs;
  for (std::size_t i = 0; i < 2; ++i) {
    auto values = drawn(*models[i], plan.seed);
    if (!values) return std::move(values).error();
    inputs[i] = *std::move(values);
  }
  PairTiming timing;
  Eviction evict(plan.evict_mib);
  Rng order(plan.order_seed);
  for (int round = 0; round < plan.warmup + plan.rounds; ++round) {
    const std::size_t first = order.below(2);
    for (const std::size_t which : {first, 1 - first}) {
      evict();
      const auto started = Clock::now();
      const auto outputs = models[which]->run(inputs[which], stop);
      const double took = ms_since(started);
      if (!outputs) return outputs.error();
      if (round >= plan.warmup) (which == 0 ? timing.a_ms : timing.b_ms).push_back(took);
    }
  }
  return timing;
}

Result<OperatorProfile> ReferenceBackend::profile(ModelId model, const ProfilePlan& plan,
                                                  std::stop_token stop) {
  PET_CHECK(plan.runs > 0 && plan.warmup >= 0, "a plan has runs");
  const Loaded& it = loaded(model);
  const auto inputs = drawn(it, plan.seed);
  if (!inputs) return inputs.error();
  const auto begun = Clock::now();
  Eviction evict(plan.evict_mib);
  OperatorProfile out;
  std::vector<OperatorTime> by_node = operators_of(it.model);
  std::vector<double> times(by_node.size());
  for (int run = 0; run < plan.warmup + plan.runs; ++run) {
    if (run > plan.warmup && ms_since(begun) > plan.seconds * 1e3) break;
    evict();
    const auto started = Clock::now();
    const auto outputs = it.run(*inputs, stop, &times);
    const double took = ms_since(started);
    if (!outputs) return outputs.error();
    if (run < plan.warmup) continue;
    out.runs_ms.push_back(took);
    for (std::size_t i = 0; i < times.size(); ++i) by_node[i].ms.push_back(times[i]);
  }
  for (const NodeId id : it.model.graph.ids()) {
    if (it.uses[id.index()] > 0 && it.model.graph.node(id).op() != nullptr)
      out.operators.push_back(std::move(by_node[id.index()]));
  }
  return out;
}

}  // namespace pet
