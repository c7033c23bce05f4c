// What gpu/device does with NVIDIA's libraries, on those that fake_cuda stands in for.
#include "gpu/cuda.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <fstream>

#include "core/backend/runtime.h"
#include "core/onnx/model.h"
#include "core/onnx/text.h"
#include "datasets/models/models.h"
#include "gpu/backend.h"
#include "gpu/device/compile.h"
#include "gpu/device/program.h"
#include "gpu/lower/lower.h"
#include "tests/gpu/programs.h"
#include "tests/support/onnx_builder.h"
#include "tests/support/seeded.h"

namespace pet::test {
namespace {

namespace fs = std::filesystem;

std::unique_ptr<gpu::CudaDevice> device(gpu::Precision precision = gpu::Precision::Fp32) {
  auto opened = gpu::CudaDevice::open(0, {.precision = precision, .tuning = gpu::Tuning::Full});
  INFO((opened ? "" : opened.error().message));
  REQUIRE(opened.ok());
  REQUIRE((*opened)->facts().name == "a fake GPU");
  return *std::move(opened);
}

void check_program(const gpu::CudaDevice& on, const Graph& graph, Rng& rng) {
  auto plan = gpu::lower(graph, on.refusal());
  REQUIRE(plan.ok());
  gpu::TuningMemory memory;
  auto program = gpu::DeviceProgram::load(on, *std::move(plan), memory);
  INFO((program ? "" : program.error().message));
  REQUIRE(program.ok());
  const Numbers inputs = drawn_inputs(graph, Drawn::Signed, rng);
  const std::vector<std::span<const float>> spans(inputs.begin(), inputs.end());
  const auto outputs = (*program)->run(spans, gpu::Poison::Yes);
  INFO((outputs ? "" : outputs.error().message));
  REQUIRE(outputs.ok());
  const auto found = distance(graph, inputs, *outputs);
  REQUIRE(found.has_value());
  CHECK(found->is_right());
  for (int i = 0; i < 2; ++i) {
    REQUIRE((*program)->replay(gpu::Poison::Yes).ok());
    const auto again = (*program)->outputs();
    REQUIRE(again.ok());
    CHECK(*again == *outputs);
  }
}

Graph case_program(const std::string& name) {
  const auto read = read_case(fmt::format("{}/{}.txt", PET_CASES, name));
  REQUIRE(read.ok());
  return read->mutant.graph;
}

TEST_CASE("Programs run on a device, once by themselves and again as a graph") {
  Seeded rng(1);
  const auto on = device();
  for (const char* name : {"mutants/a1_join_images_along_h", "mutants/d5_repeated_input_grouped",
                           "mutants/b3_join_images_1x1", "ops/softmax", "ops/gemm", "ops/einsum"}) {
    INFO(name);
    check_program(*on, case_program(name), rng);
  }
}

TEST_CASE("Models run on a device: residuals, biases, rectifiers, what is made once") {
  Seeded rng(2);
  const auto on = device();
  const testing::ScratchFolder folder;
  for (const std::string name : {"resnet18", "bert-pet", "csrnet"}) {
    const auto file = folder / (name + ".onnx");
    REQUIRE(datasets::build_model({.name = name, .tiny = true}, file).ok());
    const auto model = read_model(file);
    REQUIRE(model.ok());
    check_program(*on, model->graph, rng);
  }
}

TEST_CASE("In fp32 no engine with tensor cores is taken, in TF32 it is") {
  const auto plan = gpu::lower(case_program("mutants/a1_join_images_along_h"));
  REQUIRE(plan.ok());
  const auto* convolution = std::get_if<gpu::Convolution>(&plan->launches[1].what);
  REQUIRE(convolution != nullptr);
  const auto on = device();
  const gpu::DnnTarget target{on->dnn(), {}};
  const auto strict = gpu::plans_of(on->lib(), target, *convolution, gpu::Precision::Fp32, 8);
  REQUIRE(strict.ok());
  for (const auto& one : *strict) CHECK(one.engine == 1);
  const auto loose = gpu::plans_of(on->lib(), target, *convolution, gpu::Precision::Tf32, 8);
  REQUIRE(loose.ok());
  CHECK(loose->front().engine == 0);
  CHECK(loose->front().notes == std::vector<std::string>{"TENSOR_CORE"});
}

TEST_CASE("What was timed once is not timed again, unless its line is stale or broken") {
  const auto on = device(gpu::Precision::Tf32);  // two engines
  const testing::ScratchFolder folder;
  const auto file = folder / "cuda-plans.jsonl";
  const auto trials = [&](gpu::TuningMemory& memory) {
    auto plan = gpu::lower(case_program("mutants/a1_join_images_along_h"));
    REQUIRE(plan.ok());
    const auto program = gpu::DeviceProgram::load(*on, *std::move(plan), memory);
    REQUIRE(program.ok());
    return (*program)->trials(1).size();
  };
  gpu::TuningMemory fresh(file);
  CHECK(trials(fresh) == 4);  // by both heuristics
  gpu::TuningMemory known(file);
  CHECK(known.skipped() == 0);
  CHECK(trials(known) == 0);
  std::string text = testing::read_bytes(file);
  const auto engine = text.find("\"engine\":");
  REQUIRE(engine != std::string::npos);
  text.insert(engine + 9, "9");
  testing::write_bytes(file, text + "{\"launch\": torn");
  gpu::TuningMemory stale(file);
  CHECK(stale.skipped() == 1);
  CHECK(trials(stale) == 4);
}

TEST_CASE("Broken lines of what was timed are counted, and it is said how many there are") {
  const auto file = gpu::usual_tuning_file();  // below the folder of this test
  fs::create_directories(file.parent_path());
  std::ofstream(file) << "torn\n{}\n";
  std::string said;
  const auto opened =
      gpu::cuda_device(0, {}, [&](const std::string& what) { said += what + "\n"; });
  REQUIRE(opened.ok());
  CHECK_THAT(said, Catch::Contains("cuda-plans.jsonl: 2 lines are broken and left out"));
  fs::remove(file);
}

TEST_CASE("Of a kernel that does not compile the source is kept, and it is said where") {
  const std::string text = "this is no kernel";
  const auto code = gpu::compile(gpu::libraries(), text, 90);
  REQUIRE_FALSE(code.ok());
  const std::string& said = code.error().message;
  CHECK_THAT(said, Catch::Contains("does not compile for sm_90: refused by the fake compiler; "));
  const auto at = said.find("its source is ");
  REQUIRE(at != std::string::npos);
  const fs::path kept = said.substr(at + std::string_view("its source is ").size());
  CHECK(testing::read_bytes(kept) == text);
  fs::remove(kept);
}

TEST_CASE("A backend on a device times pairs and launches") {
  const testing::ScratchFolder folder;
  const auto file = folder / "m.onnx";
  REQUIRE(datasets::build_model({.name = "csrnet", .tiny = true}, file).ok());
  auto opened = gpu::cuda_device(0, {});
  REQUIRE(opened.ok());
  gpu::GpuBackend backend(*std::move(opened));
  CHECK(backend.info().device == "a fake GPU");
  const auto a = backend.load(file, {});
  REQUIRE(a.ok());
  const auto b = backend.load(file, {});
  REQUIRE(b.ok());
  const auto pair = backend.time_pair(a->id, b->id, {.rounds = 3, .warmup = 1, .evict_mib = 1});
  REQUIRE(pair.ok());
  CHECK(pair->a_ms.size() == 3);
  CHECK(pair->b_ms.size() == 3);
  REQUIRE(pair->clocks.has_value());
  CHECK(pair->clocks->lowest_mhz == 1500);
  CHECK(pair->clocks->highest_mhz == 1500);
  CHECK_FALSE(pair->clocks->throttled);
  CHECK(pair->clocks->others == 1);
  const auto profile = backend.profile(a->id, {.runs = 2, .warmup = 1});
  REQUIRE(profile.ok());
  CHECK(profile->runs_ms.size() == 2);
  // No engine takes a dilated convolution and its rectifier: each is a launch of its own.
  CHECK(profile->operators.size() == 12);
  backend.unload(a->id);
  backend.unload(b->id);
}

TEST_CASE("No more memory is taken than is allowed, and what was needed is said") {
  const testing::ScratchFolder folder;
  const auto file = folder / "m.onnx";
  REQUIRE(datasets::build_model({.name = "csrnet", .tiny = true}, file).ok());
  auto opened = gpu::cuda_device(0, {.memory = 60'000});
  REQUIRE(opened.ok());
  gpu::GpuBackend backend(*std::move(opened));
  const auto refused = backend.load(file, {});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().kind == ErrorKind::Unsupported);
  CHECK(refused.error().message.find("60000 allowed") != std::string::npos);
  CHECK_FALSE(backend.is_lost());
  // What was taken for it was given back: a smaller one fits.
  REQUIRE(datasets::build_model({.name = "operators/conv3x3-64at56", .tiny = true}, file).ok());
  const auto smaller = backend.load(file, {});
  INFO((smaller ? "" : smaller.error().message));
  CHECK(smaller.ok());
}

TEST_CASE("A device that is lost ends its worker, and the next request is served by another") {
  const testing::ScratchFolder folder;
  const auto file = folder / "m.onnx";
  REQUIRE(datasets::build_model({.name = "csrnet", .tiny = true}, file).ok());
  auto worker = Runtime::start(
      {.command = {"env", "PET_FAKE_LAUNCHES=24", PET_WORKER_PROGRAM, "--backend", "cuda"}});
  INFO((worker ? "" : worker.error().message));
  REQUIRE(worker.ok());
  const auto model = (*worker)->load(file, {});
  REQUIRE(model.ok());
  const auto lost = (*worker)->time_pair(model->id, model->id, {.rounds = 40, .warmup = 0});
  REQUIRE_FALSE(lost.ok());
  CHECK(lost.error().message.find("refused by the fake driver") != std::string::npos);
  const auto again = (*worker)->time_pair(model->id, model->id, {.rounds = 2, .warmup = 0});
  INFO((again ? "" : again.error().message));
  CHECK(again.ok());
}

}  // namespace
}  // namespace pet::test
