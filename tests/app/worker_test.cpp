// pet-worker: what it keeps, what it answers, and that a model behind it is the model.
#include <onnx/onnx_pb.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <ext/stdio_filebuf.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/common/split_command.h"
#include "app/pet-worker/serve.h"
#include "core/backend/reference.h"
#include "core/backend/runtime.h"
#include "core/util/base64.h"
#include "core/util/digest.h"
#include "datasets/models/models.h"
#include "tests/support/onnx_builder.h"

namespace pet::app {
namespace {

using Json = nlohmann::json;
using pet::testing::read_bytes;
using pet::testing::ScratchFolder;

std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span<const char>(text.data(), text.size()));
}

std::string digest_of_bytes(const std::string& text) { return plain_digest(bytes_of(text)).hex(); }

BlobStore store() {
  auto opened = BlobStore::open("");
  REQUIRE(opened.ok());
  return *std::move(opened);
}

TEST_CASE("A blob that came in parts is the one that was sent") {
  BlobStore kept = store();
  const std::string text = "weights of a network";
  const std::string digest = digest_of_bytes(text);
  CHECK(*kept.has(digest) == false);
  CHECK(*kept.put(digest, text.size(), 0, bytes_of(text.substr(0, 7))) == 7);
  CHECK(*kept.has(digest) == false);
  CHECK(*kept.put(digest, text.size(), 7, bytes_of(text.substr(7))) == text.size());
  CHECK(*kept.has(digest));
  CHECK(read_bytes(*kept.file(digest)) == text);
  CHECK(kept.get(digest, 8)->size() == text.size() - 8);
}

TEST_CASE("A blob that is torn, too long, or of another digest is refused") {
  BlobStore kept = store();
  const std::string text = "abc";
  const std::string digest = digest_of_bytes(text);
  CHECK_THAT(kept.put(digest, 3, 1, bytes_of("bc")).error().message,
             Catch::Contains("does not follow"));
  CHECK_THAT(kept.put(digest, 2, 0, bytes_of(text)).error().message,
             Catch::Contains("does not follow"));
  CHECK_THAT(kept.put(digest, 3, 0, bytes_of("abd")).error().message,
             Catch::Contains("another digest"));
  CHECK_FALSE(*kept.has(digest));
  CHECK(*kept.put(digest, 3, 0, bytes_of(text)) == 3);  // it can be sent again
  CHECK_THAT(kept.get(digest, 4).error().message, Catch::Contains("behind the end"));
}

TEST_CASE("Where a digest should be and is none, nothing is read or written") {
  BlobStore kept = store();
  const std::string name = GENERATE(as<std::string>(), "../../etc/passwd", "/etc/passwd", "",
                                    std::string(64, 'A'), std::string(63, 'a') + "/");
  CHECK_THAT(kept.has(name).error().message, Catch::Contains("is no digest"));
  CHECK_THAT(kept.put(name, 1, 0, bytes_of("x")).error().message, Catch::Contains("is no digest"));
  CHECK_THAT(kept.get(name, 0).error().message, Catch::Contains("is no digest"));
}

// The answers to some requests, the greeting first.
std::vector<Json> answers(const std::string& requests) {
  ReferenceBackend backend({.name = "reference", .version = "1", .device = "here", .threads = 1});
  BlobStore kept = store();
  // A pipe that stays open, as long as somebody listens.
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const std::string all_requests = requests + "{\"op\":\"quit\"}\n";
  REQUIRE(write(ends[1], all_requests.data(), all_requests.size()) ==
          static_cast<ssize_t>(all_requests.size()));
  auto* buffer = new __gnu_cxx::stdio_filebuf<char>(ends[0], std::ios::in);
  auto* in = new std::istream(buffer);  // its reader waits for more until the program ends
  std::ostringstream out;
  serve(backend, kept, {.build = "some", .memory = 5}, *in, out);
  std::vector<Json> all;
  std::istringstream lines(out.str());
  for (std::string line; std::getline(lines, line);) all.push_back(Json::parse(line));
  return all;
}

TEST_CASE("A worker greets with its protocol and answers nonsense by what is wrong") {
  const auto all = answers(
      "nonsense\n[1]\n{\"id\":5}\n{\"id\":6,\"op\":\"dance\"}\n"
      "{\"id\":7,\"op\":\"load\",\"blob\":\"../x\"}\n"
      "{\"id\":8,\"op\":\"run\",\"handle\":3,\"inputs\":{}}\n"
      "{\"id\":9,\"op\":\"put\",\"digest\":1}\n"
      "{\"id\":10,\"op\":5}\n");
  REQUIRE(all.size() == 9);
  CHECK(all[0].at("hello").at("protocol") == 2);
  CHECK(all[0].at("hello").at("offers") == Json({"profile", "blobs"}));
  CHECK(all[0].at("hello").at("build") == "some");
  CHECK(all[0].at("hello").at("options") == Json::object());
  CHECK(all[0].at("hello").at("memory") == 5);
  const std::vector<std::string> errors = {"one JSON object",
                                           "one JSON object",
                                           "op",
                                           "unknown request 'dance'",
                                           "is no digest",
                                           "no model with handle 3",
                                           "missing or wrong: key 'data' not found",
                                           "missing or wrong: type must be string"};
  for (std::size_t i = 0; i < errors.size(); ++i) {
    INFO(all[i + 1]);
    CHECK(all[i + 1].at("ok") == false);
    CHECK_THAT(all[i + 1].at("error").get<std::string>(), Catch::Contains(errors[i]));
  }
  CHECK(all[3].at("id") == 5);
}

TEST_CASE("A model and its inputs that were sent are loaded and run, and outputs are fetched") {
  const ScratchFolder folder;
  const std::string model = read_bytes(testing::conv_relu().save(folder / "m.onnx"));
  const std::string input(32 * sizeof(float), '\0');
  const auto put = [](int id, const std::string& bytes) {
    return Json{{"id", id},
                {"op", "put"},
                {"digest", digest_of_bytes(bytes)},
                {"size", bytes.size()},
                {"offset", 0},
                {"data", to_base64(bytes_of(bytes))}}
               .dump() +
           "\n";
  };
  const Json load{{"id", 3}, {"op", "load"}, {"blob", digest_of_bytes(model)}, {"threads", 1}};
  const Json run{
      {"id", 4},
      {"op", "run"},
      {"handle", 1},
      {"inputs",
       {{"x", {{"blob", digest_of_bytes(input)}, {"type", "float"}, {"shape", {1, 2, 4, 4}}}}}}};
  const auto pair = [](int rounds, int warmup) {
    return Json{{"id", 5},        {"op", "pair"},     {"a", 1},
                {"b", 1},         {"rounds", rounds}, {"warmup", warmup},
                {"evict_mib", 0}, {"seed", 1},        {"order_seed", 1}}
               .dump() +
           "\n";
  };
  const auto all = answers(put(1, model) + put(2, input) + load.dump() + "\n" + run.dump() + "\n" +
                           pair(1, 0) + pair(0, 0) + pair(1, -1));
  REQUIRE(all.size() == 8);
  CHECK(all[5].at("a_ns").size() == 1);
  for (const Json& refused : {all[6], all[7]})
    CHECK_THAT(refused.at("error").get<std::string>(), Catch::Contains("one round to time"));
  CHECK(all[1].at("received") == model.size());
  CHECK(all[3].at("inputs")[0].at("name") == "x");
  REQUIRE(all[4].at("ok") == true);
  CHECK(all[4].at("outputs")[0].at("blob").get<std::string>().size() == 64);
}

// A worker in another folder, whose requests are written down.
Result<std::unique_ptr<Runtime>> far_worker(const std::filesystem::path& log) {
  const std::string command =
      "cd / && tee " + log.string() + " | exec " + PET_WORKER_PROGRAM + " --backend reference";
  return Runtime::start({.command = {"sh", "-c", command}, .by_content = true});
}

std::size_t requests(const std::filesystem::path& log, const std::string& op) {
  const std::string text = read_bytes(log);
  const std::string wanted = "\"op\":\"" + op + "\"";
  std::size_t count = 0;
  for (std::size_t at = text.find(wanted); at != std::string::npos; at = text.find(wanted, at + 1))
    ++count;
  return count;
}

TEST_CASE("A model behind a worker that shares no folder computes the same, and is sent once") {
  const ScratchFolder folder;
  const auto file = testing::conv_relu().save(folder / "m.onnx");
  auto far = far_worker(folder / "log");
  INFO((far ? "" : far.error().message));
  REQUIRE(far.ok());
  ReferenceBackend near({.name = "reference", .version = "1", .device = "here", .threads = 1});
  std::vector<float> x(32);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i) - 10;
  const std::vector<NamedTensor> inputs{{"x", Tensor::of_floats({1, 2, 4, 4}, x)}};
  const auto here = near.load(file, {});
  REQUIRE(here.ok());
  const auto expected = near.run(here->id, inputs);
  for (int i = 0; i < 2; ++i) {
    const auto there = (*far)->load(file, {});
    INFO((there ? "" : there.error().message));
    REQUIRE(there.ok());
    const auto outputs = (*far)->run(there->id, inputs);
    INFO((outputs ? "" : outputs.error().message));
    REQUIRE(outputs.ok());
    REQUIRE(outputs->size() == expected->size());
    for (std::size_t o = 0; o < outputs->size(); ++o) {
      CHECK((*outputs)[o].name == (*expected)[o].name);
      CHECK((*outputs)[o].tensor.digest() == (*expected)[o].tensor.digest());
    }
    const auto timing = (*far)->time_pair(there->id, there->id, {.rounds = 2, .warmup = 0});
    CHECK(timing.ok());
  }
  CHECK(requests(folder / "log", "put") == 2);  // the model and its input
}

// Folders of workers below a folder for temporary files.
std::size_t stores_in(const std::filesystem::path& folder) {
  const std::filesystem::directory_iterator all(folder);
  return static_cast<std::size_t>(std::count_if(begin(all), end(all), [](const auto& entry) {
    return entry.path().filename().string().starts_with("pet");
  }));
}

TEST_CASE("A worker leaves nothing behind, whether it was sent something or not") {
  const ScratchFolder folder, temporary;
  const auto file = testing::conv_relu().save(folder / "m.onnx");
  const std::string command = "TMPDIR=" + temporary.path().string() + " exec " +
                              PET_WORKER_PROGRAM + " --backend reference";
  for (const bool by_content : {false, true}) {
    auto far = Runtime::start({.command = {"sh", "-c", command}, .by_content = by_content});
    REQUIRE(far.ok());
    CHECK(stores_in(temporary.path()) == 0);
    REQUIRE((*far)->load(file, {}).ok());
    CHECK(stores_in(temporary.path()) == (by_content ? 1 : 0));
    far->reset();
    CHECK(stores_in(temporary.path()) == 0);
  }
}

TEST_CASE("A weight is sent once, however many programs hold it") {
  const ScratchFolder folder;
  auto far = far_worker(folder / "log");
  REQUIRE(far.ok());
  ReferenceBackend near({.name = "reference", .version = "1", .device = "here", .threads = 1});
  const std::vector<NamedTensor> inputs{
      {"input", Tensor::of_floats({1, 16, 14, 14}, std::vector<float>(16 * 14 * 14, 0.5F))}};
  std::size_t sent = 0;
  // The same weights in programs of other dilations: five large ones, the sixth goes with the rest.
  for (const std::string name : {"csrnet", "csrnet-d4", "csrnet-d2-d4"}) {
    const auto file = folder / (name + ".onnx");
    REQUIRE(datasets::build_model({.name = name, .tiny = true}, file).ok());
    const auto there = (*far)->load(file, {});
    INFO((there ? "" : there.error().message));
    REQUIRE(there.ok());
    const std::size_t now = requests(folder / "log", "put");
    CHECK(now - sent == (sent == 0 ? 6 : 1));
    const auto outputs = (*far)->run(there->id, inputs);
    INFO((outputs ? "" : outputs.error().message));
    REQUIRE(outputs.ok());
    const auto here = near.load(file, {});
    REQUIRE(here.ok());
    const auto expected = near.run(here->id, inputs);
    REQUIRE(expected.ok());
    CHECK(outputs->front().tensor.digest() == expected->front().tensor.digest());
    sent = requests(folder / "log", "put");
  }
}

std::string put_line(int id, const std::string& digest, const std::string& part, std::size_t size) {
  return Json{{"id", id},     {"op", "put"}, {"digest", digest},
              {"size", size}, {"offset", 0}, {"data", to_base64(bytes_of(part))}}
             .dump() +
         "\n";
}

TEST_CASE("A model that was sent and refers to anything but digests is refused") {
  const ScratchFolder folder;
  onnx::ModelProto model;
  REQUIRE(model.ParseFromString(read_bytes(testing::conv_relu().save(folder / "m.onnx"))));
  REQUIRE(model.graph().initializer_size() > 0);
  auto& weight = *model.mutable_graph()->mutable_initializer(0);
  std::size_t size = sizeof(float);
  for (const auto extent : weight.dims()) size *= static_cast<std::size_t>(extent);
  // What somebody else is sending lies beside it, and is not whole yet.
  const std::string begun(size, '\0');
  const std::string other = digest_of_bytes(begun + "x");
  const std::string location = GENERATE_COPY(as<std::string>(), "../secret", "/etc/passwd",
                                             std::string(63, 'a'), other + ".part");
  weight.clear_raw_data();
  weight.clear_float_data();
  weight.set_data_location(onnx::TensorProto::EXTERNAL);
  auto& entry = *weight.add_external_data();
  entry.set_key("location");
  entry.set_value(location);
  const std::string bytes = model.SerializeAsString();
  const Json load{{"id", 3}, {"op", "load"}, {"blob", digest_of_bytes(bytes)}, {"threads", 1}};
  const auto all =
      answers(put_line(1, other, begun, size + 1) +
              put_line(2, digest_of_bytes(bytes), bytes, bytes.size()) + load.dump() + "\n");
  REQUIRE(all.size() == 4);
  CHECK(all[1].at("received") == size);
  CHECK(all[3].at("ok") == false);
}

TEST_CASE("A worker says which build it is, how it was started, and what memory it has") {
  const auto said = [](const std::string& flags, const std::string& before = {}) {
    auto started =
        Runtime::start({.command = {"sh", "-c", "exec " + before + PET_WORKER_PROGRAM + flags}});
    INFO((started ? "" : started.error().message));
    REQUIRE(started.ok());
    return (*started)->info();
  };
  const BackendInfo plain = said(" --backend cuda --emulate");
  CHECK(plain.build.size() == 64);
  CHECK(plain.memory > 0);
  CHECK(plain.options.at("precision") == "fp32");
  CHECK(plain.options.at("fusion") == "all");
  const BackendInfo apart = said(" --backend cuda --emulate --fusion none");
  CHECK(apart.options.at("fusion") == "none");
  CHECK(apart.build == plain.build);
  // Another library is another build.
  CHECK(said(" --backend cuda --emulate", "env LD_PRELOAD=libresolv.so.2 ").build != plain.build);
}

TEST_CASE("A worker that takes no content is told from one that does") {
  const auto runtime = Runtime::start(
      {.command = {"sh", "-c",
                   "echo '{\"hello\":{\"runtime\":\"r\",\"version\":\"1\",\"device\":\"d\","
                   "\"threads\":1,\"protocol\":1}}'; read x"},
       .by_content = true});
  REQUIRE_FALSE(runtime.ok());
  CHECK_THAT(runtime.error().message, Catch::Contains("speaks protocol 1, not 2"));
}

TEST_CASE("A command is taken apart as a shell does, without one") {
  using Words = std::vector<std::string>;
  const auto [text, words] = GENERATE(table<std::string, Words>({
      {"pet-worker --backend cuda", {"pet-worker", "--backend", "cuda"}},
      {"  a   b ", {"a", "b"}},
      {"ssh host 'pet-worker --backend cuda'", {"ssh", "host", "pet-worker --backend cuda"}},
      {"sh -c \"exec \\\"$0\\\" 'x'\"", {"sh", "-c", "exec \"$0\" 'x'"}},
      {"a\\ b '' c", {"a b", "", "c"}},
      {"$(rm -rf /) `id` ;", {"$(rm", "-rf", "/)", "`id`", ";"}},
  }));
  const auto split = split_command(text);
  REQUIRE(split.ok());
  CHECK(*split == words);
  CHECK_THAT(split_command("a 'b").error().message, Catch::Contains("stays open"));
  CHECK_THAT(split_command("  ").error().message, Catch::Contains("is empty"));
}

}  // namespace
}  // namespace pet::app
