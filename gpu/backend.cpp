#include "gpu/backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "core/backend/random_tensor.h"
#include "core/onnx/model.h"
#include "core/util/check.h"
#include "core/util/printable.h"
#include "core/util/rng.h"
#include "gpu/lower/lower.h"

namespace pet::gpu {
namespace {

using Spans = std::vector<std::span<const float>>;

std::size_t mebibytes(int mib) { return static_cast<std::size_t>(std::max(mib, 0)) << 20; }

ModelValue value_of(const std::string& name, const TensorType& type) {
  return {name, std::string(to_string(type.dtype)), type.shape.value_or(Shape{})};
}

Error stopped() { return {"stopped while a device was timed", ErrorKind::Stopped}; }

}  // namespace

struct GpuBackend::Loaded {
  Model model;
  LoadOptions options;
  std::unique_ptr<Runnable> program;

  // By input of the program what it is given; `given` outlives the spans.
  Result<Spans> inputs_of(std::span<const NamedTensor> given) const {
    Spans out;
    for (const NodeId id : model.graph.inputs()) {
      const ModelInput& input = *std::ranges::find(model.inputs, id, &ModelInput::id);
      if (program->plan().buffer(program->plan().inputs[out.size()]).elements == 0) {
        out.emplace_back();  // nothing needs it
        continue;
      }
      const auto found = std::ranges::find(given, input.name, &NamedTensor::name);
      const Tensor* tensor = found != given.end() ? &found->tensor : input.standard.get();
      if (tensor == nullptr || tensor->type() != input.type)
        return Error{
            fmt::format("input {}: {} is needed", printable(input.name), to_string(input.type)),
            ErrorKind::Usage};
      out.push_back(tensor->floats());
    }
    return out;
  }

  // Values for every input, the same for inputs of equal name and type.
  Result<std::vector<NamedTensor>> drawn(std::uint64_t seed) const {
    std::vector<NamedTensor> out;
    for (const ModelInput& input : model.inputs) {
      if (input.standard != nullptr || input.type.dtype != DType::Float) continue;
      Digester digester("input");
      digester.add(input.name).add(seed);
      Rng rng(digester.finish().word());
      const auto range = options.ranges.find(input.name);
      auto tensor = random_tensor(
          input.type, range == options.ranges.end() ? ValueRange{} : range->second, {}, rng);
      if (!tensor) return std::move(tensor).error().within("input " + printable(input.name));
      out.push_back({input.name, *std::move(tensor)});
    }
    return out;
  }

  Status draw_inputs(std::uint64_t seed) {
    const auto values = drawn(seed);
    if (!values) return values.error();
    const auto spans = inputs_of(*values);
    if (!spans) return spans.error();
    return program->set_inputs(*spans);
  }
};

GpuBackend::GpuBackend(std::unique_ptr<Device> device, Fusion fusion)
    : device_(std::move(device)), fusion_(fusion), info_(device_->info()) {
  if (fusion_ == Fusion::None) info_.name += ", nothing fused";
  info_.options["fusion"] = fusion_ == Fusion::None ? "none" : "all";
}
GpuBackend::~GpuBackend() = default;

Result<LoadedModel> GpuBackend::load(const std::filesystem::path& file, const LoadOptions& options,
                                     std::stop_token) {
  auto model = read_model(file, {.dimensions = options.dimensions});
  if (!model) return std::move(model).error();
  auto plan = lower(model->graph, device_->refusal(), fusion_);
  if (!plan) return std::move(plan).error().within(printable(file.string()));
  auto program = device_->load(*std::move(plan));
  if (!program) return std::move(program).error().within(printable(file.string()));
  LoadedModel out{ModelId(next_++), {}, {}};
  for (const ModelInput& input : model->inputs) {
    if (input.standard == nullptr) out.inputs.push_back(value_of(input.name, input.type));
  }
  for (const ModelOutput& output : model->outputs)
    out.outputs.push_back(value_of(output.name, output.type));
  models_.emplace(
      out.id, std::make_unique<Loaded>(Loaded{*std::move(model), options, *std::move(program)}));
  return out;
}

void GpuBackend::unload(ModelId model) {
  PET_CHECK(models_.erase(model) == 1, "this model is not loaded");
}

GpuBackend::Loaded& GpuBackend::loaded(ModelId model) {
  const auto it = models_.find(model);
  PET_CHECK(it != models_.end(), "this model is not loaded");
  return *it->second;
}

Result<std::vector<NamedTensor>> GpuBackend::run(ModelId model, std::span<const NamedTensor> inputs,
                                                 std::stop_token stop) {
  Loaded& it = loaded(model);
  const auto spans = it.inputs_of(inputs);
  if (!spans) return spans.error();
  auto outputs = it.program->run(*spans, stop);
  if (!outputs) return std::move(outputs).error();
  std::vector<NamedTensor> out;
  for (std::size_t i = 0; i < outputs->size(); ++i) {
    const ModelOutput& output = it.model.outputs[i];
    out.push_back({output.name, Tensor::of_floats(*output.type.shape, std::move((*outputs)[i]))});
  }
  return out;
}

Result<PairTiming> GpuBackend::time_pair(ModelId a, ModelId b, const PairPlan& plan,
                                         std::stop_token stop) {
  const std::array<Loaded*, 2> both = {&loaded(a), &loaded(b)};
  for (Loaded* one : both) {
    if (auto status = one->draw_inputs(plan.seed); !status) return std::move(status).error();
  }
  Rng order(plan.order_seed);
  PairTiming out;
  for (int round = -plan.warmup; round < plan.rounds; ++round) {
    if (stop.stop_requested()) return stopped();
    const std::size_t first = order.below(2);
    for (const std::size_t which : {first, 1 - first}) {
      const auto ms = both[which]->program->time_ms(mebibytes(plan.evict_mib));
      if (!ms) return ms.error();
      if (round >= 0) (which == 0 ? out.a_ms : out.b_ms).push_back(*ms);
    }
    if (round >= 0) out.clocks = together(out.clocks, device_->clocks());
  }
  return out;
}

Result<OperatorProfile> GpuBackend::profile(ModelId model, const ProfilePlan& plan,
                                            std::stop_token stop) {
  Loaded& it = loaded(model);
  if (auto status = it.draw_inputs(plan.seed); !status) return std::move(status).error();
  const auto& launches = it.program->plan().launches;
  OperatorProfile out;
  std::vector<std::size_t> timed;  // those of a run
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const Launch& launch = launches[i];
    if (launch.once) continue;
    timed.push_back(i);
    std::string yields;
    for (const NodeId id : launch.nodes)
      yields += (yields.empty() ? "" : ", ") + it.model.graph.node(id).name;
    std::string how = it.program->how(i);
    if (!launch.remark.empty()) how += (how.empty() ? "" : "; ") + launch.remark;
    out.operators.push_back({.name = in_words(launch),
                             .type = yields,
                             .ms = {},
                             .flops = static_cast<double>(flops_of(launch)),
                             .bytes = static_cast<double>(bytes_of(it.program->plan(), launch)),
                             .how = std::move(how)});
  }
  const auto started = std::chrono::steady_clock::now();
  const auto may_go_on = [&] {
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - started;
    return out.runs_ms.empty() || spent.count() < plan.seconds;
  };
  for (int run = -plan.warmup; run < plan.runs && may_go_on(); ++run) {
    if (stop.stop_requested()) return stopped();
    const auto whole = it.program->time_ms(mebibytes(plan.evict_mib));
    if (!whole) return whole.error();
    if (run >= 0) out.runs_ms.push_back(*whole);
    for (std::size_t i = 0; i < timed.size(); ++i) {
      const auto ms = it.program->time_launch_ms(timed[i], mebibytes(plan.evict_mib));
      if (!ms) return ms.error();
      if (run >= 0) out.operators[i].ms.push_back(*ms);
    }
  }
  return out;
}

}  // namespace pet::gpu
