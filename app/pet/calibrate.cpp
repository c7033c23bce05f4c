// What a device can do, by small programs that do one thing each: products, copies, functions of
// elements, many operators in a row.
#include <fmt/format.h>

#include <memory>

#include "app/common/machine.h"
#include "app/common/target.h"
#include "app/pet/commands.h"
#include "app/pet/machine_file.h"
#include "app/pet/stopping.h"
#include "core/backend/scratch_folder.h"
#include "core/backend/time_alone.h"
#include "core/ir/builder.h"
#include "core/onnx/export.h"
#include "core/ops/ops.h"
#include "core/util/median.h"

namespace pet::app {
namespace {

struct CalibrateOptions {
  TargetFlags target{.name = "cuda", .worker = {}};
  std::string out;
};

constexpr double kLongEnoughMs = 4;  // of a run: shorter ones are made of more than what is asked
constexpr double kSecondsEach = 0.5;
constexpr int kInARow = 64;

Graph product(Dim size) {
  GraphBuilder builder;
  const TensorType square{DType::Float, Shape{size, size}};
  const NodeId a = builder.add_input("a", square);
  const NodeId b = builder.add_input("b", square);
  builder.add_output(*builder.add(Op{&ops::mat_mul(), {}}, {a, b}));
  return std::move(builder).build();
}

Graph elementwise(const OpDef& what, Dim size) {
  GraphBuilder builder;
  const NodeId x = builder.add_input("x", {DType::Float, Shape{size}});
  builder.add_output(*builder.add(Op{&what, {}}, {x}));
  return std::move(builder).build();
}

// Each reads what the one before wrote, and no two of them are computed as one.
Graph in_a_row() {
  constexpr Dim kSize = 8;
  GraphBuilder builder;
  const TensorType square{DType::Float, Shape{kSize, kSize}};
  NodeId x = builder.add_input("x", square);
  const NodeId w = builder.add_input("w", square);
  for (int i = 0; i < kInARow; ++i) x = *builder.add(Op{&ops::mat_mul(), {}}, {x, w});
  builder.add_output(x);
  return std::move(builder).build();
}

class Calibration {
 public:
  Calibration(Backend& backend, std::filesystem::path folder, std::stop_token stop)
      : backend_(backend), folder_(std::move(folder)), stop_(std::move(stop)) {}

  Result<MachineModel> measure() {
    MachineModel out;
    out.threads = 1;  // the rates are of the whole device
    const auto row = ms_of(in_a_row());
    if (!row) return row.error();
    out.ms_per_operator = *row / kInARow;
    const auto products =
        rate([](Dim n) { return product(n); }, 256, 4096, [](double n) { return n * n * n; });
    if (!products) return products.error();
    out.multiply_adds_per_ms = *products;
    constexpr Dim kLeast = Dim{1} << 20, kMost = Dim{1} << 26;
    const auto bytes = rate([](Dim n) { return elementwise(ops::relu(), n); }, kLeast, kMost,
                            [](double n) { return 2 * sizeof(float) * n; });
    if (!bytes) return bytes.error();
    out.bytes_per_ms = *bytes;
    const auto functions = rate([](Dim n) { return elementwise(ops::tanh(), n); }, kLeast, kMost,
                                [](double n) { return n; });
    if (!functions) return functions.error();
    out.element_functions_per_ms = *functions;
    return out;
  }

 private:
  Result<double> ms_of(const Graph& program) {
    const auto file = folder_ / "program.onnx";
    constexpr int kOpset = 17;
    if (auto written = write_program(program, kOpset, file); !written)
      return std::move(written).error();
    auto times = time_alone(backend_, file, {.threads = static_cast<int>(all_threads())},
                            kSecondsEach, 1, stop_);
    if (!times) return std::move(times).error();
    return median(*std::move(times));
  }

  // Work a millisecond at the first size that takes long enough.
  template <class Make, class Work>
  Result<double> rate(const Make& make, Dim least, Dim most, const Work& work) {
    for (Dim size = least;; size *= 2) {
      const auto ms = ms_of(make(size));
      if (!ms) return ms.error();
      if (*ms >= kLongEnoughMs || size >= most) return work(static_cast<double>(size)) / *ms;
    }
  }

  Backend& backend_;
  std::filesystem::path folder_;
  std::stop_token stop_;
};

int calibrate(const CalibrateOptions& options) {
  const Stopping stopping;
  const auto target = start_target(options.target, stopping.search());
  if (!target) return fail(target.error());
  const auto folder = ScratchFolder::make("pet-calibrate");
  if (!folder) return fail(folder.error());
  const auto machine = Calibration(*target->backend, folder->path(), stopping.search()).measure();
  if (!machine) return fail(machine.error());
  const BackendInfo& info = target->backend->info();
  fmt::print("{} {} on {}\n", info.name, info.version, info.device);
  fmt::print("  products   {:.3f} TFLOP/s\n", 2 * machine->multiply_adds_per_ms / 1e9);
  fmt::print("  copies     {:.1f} GB/s\n", machine->bytes_per_ms / 1e6);
  fmt::print("  functions  {:.2f} of 10^9 elements a second\n",
             machine->element_functions_per_ms / 1e6);
  fmt::print("  operator   {:.2f} us each, at least\n", 1000 * machine->ms_per_operator);
  if (options.out.empty()) return kDone;
  if (auto written = write_machine(options.out, *machine, info); !written)
    return fail(written.error());
  return kDone;
}

}  // namespace

Command add_calibrate(CLI::App& parent) {
  auto* command = parent.add_subcommand(
      "calibrate", "measures what a device can do, for the estimates of a search");
  auto options = std::make_shared<CalibrateOptions>();
  add_target_options(*command, options->target);
  command->add_option("-o,--output", options->out, "write it as JSON, for optimize --machine");
  return [options] { return calibrate(*options); };
}

}  // namespace pet::app
