// What a model becomes on a GPU: its launches, with what each computes and moves.
#include <fmt/format.h>

#include <memory>

#include "app/common/shape_flags.h"
#include "app/pet/commands.h"
#include "core/onnx/model.h"
#include "core/util/printable.h"
#include "gpu/lower/lower.h"

namespace pet::app {
namespace {

struct ProfileOptions {
  std::string file;
  std::string target = "cuda";
  ShapeFlags shapes;
  bool whole = false;
};

constexpr double kMega = 1e6;
constexpr double kMebi = 1 << 20;

std::string operators_of(const Graph& graph, const gpu::Launch& launch) {
  std::string out;
  for (const NodeId id : launch.nodes)
    out += (out.empty() ? "" : ", ") + printable(graph.node(id).name);
  return out;
}

void print_launches(const Graph& graph, const gpu::Plan& plan) {
  fmt::print("{:>4} {:>12} {:>10}  {}\n", "", "MFLOP", "MiB", "launch, and what it yields");
  for (std::size_t i = 0; i < plan.launches.size(); ++i) {
    const gpu::Launch& launch = plan.launches[i];
    fmt::print("{:>4} {:>12.3f} {:>10.3f}  {}{}: {}\n", i,
               static_cast<double>(flops_of(launch)) / kMega,
               static_cast<double>(bytes_of(plan, launch)) / kMebi, launch.once ? "once, " : "",
               in_words(launch), operators_of(graph, launch));
  }
}

void print_totals(const gpu::Plan& plan) {
  double flops = 0, bytes = 0, constants = 0;
  for (const gpu::Launch& launch : plan.launches) {
    if (launch.once) continue;
    flops += static_cast<double>(flops_of(launch));
    bytes += static_cast<double>(bytes_of(plan, launch));
  }
  for (const gpu::Buffer& buffer : plan.buffers)
    constants += buffer.constant != nullptr ? static_cast<double>(buffer.bytes()) : 0;
  fmt::print(
      "{} launches of {:.3f} GFLOP and {:.3f} MiB moved a run; {:.3f} MiB of constants, {:.3f} MiB "
      "for everything else\n",
      plan.launches.size(), flops / kMega / 1000, bytes / kMebi, constants / kMebi,
      static_cast<double>(plan.arena) / kMebi);
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
  print_launches(model->graph, *plan);
  print_totals(*plan);
  return kDone;
}

}  // namespace

Command add_profile(CLI::App& parent) {
  auto* command = parent.add_subcommand(
      "profile", "what a model becomes on a GPU: launches, with what each computes and moves");
  auto options = std::make_shared<ProfileOptions>();
  command->add_option("file", options->file, "an ONNX file")->required();
  command->add_option("--target", options->target, "cuda")
      ->capture_default_str()
      ->check(CLI::IsMember({"cuda"}));
  command->add_flag("--launches", options->whole,
                    "the list itself: strides, offsets, and the insides of generated kernels");
  add_shape_flags(*command, options->shapes);
  return [options] { return profile(*options); };
}

}  // namespace pet::app
