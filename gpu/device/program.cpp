#include "gpu/device/program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/util/check.h"
#include "core/util/median.h"
#include "core/util/overloaded.h"
#include "gpu/device/compile.h"
#include "gpu/kernel/print_cuda.h"

namespace pet::gpu {
namespace {

constexpr unsigned kPoison = 0x7fbadbad;  // bits of no number
constexpr std::size_t kMostWorkspace = std::size_t{64} << 20;
constexpr std::size_t kMostPlansTried = 256;
constexpr int kFewAlgorithms = 8;
constexpr int kManyAlgorithms = 64;
constexpr int kTimings = 5;        // of each way, after one that is not counted
constexpr double kHopeless = 1.5;  // times the best: not timed again

}  // namespace

struct DeviceProgram::Ready {
  Function function = nullptr;
  Launch1D shape;
  std::vector<ConvolutionPlan> convolution;
  std::unique_ptr<ProductPlan> product;
  std::size_t chosen = 0;  // of the plans, or of the product's algorithms
  std::vector<Trial> trials;

  std::size_t candidates() const { return product ? product->algorithms() : convolution.size(); }
  std::int64_t engine(std::size_t candidate) const {
    return product ? static_cast<std::int64_t>(candidate) : convolution[candidate].engine;
  }
  Trial trial(std::size_t candidate) const {
    Trial out{.engine = engine(candidate)};
    if (!product) {
      out.notes = convolution[candidate].notes;
      out.workspace = convolution[candidate].workspace;
    }
    return out;
  }
  std::size_t workspace() const {
    std::size_t most = product ? product->workspace() : 0;
    for (const ConvolutionPlan& plan : convolution) most = std::max(most, plan.workspace);
    return most;
  }
};

std::string text_of_kernels(const Plan& plan, std::vector<std::string>& names) {
  std::string text = cuda_prelude();
  std::map<std::string, std::string> known;  // names by text
  names.assign(plan.launches.size(), "");
  for (std::size_t i = 0; i < plan.launches.size(); ++i) {
    const auto* launch = std::get_if<KernelLaunch>(&plan.launches[i].what);
    if (launch == nullptr) continue;
    const std::string name = fmt::format("k{}", known.size());
    const auto [found, is_new] = known.emplace(print_cuda(launch->kernel, "k"), name);
    if (is_new) text += print_cuda(launch->kernel, name);
    names[i] = found->second;
  }
  return text;
}

DeviceProgram::DeviceProgram(const CudaDevice& device, Plan plan)
    : device_(device), plan_(std::move(plan)), ready_(plan_.launches.size()) {}

DeviceProgram::~DeviceProgram() {
  if (graph_ != nullptr) device_.lib().cuGraphExecDestroy(graph_);
  if (module_ != nullptr) device_.lib().cuModuleUnload(module_);
}

Result<std::unique_ptr<DeviceProgram>> DeviceProgram::load(const CudaDevice& device, Plan plan,
                                                           TuningMemory& memory) {
  std::unique_ptr<DeviceProgram> out(new DeviceProgram(device, std::move(plan)));
  if (auto status = out->prepare(memory); !status) return std::move(status).error();
  return out;
}

Status DeviceProgram::prepare(TuningMemory& memory) {
  using Step = Status (DeviceProgram::*)();
  for (const Step step : {&DeviceProgram::compile_kernels, &DeviceProgram::prepare_libraries,
                          &DeviceProgram::take_memory, &DeviceProgram::take_constants,
                          &DeviceProgram::take_workspace}) {
    if (auto status = (this->*step)(); !status) return status;
  }
  if (auto status = tune(memory); !status) return status;
  return run_once();
}

// Whatever lies in memory is multiplied as fast as anything else.
std::optional<double> DeviceProgram::trial_ms(std::size_t launch, double best) {
  std::vector<double> times;
  for (int i = 0; i <= kTimings; ++i) {
    Stopwatch watch(device_);
    if (!watch.start() || !issue(launch)) return std::nullopt;
    const auto ms = watch.stop_ms();
    if (!ms) return std::nullopt;
    if (i > 0) times.push_back(*ms);
    if (i == 1 && *ms > kHopeless * best) break;
  }
  return median(times);
}

// What decides how fast it is: another one of any of these is another line.
std::string DeviceProgram::tuning_key(std::size_t launch) const {
  const DeviceFacts& facts = device_.facts();
  return fmt::format("{}, driver {}, {}, {}{}: {}", facts.name, facts.driver, facts.libraries,
                     device_.precision() == Precision::Fp32 ? "fp32" : "tf32",
                     device_.tuning() == Tuning::Full ? ", all ways" : "",
                     identity_of(plan_.launches[launch]));
}

void DeviceProgram::tune_launch(std::size_t launch, TuningMemory& memory) {
  Ready& ready = ready_[launch];
  const std::string key = tuning_key(launch);
  const auto known = memory.find(key);
  if (known && known->candidate < ready.candidates() &&
      ready.engine(known->candidate) == known->engine) {
    ready.chosen = known->candidate;
    return;
  }
  double best = std::numeric_limits<double>::infinity();
  std::size_t winner = 0;
  for (std::size_t i = 0; i < ready.candidates(); ++i) {
    ready.chosen = i;
    Trial trial = ready.trial(i);
    trial.ms = trial_ms(launch, best);
    const double ms = trial.ms.value_or(best);
    ready.trials.push_back(std::move(trial));
    if (ms >= best) continue;
    best = ms;
    winner = i;
  }
  ready.chosen = winner;
  if (std::isfinite(best)) memory.remember(key, {winner, ready.engine(winner), best});
}

Status DeviceProgram::tune(TuningMemory& memory) {
  for (std::size_t i = 0; i < ready_.size(); ++i) {
    if (ready_[i].candidates() > 0) tune_launch(i, memory);
  }
  return device_.wait();
}

const std::vector<Trial>& DeviceProgram::trials(std::size_t launch) const {
  return ready_[launch].trials;
}

std::string DeviceProgram::how(std::size_t launch) const {
  const Ready& ready = ready_[launch];
  if (ready.candidates() == 0) return {};
  if (ready.product) return fmt::format("algorithm {} of cuBLASLt", ready.chosen);
  const ConvolutionPlan& plan = ready.convolution[ready.chosen];
  return fmt::format("engine {} of cuDNN{}, {} bytes of workspace", plan.engine,
                     plan.notes.empty() ? "" : fmt::format(" ({})", fmt::join(plan.notes, ", ")),
                     plan.workspace);
}

Status DeviceProgram::take_memory() {
  auto arena = device_.allocate(plan_.arena);
  if (!arena) return std::move(arena).error();
  arena_ = *std::move(arena);
  return Done{};
}

Status DeviceProgram::take_constants() {
  for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
    const Buffer& buffer = plan_.buffers[i];
    if (buffer.constant == nullptr) continue;
    auto place = device_.allocate(buffer.bytes());
    if (!place) return std::move(place).error();
    const auto status =
        device_.upload(place->address(), buffer.constant->bytes().data(), buffer.bytes());
    if (!status) return status;
    constants_.emplace(BufferId(i), *std::move(place));
  }
  return Done{};
}

Status DeviceProgram::compile_kernels() {
  std::vector<std::string> names;
  const std::string text = text_of_kernels(plan_, names);
  if (std::ranges::all_of(names, [](const std::string& name) { return name.empty(); }))
    return Done{};
  const Libraries& lib = device_.lib();
  auto code = compile(lib, text, device_.facts().architecture);
  if (!code) return std::move(code).error();
  PET_DRIVER(lib, cuModuleLoadData(&module_, code->image.data()), "loading kernels");
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].empty()) continue;
    PET_DRIVER(lib, cuModuleGetFunction(&ready_[i].function, module_, names[i].c_str()),
               "finding a kernel");
    ready_[i].shape = shape_of_launch(std::get<KernelLaunch>(plan_.launches[i].what).kernel);
  }
  return Done{};
}

Status DeviceProgram::prepare_libraries() {
  for (std::size_t i = 0; i < plan_.launches.size(); ++i) {
    const auto& what = plan_.launches[i].what;
    const auto words = [&] { return in_words(plan_.launches[i]); };
    if (const auto* convolution = std::get_if<Convolution>(&what)) {
      auto plans = plans_of(device_.lib(), {device_.dnn()}, *convolution, device_.precision(),
                            kMostPlansTried, device_.tuning());
      if (!plans) return std::move(plans).error().within(words());
      ready_[i].convolution = *std::move(plans);
    } else if (const auto* product = std::get_if<MatrixProduct>(&what)) {
      auto plan =
          ProductPlan::make(device_, *product, kMostWorkspace,
                            device_.tuning() == Tuning::Full ? kManyAlgorithms : kFewAlgorithms);
      if (!plan) return std::move(plan).error().within(words());
      ready_[i].product = *std::move(plan);
    }
  }
  return Done{};
}

Status DeviceProgram::take_workspace() {
  std::size_t most = 0;
  for (const Ready& ready : ready_) most = std::max(most, ready.workspace());
  auto place = device_.allocate(most);
  if (!place) return std::move(place).error();
  workspace_ = *std::move(place);
  return Done{};
}

Status DeviceProgram::run_once() {
  for (std::size_t i = 0; i < plan_.launches.size(); ++i) {
    if (!plan_.launches[i].once) continue;
    if (auto status = issue(i); !status) return status;
  }
  return device_.wait();
}

Address DeviceProgram::address(BufferId id) const {
  const auto constant = constants_.find(id);
  if (constant != constants_.end()) return constant->second.address();
  return arena_.address() + plan_.buffer(id).offset;
}

Address DeviceProgram::address(const std::optional<View>& view) const {
  return view ? address(view->buffer) : 0;
}

Status DeviceProgram::issue_kernel(const KernelLaunch& launch, const Ready& ready) {
  std::vector<Address> addresses;
  for (const BufferId id : launch.reads) addresses.push_back(address(id));
  addresses.push_back(address(launch.result));
  std::vector<void*> parameters;
  for (Address& one : addresses) parameters.push_back(&one);
  PET_DRIVER(device_.lib(),
             cuLaunchKernel(ready.function, static_cast<unsigned>(ready.shape.blocks), 1, 1,
                            static_cast<unsigned>(ready.shape.threads), 1, 1, 0, device_.stream(),
                            parameters.data(), nullptr),
             "starting a kernel");
  return Done{};
}

Status DeviceProgram::issue_convolution(const Convolution& c, const Ready& ready) {
  return execute(device_.lib(), device_.dnn(), ready.convolution[ready.chosen], c,
                 {.data = address(c.data.buffer),
                  .weight = address(c.weight.buffer),
                  .result = address(c.result.buffer),
                  .residual = address(c.residual),
                  .bias = address(c.bias),
                  .workspace = workspace_.address()});
}

Status DeviceProgram::issue_product(const MatrixProduct& p, const Ready& ready) {
  return ready.product->execute({.left = address(p.left.buffer),
                                 .right = address(p.right.buffer),
                                 .result = address(p.result.buffer),
                                 .residual = address(p.residual),
                                 .bias = address(p.bias),
                                 .workspace = workspace_.address()},
                                ready.chosen);
}

Status DeviceProgram::issue(std::size_t number) {
  const Ready& ready = ready_[number];
  auto status = std::visit(
      overloaded{[&](const KernelLaunch& k) { return issue_kernel(k, ready); },
                 [&](const Convolution& c) { return issue_convolution(c, ready); },
                 [&](const MatrixProduct& p) { return issue_product(p, ready); },
                 [&](const Fill& f) -> Status {
                   PET_DRIVER(
                       device_.lib(),
                       cuMemsetD32Async(address(f.result), std::bit_cast<unsigned>(f.value),
                                        static_cast<std::size_t>(plan_.buffer(f.result).elements),
                                        device_.stream()),
                       "filling a buffer");
                   return Done{};
                 }},
      plan_.launches[number].what);
  if (status) return status;
  return std::move(status).error().within(
      fmt::format("launch {} ({})", number, in_words(plan_.launches[number])));
}

Status DeviceProgram::poison(BufferId result) {
  if (plan_.buffer(result).over || plan_.buffer(result).elements == 0) return Done{};
  PET_DRIVER(
      device_.lib(),
      cuMemsetD32Async(address(result), kPoison,
                       static_cast<std::size_t>(plan_.buffer(result).elements), device_.stream()),
      "poisoning a buffer");
  return Done{};
}

Status DeviceProgram::set_inputs(std::span<const std::span<const float>> inputs) {
  PET_CHECK(inputs.size() == plan_.inputs.size(), "a value for every input");
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    auto status =
        device_.upload(address(plan_.inputs[i]), inputs[i].data(), inputs[i].size_bytes());
    if (!status) return status;
  }
  return Done{};
}

Result<std::vector<std::vector<float>>> DeviceProgram::run(
    std::span<const std::span<const float>> inputs, Poison poisoned) {
  if (auto status = set_inputs(inputs); !status) return std::move(status).error();
  for (std::size_t i = 0; i < plan_.launches.size(); ++i) {
    if (plan_.launches[i].once) continue;
    if (poisoned == Poison::Yes) {
      if (auto status = poison(plan_.launches[i].result()); !status)
        return std::move(status).error();
    }
    if (auto status = issue(i); !status) return std::move(status).error();
  }
  return outputs();
}

Result<std::vector<std::vector<float>>> DeviceProgram::outputs() const {
  if (auto status = device_.wait(); !status) return std::move(status).error();
  std::vector<std::vector<float>> out;
  for (const BufferId id : plan_.outputs) {
    auto& values = out.emplace_back(static_cast<std::size_t>(plan_.buffer(id).elements));
    auto status = device_.download(values.data(), address(id), values.size() * sizeof(float));
    if (!status) return std::move(status).error();
  }
  return out;
}

Status DeviceProgram::capture() {
  const Libraries& lib = device_.lib();
  constexpr int kOfThisThread = 1;
  PET_DRIVER(lib, cuStreamBeginCapture_v2(device_.stream(), kOfThisThread), "recording a graph");
  Status issued = Done{};
  for (std::size_t i = 0; i < plan_.launches.size() && issued; ++i) {
    if (!plan_.launches[i].once) issued = issue(i);
  }
  DeviceGraph graph = nullptr;
  PET_DRIVER(lib, cuStreamEndCapture(device_.stream(), &graph), "recording a graph");
  if (!issued) return issued;
  const int code = lib.cuGraphInstantiateWithFlags(&graph_, graph, 0);
  lib.cuGraphDestroy(graph);
  if (code != 0) return driver_error(lib, code, "making a graph ready");
  return Done{};
}

// Of a whole run: what stays from one run to the next is left alone.
Status DeviceProgram::poison_results() {
  for (const Launch& launch : plan_.launches) {
    if (launch.once) continue;
    if (auto status = poison(launch.result()); !status) return status;
  }
  return Done{};
}

Status DeviceProgram::replay(Poison poison) {
  if (graph_ == nullptr) {
    if (auto status = capture(); !status) return status;
  }
  if (poison == Poison::Yes) {
    if (auto status = poison_results(); !status) return status;
  }
  PET_DRIVER(device_.lib(), cuGraphLaunch(graph_, device_.stream()), "starting a graph");
  return Done{};
}

}  // namespace pet::gpu
