// The worker and its client. Over 400 lines: each way in which a worker fails, then the runtime
// itself.
#include "core/backend/runtime.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>

#include "core/backend/measuring_profiler.h"
#include "core/backend/scratch_folder.h"
#include "core/util/median.h"
#include "tests/support/onnx_builder.h"

namespace pet {
namespace {

using std::chrono::milliseconds;

Result<std::unique_ptr<Runtime>> fake(const std::string& behaviour,
                                      milliseconds timeout = milliseconds(10'000)) {
  return Runtime::start({.command = {"sh", PET_FAKE_WORKER, behaviour},
                         .start_timeout = timeout,
                         .timeout = timeout});
}

struct Case {
  std::string behaviour;
  std::string message;
};

// Runs `action` and holds it to a few seconds: none of these may wait for its time to be over.
template <class Action>
void check_quick(Action action) {
  const auto started = std::chrono::steady_clock::now();
  action();
  CHECK(std::chrono::steady_clock::now() - started < milliseconds(5000));
}

TEST_CASE("A worker that does not start is an error that says how") {
  const auto [behaviour, message] = GENERATE(
      Case{"dies_at_start", "exit code 3; it said: Traceback: no module"},
      Case{"garbage_hello", "answered nonsense: \"warning: hello\""},
      Case{"other_protocol", "speaks protocol 9, not 1"}, Case{"wrong_types", "answered nonsense"});
  check_quick([&] {
    const auto runtime = fake(behaviour);
    REQUIRE_FALSE(runtime);
    CHECK(runtime.error().kind == ErrorKind::Tool);
    CHECK_THAT(runtime.error().message, Catch::Contains(message));
  });
}

TEST_CASE("A worker that says nothing is ended when its time is over") {
  check_quick([] {
    const auto runtime = fake("silent", milliseconds(300));
    REQUIRE_FALSE(runtime);
    CHECK_THAT(runtime.error().message, Catch::Contains("gave no sign for 300 ms"));
  });
}

TEST_CASE("A worker that fails while it loads a model is an error that says how") {
  const auto [behaviour, message] = GENERATE(
      Case{"dies_on_request", "signal 11"}, Case{"garbage_answer", "answered nonsense"},
      Case{"half_a_line", "in the middle of a line and ended with exit code 0"},
      Case{"huge_line", "more than 16 MiB"}, Case{"other_id", "answered nonsense"},
      Case{"refuses", "opset 99 is not supported"}, Case{"lacks_handle", "answered nonsense"},
      Case{"closes_stdout", "closed its output"}, Case{"hangs_on_request", "gave no sign"},
      Case{"deaf", "gave no sign"});
  check_quick([&] {
    auto runtime = fake(behaviour, milliseconds(1500));
    REQUIRE(runtime);
    const auto model = (*runtime)->load("model.onnx", {});
    REQUIRE_FALSE(model);
    // A worker that answers is whole: it is the file that it does not take.
    const bool refuses = behaviour == "refuses";
    CHECK(model.error().kind == (refuses ? ErrorKind::Unsupported : ErrorKind::Tool));
    CHECK_THAT(model.error().message,
               Catch::StartsWith("model.onnx: ") && Catch::Contains(message));
    for (const char c : model.error().message) CHECK(static_cast<unsigned char>(c) >= 0x20);
  });
}

TEST_CASE("A worker that fails while it measures is an error that says how") {
  const auto [behaviour, message] =
      GENERATE(Case{"dies_in_pair", "exit code 1; it said: out of memory"},
               Case{"wrong_samples", "times that are not what was asked for"},
               Case{"negative_samples", "times that are not what was asked for"});
  check_quick([&] {
    auto runtime = fake(behaviour);
    REQUIRE(runtime);
    const auto a = (*runtime)->load("a.onnx", {});
    const auto b = (*runtime)->load("b.onnx", {});
    REQUIRE(a);
    REQUIRE(b);
    const auto timing = (*runtime)->time_pair(a->id, b->id, {.rounds = 2});
    REQUIRE_FALSE(timing);
    CHECK_THAT(timing.error().message, Catch::Contains(message));
  });
}

Result<std::vector<std::vector<double>>> timed_together_by(const std::string& behaviour) {
  auto runtime = fake(behaviour, milliseconds(1500));
  REQUIRE(runtime);
  std::vector<ModelId> models;
  for (const char* file : {"a.onnx", "b.onnx", "c.onnx"}) {
    const auto model = (*runtime)->load(file, {});
    REQUIRE(model);
    models.push_back(model->id);
  }
  return (*runtime)->time_together(models, {.rounds = 2});
}

TEST_CASE("Several models are run in turn by a worker that offers it") {
  const auto ms = timed_together_by("good_together");
  REQUIRE(ms.ok());
  CHECK(*ms == std::vector<std::vector<double>>{{1, 2}, {3, 4}, {5, 6}});
}

TEST_CASE("Times of several models that are not what was asked for are an error") {
  const auto [behaviour, message] =
      GENERATE(Case{"fewer_together", "times that are not what was asked for"},
               Case{"ragged_together", "times that are not what was asked for"},
               Case{"flat_together", "nonsense"});
  check_quick([&] {
    const auto ms = timed_together_by(behaviour);
    REQUIRE_FALSE(ms);
    CHECK_THAT(ms.error().message, Catch::Contains(message));
  });
}

Result<OperatorProfile> profile_by(const std::string& behaviour) {
  auto runtime = fake(behaviour, milliseconds(1500));
  REQUIRE(runtime);
  const auto model = (*runtime)->load("a.onnx", {});
  REQUIRE(model);
  return (*runtime)->profile(model->id, {.runs = 2});
}

TEST_CASE("A worker that does not offer profiles is not asked for one") {
  const auto profile = profile_by("no_such_request");
  REQUIRE_FALSE(profile);
  CHECK(profile.error().kind == ErrorKind::Unsupported);
  CHECK(profile.error().message == "times by operator are not offered by fake");
}

TEST_CASE("A worker that fails while it profiles is an error that says how") {
  const auto [behaviour, message] =
      GENERATE(Case{"dies_in_profile", "signal 11"}, Case{"hangs_in_profile", "gave no sign"},
               Case{"refuses_profile", "fake: no counters here"},
               Case{"no_runs_profile", "not what was asked for"},
               Case{"more_samples_profile", "not what was asked for"},
               Case{"negative_profile", "not what was asked for"},
               Case{"nameless_profile", "answered nonsense"});
  check_quick([&, behaviour = behaviour, message = message] {
    const auto profile = profile_by(behaviour);
    REQUIRE_FALSE(profile);
    const bool refuses = behaviour == "refuses_profile";
    CHECK(profile.error().kind == (refuses ? ErrorKind::Unsupported : ErrorKind::Tool));
    CHECK_THAT(profile.error().message, Catch::Contains(message));
  });
}

TEST_CASE("A profile holds what the worker said, in milliseconds") {
  const auto profile = profile_by("good_profile");
  REQUIRE(profile);
  CHECK(profile->runs_ms == std::vector<double>{9, 7});
  REQUIRE(profile->operators.size() == 1);
  CHECK(profile->operators[0].name == "a");
  CHECK(profile->operators[0].type == "A");
  CHECK(profile->operators[0].calls == 2);
  CHECK(profile->operators[0].ms == std::vector<double>{2, 0});
}

TEST_CASE("A worker that prints much to stderr is served all the same") {
  auto runtime = fake("noisy");
  REQUIRE(runtime);
  CHECK((*runtime)->load("a.onnx", {}));
  CHECK((*runtime)->load("b.onnx", {}));
}

TEST_CASE("After a worker died the next call starts another") {
  auto runtime = fake("half_a_line");
  REQUIRE(runtime);
  CHECK_FALSE((*runtime)->load("a.onnx", {}));
  const auto again = (*runtime)->load("a.onnx", {});
  REQUIRE_FALSE(again);
  CHECK_THAT(again.error().message, Catch::Contains("in the middle of a line"));
}

TEST_CASE("A stop request during a load is told as such") {
  auto runtime = fake("hangs_on_request");
  REQUIRE(runtime);
  std::stop_source source;
  source.request_stop();
  const auto model = (*runtime)->load("a.onnx", {}, source.get_token());
  REQUIRE_FALSE(model);
  CHECK(model.error().kind == ErrorKind::Stopped);
}

// Sets a variable for the time of a test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { old_ ? ::setenv(name_, old_->c_str(), 1) : ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

TEST_CASE("The variables PET_PYTHON and PET_WORKER win, and are named when they lead nowhere") {
  {
    const Variable python("PET_PYTHON", "/bin/sh");
    const Variable worker("PET_WORKER", PET_FAKE_WORKER);
    CHECK(*worker_command() == std::vector<std::string>{"/bin/sh", PET_FAKE_WORKER});
  }
  const Variable python("PET_PYTHON", "/nowhere/python");
  const auto command = worker_command();
  REQUIRE_FALSE(command);
  CHECK_THAT(command.error().message,
             Catch::Contains("/nowhere/python") && Catch::Contains("PET_PYTHON"));
}

// The rest runs the real worker: ONNX Runtime of the environment that tools/setup makes.

std::unique_ptr<Runtime> real() {
  const auto command = worker_command();
  INFO((command ? "" : command.error().message));
  REQUIRE(command);
  auto runtime = Runtime::start({.command = *command});
  INFO((runtime ? "" : runtime.error().message));
  REQUIRE(runtime);
  return std::move(*runtime);
}

// Writes y = A·x, A·x + … with that many MatMuls by a 256×256 matrix of thousandths, in a row.
void write_chain(const std::filesystem::path& file, int length) {
  const std::string script = std::string(PET_FOLDER) + "/write_chain.py";
  const auto command = worker_command();
  REQUIRE(command);
  const std::string line =
      command->front() + " " + script + " " + file.string() + " " + std::to_string(length);
  REQUIRE(std::system(line.c_str()) == 0);
}

TEST_CASE("ONNX Runtime computes what a model says") {
  const auto folder = ScratchFolder::make("pet_test");
  REQUIRE(folder);
  write_chain(folder->path() / "one.onnx", 1);
  const auto runtime = real();
  CHECK(runtime->info().name == "onnxruntime");
  CHECK(runtime->info().threads >= 1);
  CHECK_FALSE(runtime->info().device.empty());
  CHECK(runtime->info().build.size() == 64);
  CHECK(runtime->info().options.at("precision") == "fp32");
  CHECK(runtime->info().memory > 0);

  const auto model =
      runtime->load(folder->path() / "one.onnx", {.threads = 1, .dimensions = {{"batch", 2}}});
  REQUIRE(model);
  REQUIRE(model->inputs.size() == 1);
  CHECK(model->inputs[0].type == "float");
  CHECK(model->inputs[0].shape == Shape{2, 256});
  std::vector<float> x(512, 0.0F);
  for (std::size_t i = 0; i < 256; ++i) x[i] = 1.0F;
  const std::vector<NamedTensor> inputs{{"x", Tensor::of_floats({2, 256}, x)}};
  const auto outputs = runtime->run(model->id, inputs);
  REQUIRE(outputs);
  REQUIRE(outputs->size() == 1);
  CHECK((*outputs)[0].name == "y");
  REQUIRE((*outputs)[0].tensor.shape() == Shape{2, 256});
  CHECK((*outputs)[0].tensor.floats()[0] == Approx(0.256));
  CHECK((*outputs)[0].tensor.floats()[256] == 0.0F);

  const std::vector<NamedTensor> wrong{{"x", Tensor::of_floats({1, 2}, {1.0F, 2.0F})}};
  const auto refused = runtime->run(model->id, wrong);
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().message, Catch::StartsWith("onnxruntime: "));
}

TEST_CASE("ONNX Runtime runs several models in turn") {
  const testing::ScratchFolder folder;
  for (const int length : {1, 4, 40})
    write_chain(folder / (std::to_string(length) + ".onnx"), length);
  const auto runtime = real();
  std::vector<ModelId> models;
  for (const char* name : {"40.onnx", "1.onnx", "4.onnx"}) {
    const auto model = runtime->load(folder / name, {.threads = 1, .dimensions = {{"batch", 64}}});
    REQUIRE(model);
    models.push_back(model->id);
  }
  const auto ms = runtime->time_together(models, {.rounds = 9, .warmup = 1, .evict_mib = 1});
  REQUIRE(ms);
  REQUIRE(ms->size() == 3);
  for (const auto& samples : *ms) CHECK(samples.size() == 9);
  CHECK(median((*ms)[0]) > median((*ms)[1]));
}

TEST_CASE("A free dimension without a size is named before anything is measured") {
  const auto folder = ScratchFolder::make("pet_test");
  REQUIRE(folder);
  write_chain(folder->path() / "one.onnx", 1);
  const auto runtime = real();
  const auto model = runtime->load(folder->path() / "one.onnx", {});
  REQUIRE(model);
  CHECK(model->inputs[0].shape == Shape{-1, 256});
  const auto timing = runtime->time_pair(model->id, model->id, {.rounds = 1});
  REQUIRE_FALSE(timing);
  CHECK_THAT(timing.error().message, Catch::Contains("input 'x' has a free dimension"));
}

TEST_CASE("ONNX Runtime tells what each operator took, and all of them are in the whole run") {
  const testing::ScratchFolder folder;
  write_chain(folder / "three.onnx", 3);
  const auto runtime = real();
  const auto model =
      runtime->load(folder / "three.onnx", {.threads = 1, .dimensions = {{"batch", 64}}});
  REQUIRE(model);
  const auto profile = runtime->profile(model->id, {.runs = 5, .evict_mib = 0});
  INFO((profile ? "" : profile.error().message));
  REQUIRE(profile);
  CHECK(profile->runs_ms.size() == 5);
  REQUIRE(profile->operators.size() == 3);
  for (std::size_t i = 0; i < 5; ++i) {
    double sum = 0;
    for (const OperatorTime& one : profile->operators) {
      CHECK(one.type == "MatMul");
      CHECK(one.calls == 1);
      sum += one.ms[i];
    }
    CHECK(sum > 0);
    CHECK(sum <= profile->runs_ms[i]);
  }
  CHECK(runtime->time_pair(model->id, model->id, {.rounds = 1, .evict_mib = 0}));
}

TEST_CASE("Operators inside of a loop count with it") {
  const testing::ScratchFolder folder;
  testing::OnnxBuilder b;
  b.input("x", {64});
  b.integers("often", {4}).clear_dims();
  auto& yes = *b.graph().add_initializer();
  yes.set_name("yes");
  yes.set_data_type(9);
  yes.set_raw_data(std::string(1, 1));
  auto& body = *testing::OnnxBuilder::attribute(b.node("Loop", {"often", "yes", "x"}, {"y"}),
                                                "body", ::onnx::AttributeProto::GRAPH)
                    .mutable_g();
  testing::OnnxBuilder inside;
  inside.input("i", {}, 7);
  inside.input("go", {}, 9);
  inside.input("v", {64});
  inside.node("Identity", {"go"}, {"go_on"});
  inside.node("Sin", {"v"}, {"w"});
  inside.output("go_on", {}, 9);
  inside.output("w", {64});
  body = inside.graph();
  b.node("Neg", {"y"}, {"z"});
  b.output("z", {64});
  const auto runtime = real();
  const auto model = runtime->load(b.save(folder / "m.onnx"), {});
  INFO((model ? "" : model.error().message));
  REQUIRE(model);
  const auto profile = runtime->profile(model->id, {.runs = 2, .evict_mib = 0});
  REQUIRE(profile);
  REQUIRE(profile->operators.size() == 2);
  CHECK(profile->operators[0].type == "Loop");
  CHECK(profile->operators[0].calls == 1);
  CHECK(profile->operators[1].type == "Neg");
}

TEST_CASE("A file that is no model is refused, and the worker goes on") {
  const auto folder = ScratchFolder::make("pet_test");
  REQUIRE(folder);
  std::ofstream(folder->path() / "bad.onnx") << "this is no model";
  write_chain(folder->path() / "one.onnx", 1);
  const auto runtime = real();
  const auto bad = runtime->load(folder->path() / "bad.onnx", {});
  REQUIRE_FALSE(bad);
  CHECK_THAT(bad.error().message, Catch::Contains("bad.onnx"));
  CHECK_FALSE(runtime->load(folder->path() / "missing.onnx", {}));
  CHECK(runtime->load(folder->path() / "one.onnx", {}));
}

TEST_CASE("Models are there again after the worker was lost") {
  const auto folder = ScratchFolder::make("pet_test");
  REQUIRE(folder);
  write_chain(folder->path() / "one.onnx", 1);
  const auto runtime = real();
  const LoadOptions options{.threads = 1, .dimensions = {{"batch", 1}}};
  const auto a = runtime->load(folder->path() / "one.onnx", options);
  const auto b = runtime->load(folder->path() / "one.onnx", options);
  REQUIRE(a);
  REQUIRE(b);
  std::stop_source source;
  source.request_stop();
  REQUIRE_FALSE(runtime->time_pair(a->id, b->id, {.rounds = 1}, source.get_token()));
  CHECK(runtime->time_pair(a->id, b->id, {.rounds = 3, .evict_mib = 0}));
}

TEST_CASE("The worker draws inputs within the ranges that it is given") {
  const testing::ScratchFolder folder;
  testing::OnnxBuilder b;
  constexpr int kInt64 = 7;
  b.input("ids", {64}, kInt64);
  b.floats("table", {1, 2}, {1, 2});  // a row alone: 1 is no index
  b.node("Gather", {"table", "ids"}, {"y"});
  b.output("y", {64, 2});
  const auto file = b.save(folder / "m.onnx");
  const auto runtime = real();
  LoadOptions options{.threads = 1, .dimensions = {}, .ranges = {{"ids", {0, 0}}}};
  const auto inside = runtime->load(file, options);
  REQUIRE(inside);
  CHECK(runtime->time_pair(inside->id, inside->id, {.rounds = 2, .evict_mib = 0}));
  options.ranges["ids"] = {5, 7};
  const auto outside = runtime->load(file, options);
  REQUIRE(outside);
  const auto refused = runtime->time_pair(outside->id, outside->id, {.rounds = 2, .evict_mib = 0});
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().message, Catch::Contains("ndices"));
}

TEST_CASE("The worker ends when nobody speaks to it any more, even while it measures") {
  const auto folder = ScratchFolder::make("pet_test");
  REQUIRE(folder);
  const std::string model = (folder->path() / "one.onnx").string();
  write_chain(model, 1);
  std::ofstream(folder->path() / "requests")
      << R"({"id": 1, "op": "load", "threads": 1, "dimensions": {"batch": 1}, "model": ")" << model
      << "\"}\n"
      << R"({"id": 2, "op": "pair", "a": 1, "b": 1, "seed": 1, "order_seed": 1, "evict_mib": 0, "warmup": 0, )"
      << "\"rounds\": 1000000000}\n";
  const auto command = worker_command();
  REQUIRE(command);
  const std::string line = "timeout 20 " + command->at(0) + " " + command->at(1) + " <" +
                           folder->path().string() + "/requests >/dev/null";
  CHECK(std::system(line.c_str()) == 0);
}

TEST_CASE(
    "Eight times the work is seen in the ratio, and neither it nor a copy is ever called faster") {
  const auto folder = ScratchFolder::make("pet_test");
  REQUIRE(folder);
  const auto one = folder->path() / "one.onnx";
  const auto eight = folder->path() / "eight.onnx";
  write_chain(one, 1);
  write_chain(eight, 8);
  const auto runtime = real();
  MeasuringProfiler profiler(*runtime, {.load = {.threads = 1, .dimensions = {{"batch", 64}}},
                                        .evict_mib = 1,
                                        .budget = milliseconds(20'000)});
  const auto faster = profiler.compare(eight, one, {});
  REQUIRE(faster);
  // Only what holds on a busy machine too: how decisions follow from samples is tested on made-up
  // ones.
  CHECK(faster->ratio.median > 1.0);
  CHECK(faster->timing.a_ms.size() == faster->timing.b_ms.size());
  const auto slower = profiler.compare(one, eight, {});
  REQUIRE(slower);
  CHECK(slower->decision != Decision::Faster);
  CHECK(slower->ratio.median < 1.0);
  const auto same = profiler.compare(one, one, {});
  REQUIRE(same);
  CHECK(same->decision != Decision::Faster);
}

}  // namespace
}  // namespace pet
