// What a model becomes on a GPU: its launches, with what each computes and moves, and how long each
// takes where a GPU is at hand.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <numeric>

#include "app/common/shape_flags.h"
#include "app/common/target.h"
#include "app/pet/commands.h"
#include "app/pet/stopping.h"
#include "core/onnx/model.h"
#include "core/util/median.h"
#include "core/util/printable.h"
#include "gpu/lower/lower.h"

namespace pet::app {
namespace {

struct ProfileOptions {
  std::string file;
  TargetFlags target{.name = "cuda", .worker = {}};
  ShapeFlags shapes;
  bool whole = false;
  bool without_times = false;
  int runs = 30;
};

constexpr double kMega = 1e6;
constexpr double kMebi = 1 << 20;

double flops(const gpu::Launch& launch) { return static_cast<double>(flops_of(launch)); }

std::string operators_of(const Graph& graph, const gpu::Launch& launch) {
  std::string out;
  for (const NodeId id : launch.nodes)
    out += (out.empty() ? "" : ", ") + printable(graph.node(id).name);
  return out;
}

// By launch, those that are made once apart.
class Table {
 public:
  Table(const Graph& graph, const gpu::Plan& plan) : graph_(graph), plan_(plan) {}

  void print() const {
    fmt::print("{:>4} {:>12} {:>10}  {}\n", "", "MFLOP", "MiB", "launch, and what it yields");
    for (std::size_t i = 0; i < plan_.launches.size(); ++i) print_line(i);
  }

  void print_totals() const {
    double all_flops = 0, moved = 0, constants = 0;
    for (const gpu::Launch& launch : plan_.launches) {
      if (launch.once) continue;
      all_flops += flops(launch);
      moved += bytes(launch);
    }
    for (const gpu::Buffer& buffer : plan_.buffers)
      constants += buffer.constant != nullptr ? static_cast<double>(buffer.bytes()) : 0;
    fmt::print(
        "{} launches of {:.3f} GFLOP and {:.3f} MiB moved a run; {:.3f} MiB of constants, {:.3f} "
        "MiB for everything else\n",
        plan_.launches.size(), all_flops / kMega / 1000, moved / kMebi, constants / kMebi,
        static_cast<double>(plan_.arena) / kMebi);
  }

 private:
  double bytes(const gpu::Launch& launch) const {
    return static_cast<double>(bytes_of(plan_, launch));
  }

  void print_line(std::size_t i) const {
    const gpu::Launch& launch = plan_.launches[i];
    fmt::print("{:>4} {:>12.3f} {:>10.3f}  {}{}: {}\n", i, flops(launch) / kMega,
               bytes(launch) / kMebi, launch.once ? "once, " : "", in_words(launch),
               operators_of(graph_, launch));
  }

  const Graph& graph_;
  const gpu::Plan& plan_;
};

// As they ran where they were timed, the slowest first: a device may take more launches than are
// listed here, where its libraries lack an engine.
void print_times(const OperatorProfile& times) {
  double whole = 0;
  std::vector<std::pair<double, const OperatorTime*>> order;
  for (const OperatorTime& one : times.operators) {
    order.emplace_back(median(one.ms), &one);
    whole += order.back().first;
  }
  std::ranges::stable_sort(order, std::greater(), [](const auto& one) { return one.first; });
  fmt::print("{:>12} {:>10} {:>9} {:>6} {:>8} {:>8}  {}\n", "MFLOP", "MiB", "ms", "share",
             "TFLOP/s", "GB/s", "launch, and what it yields");
  for (const auto& [ms, one] : order)
    fmt::print("{:>12.3f} {:>10.3f} {:>9.4f} {:>5.1f}% {:>8.2f} {:>8.1f}  {}: {}{}\n",
               one->flops / kMega, one->bytes / kMebi, ms, 100 * ms / whole, one->flops / ms / 1e9,
               one->bytes / ms / kMega, printable(one->name), printable(one->type),
               one->how.empty() ? "" : fmt::format(" [{}]", printable(one->how)));
  fmt::print("a run takes {:.4f} ms, its {} launches alone {:.4f} ms together\n",
             median(times.runs_ms), times.operators.size(), whole);
}

Result<OperatorProfile> measured(const ProfileOptions& options, const Model& model) {
  const Stopping stopping;
  const auto target = start_target(options.target, stopping.search());
  if (!target) return target.error();
  auto ranges = input_ranges(model);
  if (!ranges) return std::move(ranges).error();
  Backend& backend = *target->backend;
  const auto loaded = backend.load(
      options.file, {.threads = 1, .dimensions = model.dimensions, .ranges = *std::move(ranges)},
      stopping.search());
  if (!loaded) return loaded.error();
  return backend.profile(loaded->id, {.runs = options.runs}, stopping.search());
}

int profile(const ProfileOptions& options) {
  const auto model = read_at_shapes(options.file, options.shapes);
  if (!model) return fail(model.error());
  const auto plan = gpu::lower(model->graph);
  if (!plan) return fail(Error(plan.error()).within(printable(options.file)));
  if (options.whole) {
    fmt::print("{}", to_string(*plan));
    return kDone;
  }
  const Table table(model->graph, *plan);
  const auto times = options.without_times ? Result<OperatorProfile>(Error{"", ErrorKind::Usage})
                                           : measured(options, *model);
  if (times)
    print_times(*times);
  else
    table.print();
  table.print_totals();
  if (times || options.without_times) return kDone;
  return fail(Error(times.error()).within("no times"));
}

}  // namespace

Command add_profile(CLI::App& parent) {
  auto* command = parent.add_subcommand(
      "profile",
      "what a model becomes on a GPU: launches, what each computes and moves, and its time");
  auto options = std::make_shared<ProfileOptions>();
  command->add_option("file", options->file, "an ONNX file")->required();
  command->add_option("--target", options->target.name, "cuda")
      ->capture_default_str()
      ->check(CLI::IsMember({"cuda"}));
  command->add_option("--worker", options->target.worker,
                      "the GPU is behind that command: 'ssh host pet-worker --backend cuda'");
  add_precision_option(*command, options->target.precision);
  command->add_flag("--launches", options->whole,
                    "the list itself: strides, offsets, and the insides of generated kernels");
  command->add_flag("--without-times", options->without_times, "ask no GPU");
  command->add_option("--runs", options->runs, "of which times are the median")
      ->capture_default_str()
      ->check(CLI::Range(1, 10000));
  add_shape_flags(*command, options->shapes);
  return [options] { return profile(*options); };
}

}  // namespace pet::app
