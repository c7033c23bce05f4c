#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "app/common/fill_flags.h"
#include "app/common/machine.h"
#include "app/common/profiled_target.h"
#include "app/common/progress.h"
#include "app/common/shape_flags.h"
#include "app/pet/commands.h"
#include "app/pet/stopping.h"
#include "core/backend/measuring_profiler.h"
#include "core/search/events.h"
#include "core/util/median.h"
#include "core/util/printable.h"

namespace pet::app {
namespace {

struct BenchOptions {
  std::string a, b;
  TargetFlags target;
  std::string profile;
  ShapeFlags shapes;
  std::vector<std::string> fill;
  int threads = 0;
  std::string seconds = "20s";
  std::uint64_t seed = 1;
};

// The runtime says little about a file that it cannot read, and nothing about a missing size.
// What the inputs may be given, and what open dimensions are, is read off both.
Result<LoadOptions> check_files(const BenchOptions& options, const ReadOptions& shapes) {
  const auto fill = parse_fill(options.fill);
  if (!fill) return fill.error();
  std::vector<Model> models;
  LoadOptions out;
  for (const std::string& file : {options.a, options.b}) {
    if (file.empty()) continue;
    auto model = read_model(file, shapes);
    if (!model) return std::move(model).error();
    auto its = input_ranges(*model, *fill);
    if (!its) return std::move(its).error().within(printable(file));
    out.ranges.merge(*its);
    out.dimensions.insert(model->dimensions.begin(), model->dimensions.end());
    models.push_back(*std::move(model));
  }
  std::vector<const Model*> pointers;
  for (const Model& model : models) pointers.push_back(&model);
  if (auto known = check_shapes(shapes, pointers); !known) return std::move(known).error();
  if (auto right = check_fill(*fill, pointers); !right) return std::move(right).error();
  return out;
}

int bench(BenchOptions options) {
  const auto shapes = parse_shapes(options.shapes);
  if (!shapes) return fail(shapes.error());
  const auto seconds = parse_seconds(options.seconds);
  if (!seconds) return fail(Error(seconds.error()).within("--budget"));
  for (std::string* file : {&options.a, &options.b}) {
    auto path = at_opset("pet", *file, options.shapes.opset);
    if (!path) return fail(path.error());
    *file = *std::move(path);
  }
  auto load = check_files(options, *shapes);
  if (!load) return fail(load.error());
  if (auto chosen = check_threads(options.target, options.threads); !chosen)
    return fail(chosen.error());
  const Stopping stopping;
  const auto target = ProfiledTarget::start(options.target, options.profile, stopping.search());
  if (!target) return fail(target.error());
  load->threads = options.threads > 0 ? options.threads : static_cast<int>(all_threads());
  MeasuringProfiler::Options plan{.load = *std::move(load)};
  plan.budget = std::chrono::milliseconds(static_cast<std::int64_t>(*seconds * 1000));
  for (const std::string& file : {options.a, options.b}) {
    if (file.empty()) continue;
    if (auto runs = check_runs(target->backend(), file, plan.load, stopping.search()); !runs)
      return fail(runs.error());
  }
  plan.seed = options.seed;
  const auto profiler =
      target->through_profile(std::make_unique<MeasuringProfiler>(target->backend(), plan), plan);
  const Progress progress;
  progress.show("measuring");
  const auto result =
      profiler->compare(options.a, options.b.empty() ? options.a : options.b, stopping.search());
  progress.clear();
  if (auto complete = target->complete(); !complete) return fail(complete.error());
  if (!result) return fail(result.error());
  const auto& info = target->backend().info();
  fmt::print("{} {} on {}, {} threads, {} interleaved runs, caches evicted between runs\n",
             info.name, info.version, info.device, plan.load.threads, result->timing.a_ms.size());
  fmt::print("{}\n  median {:.3f} ms, least {:.3f} ms\n", printable(options.a),
             median(result->timing.a_ms), std::ranges::min(result->timing.a_ms));
  if (const auto& clocks = result->timing.clocks)
    fmt::print("clock {} to {} MHz{}, {} other processes on the device\n", clocks->lowest_mhz,
               clocks->highest_mhz, clocks->throttled ? ", throttled" : "", clocks->others);
  if (options.b.empty()) return kDone;
  fmt::print("{}\n  median {:.3f} ms, least {:.3f} ms\n", printable(options.b),
             median(result->timing.b_ms), std::ranges::min(result->timing.b_ms));
  fmt::print("the second is {:.3f}x as fast (at least {:.3f}, at most {:.3f}): {}\n",
             result->ratio.median, result->ratio.low, result->ratio.high,
             to_string(result->decision));
  return kDone;
}

}  // namespace

Command add_bench(CLI::App& parent) {
  auto* command = parent.add_subcommand(
      "bench", "times one ONNX file, or two against each other, in a runtime");
  auto options = std::make_shared<BenchOptions>();
  command->add_option("a", options->a, "an ONNX file")->required();
  command->add_option("b", options->b, "another with the same inputs");
  add_target_options(*command, options->target);
  add_profile_option(*command, options->profile);
  add_shape_flags(*command, options->shapes);
  add_fill_flag(*command, options->fill);
  command->add_option("--threads", options->threads, "of the runtime; all by default")
      ->check(CLI::Range(std::size_t{0}, all_threads()));
  command->add_option("--budget", options->seconds, "time to decide in")->capture_default_str();
  command->add_option("--seed", options->seed, "of the inputs and of which file goes first")
      ->capture_default_str()
      ->check(CLI::NonNegativeNumber);
  return [options] { return bench(*options); };
}

}  // namespace pet::app
