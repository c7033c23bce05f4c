#include "core/backend/runtime.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/backend/python_command.h"
#include "core/backend/runtime_message.h"
#include "core/backend/scratch_folder.h"
#include "core/util/check.h"
#include "core/util/installation.h"
#include "core/util/printable.h"

namespace pet {

Result<std::vector<std::string>> worker_command() {
  return python_command(
      {.what = "measuring worker",
       .variable = "PET_WORKER",
       .installed = installed_data("pet/runtime_worker/worker.py"),
       .source = "app/runtime_worker/worker.py",
       .advice = "run tools/setup, or set PET_PYTHON to a Python that has onnxruntime and that you "
                 "may run; --target reference needs none"});
}

namespace {

constexpr int kOldestProtocol = 1;
constexpr int kNewestProtocol = 2;  // the first that takes what it needs by content

Status write_file(const std::filesystem::path& file, std::span<const std::byte> bytes) {
  std::ofstream out(file, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) return Error{fmt::format("cannot write {}", file.string()), ErrorKind::Tool};
  return Done{};
}

Result<Tensor> read_tensor(const std::filesystem::path& file, DType dtype, const Shape& shape) {
  const auto count = checked_count(shape);
  if (!count)
    return Error{fmt::format("the worker answered a tensor of shape {}", to_string(shape)),
                 ErrorKind::Tool};
  const std::size_t wanted = static_cast<std::size_t>(*count) * bytes_per_element(dtype);
  std::error_code failure;
  if (std::filesystem::file_size(file, failure) != wanted || failure) {
    return Error{
        fmt::format("{} does not hold the {} bytes the worker spoke of", file.string(), wanted),
        ErrorKind::Tool};
  }
  auto bytes = std::make_shared<std::vector<std::byte>>(wanted);
  std::ifstream in(file, std::ios::binary);
  in.read(reinterpret_cast<char*>(bytes->data()), static_cast<std::streamsize>(wanted));
  if (!in) return Error{fmt::format("cannot read {}", file.string()), ErrorKind::Tool};
  const std::span<const std::byte> view(*bytes);
  return Tensor({dtype, shape}, view, std::move(bytes));
}

// name -> [low, high]; null where there is no end.
Json ranges_to_json(const std::map<std::string, ValueRange>& ranges) {
  const auto end = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
  Json json = Json::object();
  for (const auto& [name, range] : ranges) json[name] = {end(range.low), end(range.high)};
  return json;
}

// JSON can carry nothing else.
bool is_utf8(const std::string& text) {
  const std::string dumped = Json(text).dump(-1, ' ', true, Json::error_handler_t::ignore);
  return Json::parse(dumped).get<std::string>() == text;
}

}  // namespace

Result<std::unique_ptr<Runtime>> Runtime::start(Options options, const std::stop_token& stop) {
  PET_CHECK(!options.command.empty(), "a runtime needs the command of its worker");
  std::unique_ptr<Runtime> runtime(new Runtime(std::move(options)));
  if (auto ready = runtime->ensure_worker(stop); !ready) return std::move(ready).error();
  return runtime;
}

Runtime::~Runtime() = default;

void Runtime::drop_worker() {
  worker_.reset();
  sent_.clear();
  for (Slot& slot : slots_) slot.handle.reset();
}

Status Runtime::ensure_worker(const std::stop_token& stop) {
  if (worker_ && worker_->is_alive()) return Done{};
  drop_worker();
  auto started = ChildProcess::start(options_.command);
  if (!started) return std::move(started).error();
  worker_ = std::move(*started);
  auto line = worker_->receive(options_.start_timeout, stop);
  if (!line) {
    drop_worker();
    return std::move(line).error().within("starting the worker");
  }
  const Json greeting = Json::parse(*line, nullptr, false);
  int protocol = 0;
  std::vector<std::string> offers;
  auto info = reading(greeting, [&](const Json& json) {
    const Json& hello = json.at("hello");
    protocol = hello.at("protocol").get<int>();
    offers = hello.value("offers", offers);
    return BackendInfo{hello.at("runtime").get<std::string>(),
                       hello.at("version").get<std::string>(),
                       hello.at("device").get<std::string>(),
                       hello.at("threads").get<int>(),
                       hello.value("build", std::string()),
                       hello.value("options", std::map<std::string, std::string>()),
                       hello.value("memory", std::uint64_t{0})};
  });
  const int oldest = options_.by_content ? kNewestProtocol : kOldestProtocol;
  if (!info || protocol < oldest || protocol > kNewestProtocol) {
    drop_worker();
    return info ? Error{fmt::format("the worker speaks protocol {}, not {}", protocol,
                                    oldest == kNewestProtocol ? "2" : "1 or 2"),
                        ErrorKind::Tool}
                : nonsense(*line);
  }
  info_ = *info;
  offers_profiles_ = std::ranges::find(offers, "profile") != offers.end();
  offers_rounds_ = std::ranges::find(offers, "together") != offers.end();
  return Done{};
}

// One request to a worker that is there. What makes the worker unusable also ends it.
Result<Runtime::Message> Runtime::exchange(Message& request, const std::stop_token& stop) {
  request.json["id"] = next_request_;
  const std::string line = request.json.dump(-1, ' ', true, Json::error_handler_t::replace);
  if (auto sent = worker_->send(line, options_.timeout, stop); !sent)
    return std::move(sent).error();
  auto answer = worker_->receive(options_.timeout, stop);
  if (!answer) return std::move(answer).error();
  Message message{Json::parse(*answer, nullptr, false)};
  const auto id =
      reading(message.json, [](const Json& json) { return json.at("id").get<std::uint64_t>(); });
  if (!id || *id != next_request_) return nonsense(*answer);
  ++next_request_;
  return message;
}

Result<Runtime::Message> Runtime::ask(Message request, const std::stop_token& stop) {
  auto message = exchange(request, stop);
  if (!message) {
    drop_worker();
    return message;
  }
  const auto refusal = reading(message->json, [](const Json& json) {
    return json.at("ok").get<bool>() ? std::string() : json.at("error").get<std::string>();
  });
  if (!refusal) {
    drop_worker();
    return refusal.error();
  }
  // A device that is lost answers nothing more: the next request starts another worker.
  const bool is_lost = message->json.value("lost", Json(false)) == Json(true);
  if (is_lost) drop_worker();
  if (!refusal->empty())
    return Error{fmt::format("{}: {}", info_.name, *refusal), ErrorKind::Unsupported};
  return message;
}

Result<Runtime::Message> Runtime::load_slot(Slot& slot, const std::stop_token& stop) {
  Json request{{"op", "load"},
               {"threads", slot.options.threads},
               {"dimensions", slot.options.dimensions},
               {"ranges", ranges_to_json(slot.options.ranges)}};
  if (options_.by_content) {
    auto digest = sent_model(slot.file, stop);
    if (!digest) return std::move(digest).error();
    request["blob"] = *std::move(digest);
  } else {
    request["model"] = slot.file.string();
  }
  auto answer = ask({std::move(request)}, stop);
  if (!answer) return answer;
  const auto handle =
      reading(answer->json, [](const Json& json) { return json.at("handle").get<std::int64_t>(); });
  if (!handle) return handle.error();
  slot.handle = *handle;
  return answer;
}

Result<LoadedModel> Runtime::load(const std::filesystem::path& file, const LoadOptions& options,
                                  std::stop_token stop) {
  if (!is_utf8(file.string())) {
    return Error{fmt::format("{}: its name is no UTF-8, and no worker can be told of it; rename it",
                             printable(file.string())),
                 ErrorKind::Usage};
  }
  if (auto ready = ensure_worker(stop); !ready) return std::move(ready).error();
  Slot slot{std::filesystem::absolute(file), options, std::nullopt};
  auto answer = load_slot(slot, stop);
  if (!answer) return std::move(answer).error().within(printable(file.string()));
  auto model = reading(answer->json, [&](const Json& json) {
    return LoadedModel{ModelId(slots_.size()), values_from(json.at("inputs")),
                       values_from(json.at("outputs"))};
  });
  if (model) slots_.push_back(std::move(slot));
  return model;
}

void Runtime::unload(ModelId model) {
  PET_CHECK(model.index() < slots_.size() && slots_[model.index()].in_use,
            "this model is not loaded");
  Slot& slot = slots_[model.index()];
  slot.in_use = false;
  // A worker that fails here is noticed and replaced by the next call.
  if (slot.handle) (void)ask({Json{{"op", "unload"}, {"handle", *slot.handle}}}, {});
}

Result<std::int64_t> Runtime::handle_of(ModelId model, const std::stop_token& stop) {
  PET_CHECK(model.index() < slots_.size() && slots_[model.index()].in_use,
            "this model is not loaded");
  if (auto ready = ensure_worker(stop); !ready) return std::move(ready).error();
  Slot& slot = slots_[model.index()];
  if (!slot.handle) {
    if (auto loaded = load_slot(slot, stop); !loaded)
      return std::move(loaded).error().within(printable(slot.file.string()));
  }
  return *slot.handle;
}

Result<Runtime::Message> Runtime::run_with_files(std::int64_t handle,
                                                 std::span<const NamedTensor> inputs,
                                                 const std::filesystem::path& folder,
                                                 const std::stop_token& stop) {
  Json named = Json::object();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& tensor = inputs[i].tensor;
    const auto file = folder / fmt::format("input{}.bin", i);
    if (auto written = write_file(file, tensor.bytes()); !written)
      return std::move(written).error();
    named[inputs[i].name] = json_of(tensor);
    named[inputs[i].name]["file"] = file.string();
  }
  return ask(
      {Json{{"op", "run"}, {"handle", handle}, {"inputs", named}, {"outputs", folder.string()}}},
      stop);
}

Result<std::vector<NamedTensor>> Runtime::run(ModelId model, std::span<const NamedTensor> inputs,
                                              std::stop_token stop) {
  const auto handle = handle_of(model, stop);
  if (!handle) return handle.error();
  if (options_.by_content) {
    const auto answer = run_with_blobs(*handle, inputs, stop);
    if (!answer) return answer.error();
    return outputs_by_content(*answer, stop);
  }
  const auto folder = ScratchFolder::make("pet_run");
  if (!folder) return folder.error();
  auto answer = run_with_files(*handle, inputs, folder->path(), stop);
  if (!answer) return std::move(answer).error();
  const auto files =
      reading(answer->json, [](const Json& json) { return output_places(json, "file"); });
  if (!files) return files.error();
  std::vector<NamedTensor> outputs;
  for (const OutputPlace& output : *files) {
    const auto dtype = dtype_named(output.value.type);
    if (!dtype)
      return Error{"the worker answered a tensor of type " + output.value.type, ErrorKind::Tool};
    auto tensor = read_tensor(folder->path() / std::filesystem::path(output.where).filename(),
                              *dtype, output.value.shape);
    if (!tensor) return std::move(tensor).error();
    outputs.push_back({output.value.name, std::move(*tensor)});
  }
  return outputs;
}

}  // namespace pet
