#include "app/pet-worker/serve.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <fstream>
#include <functional>
#include <limits>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/onnx/skeleton.h"
#include "core/util/base64.h"
#include "core/util/check.h"
#include "core/util/printable.h"

namespace pet::app {
namespace {

using Json = nlohmann::json;

constexpr int kGraceSeconds = 5;  // what a request may still take once nobody listens any more

std::optional<DType> dtype_named(const std::string& name) {
  for (int number = 1; dtype_from(number); ++number) {
    if (to_string(*dtype_from(number)) == name) return dtype_from(number);
  }
  return std::nullopt;
}

Json values_json(const std::vector<ModelValue>& values) {
  Json out = Json::array();
  for (const ModelValue& value : values)
    out.push_back({{"name", value.name}, {"type", value.type}, {"shape", value.shape}});
  return out;
}

std::vector<std::int64_t> to_ns(const std::vector<double>& ms) {
  std::vector<std::int64_t> out;
  for (const double x : ms) out.push_back(std::llround(x * 1e6));
  return out;
}

// Where a worker keeps what it was sent says nothing to whoever sent it, and is another place every
// time.
Error without(const std::string& place, Error error) {
  const auto at = error.message.find(place);
  if (at != std::string::npos) error.message.erase(at, place.size());
  return error;
}

double end_of(const Json& json, double otherwise) {
  return json.is_null() ? otherwise : json.get<double>();
}

LoadOptions options_from(const Json& request) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  LoadOptions out;
  out.threads = request.value("threads", 1);
  out.dimensions = request.value("dimensions", out.dimensions);
  const Json ranges = request.value("ranges", Json::object());
  for (const auto& [name, range] : ranges.items())
    out.ranges[name] = {end_of(range.at(0), -kInfinity), end_of(range.at(1), kInfinity)};
  return out;
}

Error nothing_to_time() {
  return {"there is one round to time or more, and no number in that is negative",
          ErrorKind::Usage};
}

// "[json.exception.type_error.302] type must be string, but is number".
std::string in_words(const Json::exception& wrong) {
  const std::string_view text = wrong.what();
  const auto at = text.find("] ");
  return printable(fmt::format("a field of the request is missing or wrong: {}",
                               text.substr(at == text.npos ? 0 : at + 2)));
}

class Server {
 public:
  Server(Backend& backend, BlobStore& store) : backend_(backend), store_(store) {}

  // An answer without its id.
  Json answer(const Json& request, const std::stop_token& stop) {
    try {
      auto fields = act(request, stop);
      if (!fields) return {{"ok", false}, {"error", printable(fields.error().message)}};
      Json out = *std::move(fields);
      out["ok"] = true;
      return out;
    } catch (const Json::exception& wrong) {
      return {{"ok", false}, {"error", in_words(wrong)}};
    } catch (const CheckFailed& failed) {
      return {{"ok", false}, {"error", printable(failed.what())}};
    }
  }

 private:
  Result<Json> act(const Json& request, const std::stop_token& stop) {
    const auto op = request.at("op").get<std::string>();
    if (op == "load") return load(request, stop);
    if (op == "run") return run(request, stop);
    if (op == "pair") return pair(request, stop);
    if (op == "profile") return profile(request, stop);
    if (op == "unload") return unload(request);
    if (op == "have") return have(request);
    if (op == "put") return put(request);
    if (op == "get") return get(request);
    return Error{fmt::format("unknown request '{}'", printable(op)), ErrorKind::Usage};
  }

  Result<ModelId> model(const Json& request, const char* key) const {
    const auto handle = request.at(key).get<std::int64_t>();
    const auto found = models_.find(handle);
    if (found != models_.end()) return found->second;
    return Error{fmt::format("there is no model with handle {}", handle), ErrorKind::Usage};
  }

  // A path, or what was sent under a digest.
  Result<std::filesystem::path> file_of(const Json& request, const char* path_key) const {
    if (request.contains("blob")) return store_.file(request.at("blob").get<std::string>());
    return std::filesystem::path(request.at(path_key).get<std::string>());
  }

  Result<Json> load(const Json& request, const std::stop_token& stop) {
    const auto file = file_of(request, "model");
    if (!file) return file.error();
    if (request.contains("blob")) {
      if (auto sent = check_skeleton(*file); !sent) return std::move(sent).error();
    }
    auto loaded = backend_.load(*file, options_from(request), stop);
    if (!loaded) return without(printable(file->string()) + ": ", std::move(loaded).error());
    models_.emplace(++last_handle_, loaded->id);
    return Json{{"handle", last_handle_},
                {"inputs", values_json(loaded->inputs)},
                {"outputs", values_json(loaded->outputs)}};
  }

  Result<Json> unload(const Json& request) {
    const auto id = model(request, "handle");
    if (!id) return id.error();
    backend_.unload(*id);
    models_.erase(request.at("handle").get<std::int64_t>());
    return Json::object();
  }

  Result<NamedTensor> input(const std::string& name, const Json& json) const {
    const auto dtype = dtype_named(json.at("type").get<std::string>());
    const auto shape = json.at("shape").get<Shape>();
    const auto elements = checked_count(shape);
    const auto file = file_of(json, "file");
    if (!file) return file.error();
    if (!dtype || !elements)
      return Error{"a tensor of another kind than tensors are", ErrorKind::Malformed};
    const std::size_t wanted = static_cast<std::size_t>(*elements) * bytes_per_element(*dtype);
    auto bytes = std::make_shared<std::vector<std::byte>>(wanted);
    std::ifstream in(*file, std::ios::binary);
    in.read(reinterpret_cast<char*>(bytes->data()), static_cast<std::streamsize>(wanted));
    if (!in || in.peek() != std::ifstream::traits_type::eof())
      return Error{fmt::format("input {} does not hold {} bytes", printable(name), wanted),
                   ErrorKind::Malformed};
    const std::span<const std::byte> view(*bytes);
    return NamedTensor{name, Tensor({*dtype, shape}, view, std::move(bytes))};
  }

  Result<Json> run(const Json& request, const std::stop_token& stop) {
    const auto id = model(request, "handle");
    if (!id) return id.error();
    std::vector<NamedTensor> inputs;
    for (const auto& [name, json] : request.at("inputs").items()) {
      auto tensor = input(name, json);
      if (!tensor) return std::move(tensor).error();
      inputs.push_back(*std::move(tensor));
    }
    const auto outputs = backend_.run(*id, inputs, stop);
    if (!outputs) return outputs.error();
    Json list = Json::array();
    for (std::size_t i = 0; i < outputs->size(); ++i) {
      auto one = output((*outputs)[i], request, i);
      if (!one) return one;
      list.push_back(*std::move(one));
    }
    return Json{{"outputs", std::move(list)}};
  }

  // In the folder that was named, or under its digest.
  Result<Json> output(const NamedTensor& named, const Json& request, std::size_t number) {
    Json out{{"name", named.name},
             {"type", to_string(named.tensor.type().dtype)},
             {"shape", named.tensor.shape()}};
    const auto bytes = named.tensor.bytes();
    if (!request.contains("outputs")) {
      const auto digest = store_.keep(bytes);
      if (!digest) return digest.error();
      out["blob"] = *digest;
      return out;
    }
    const auto file = std::filesystem::path(request.at("outputs").get<std::string>()) /
                      fmt::format("output{}.bin", number);
    std::ofstream written(file, std::ios::binary);
    written.write(reinterpret_cast<const char*>(bytes.data()),
                  static_cast<std::streamsize>(bytes.size()));
    written.close();
    if (!written) return Error{"an output cannot be written", ErrorKind::Tool};
    out["file"] = file.string();
    return out;
  }

  Result<Json> pair(const Json& request, const std::stop_token& stop) {
    const auto a = model(request, "a");
    if (!a) return a.error();
    const auto b = model(request, "b");
    if (!b) return b.error();
    const PairPlan plan{.rounds = request.at("rounds").get<int>(),
                        .warmup = request.at("warmup").get<int>(),
                        .evict_mib = request.at("evict_mib").get<int>(),
                        .seed = request.at("seed").get<std::uint64_t>(),
                        .order_seed = request.at("order_seed").get<std::uint64_t>()};
    if (plan.rounds < 1 || plan.warmup < 0 || plan.evict_mib < 0) return nothing_to_time();
    const auto timing = backend_.time_pair(*a, *b, plan, stop);
    if (!timing) return timing.error();
    Json out{{"a_ns", to_ns(timing->a_ms)}, {"b_ns", to_ns(timing->b_ms)}};
    if (timing->clocks) {
      out["sm_mhz"] = {timing->clocks->lowest_mhz, timing->clocks->highest_mhz};
      out["throttled"] = timing->clocks->throttled;
      out["others"] = timing->clocks->others;
    }
    return out;
  }

  Result<Json> profile(const Json& request, const std::stop_token& stop) {
    const auto id = model(request, "handle");
    if (!id) return id.error();
    const ProfilePlan plan{.runs = request.at("runs").get<int>(),
                           .warmup = request.at("warmup").get<int>(),
                           .seconds = request.at("seconds").get<double>(),
                           .evict_mib = request.at("evict_mib").get<int>(),
                           .seed = request.at("seed").get<std::uint64_t>()};
    if (plan.runs < 1 || plan.warmup < 0 || plan.evict_mib < 0) return nothing_to_time();
    const auto found = backend_.profile(*id, plan, stop);
    if (!found) return found.error();
    Json operators = Json::array();
    for (const OperatorTime& one : found->operators)
      operators.push_back({{"name", one.name},
                           {"type", one.type},
                           {"calls", one.calls},
                           {"ns", to_ns(one.ms)},
                           {"flops", one.flops},
                           {"bytes", one.bytes},
                           {"how", printable(one.how)}});
    return Json{{"runs_ns", to_ns(found->runs_ms)}, {"operators", std::move(operators)}};
  }

  Result<Json> have(const Json& request) const {
    Json missing = Json::array();
    for (const Json& digest : request.at("digests")) {
      const auto known = store_.has(digest.get<std::string>());
      if (!known) return known.error();
      if (!*known) missing.push_back(digest);
    }
    return Json{{"missing", std::move(missing)}};
  }

  Result<Json> put(const Json& request) {
    const auto part = from_base64(request.at("data").get<std::string>());
    if (!part) return Error{"a part of a blob that is no base64", ErrorKind::Malformed};
    const auto received =
        store_.put(request.at("digest").get<std::string>(), request.at("size").get<std::uint64_t>(),
                   request.at("offset").get<std::uint64_t>(), *part);
    if (!received) return received.error();
    return Json{{"received", *received}};
  }

  Result<Json> get(const Json& request) const {
    const auto part = store_.get(request.at("digest").get<std::string>(),
                                 request.at("offset").get<std::uint64_t>());
    if (!part) return part.error();
    return Json{{"data", to_base64(*part)}};
  }

  Backend& backend_;
  BlobStore& store_;
  std::map<std::int64_t, ModelId> models_;
  std::int64_t last_handle_ = 0;
};

// Lines as they come, read by a thread of its own: that the program that asks is gone must be seen
// while a request is served.
class Lines {
 public:
  // `at_last`: done before the process is ended while something is stuck.
  Lines(std::istream& in, std::function<void()> at_last) : at_last_(std::move(at_last)) {
    std::thread([this, &in] { read(in); }).detach();
  }

  std::optional<std::string> next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !lines_.empty() || ended_; });
    if (lines_.empty()) return std::nullopt;
    std::string line = std::move(lines_.front());
    lines_.pop_front();
    return line;
  }
  std::stop_token gone() const { return gone_.get_token(); }

 private:
  void read(std::istream& in) {
    for (std::string line; std::getline(in, line);) {
      const std::lock_guard lock(mutex_);
      lines_.push_back(std::move(line));
      changed_.notify_one();
    }
    gone_.request_stop();
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
      changed_.notify_one();
    }
    std::this_thread::sleep_for(std::chrono::seconds(kGraceSeconds));
    at_last_();
    _exit(1);  // the other thread is stuck in a library and nobody waits for it
  }

  const std::function<void()> at_last_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> lines_;
  bool ended_ = false;
  std::stop_source gone_;
};

void say(std::ostream& out, const Json& message) {
  out << message.dump(-1, ' ', true, Json::error_handler_t::replace) << "\n" << std::flush;
}

}  // namespace

void serve(Backend& backend, BlobStore& store, const WorkerFacts& facts, std::istream& in,
           std::ostream& out) {
  const BackendInfo& info = backend.info();
  say(out, {{"hello",
             {{"runtime", info.name},
              {"version", info.version},
              {"device", info.device},
              {"threads", info.threads},
              {"build", facts.build},
              {"options", info.options},
              {"memory", info.memory != 0 ? info.memory : facts.memory},
              {"protocol", kWorkerProtocol},
              {"offers", {"profile", "blobs"}}}}});
  Server server(backend, store);
  // Its thread reads on until the process ends.
  auto* lines = new Lines(in, store.remover());
  while (const auto line = lines->next()) {
    const Json request = Json::parse(*line, nullptr, false);
    if (request.is_object() && request.value("op", Json()) == "quit") return;
    Json answer = request.is_object()
                      ? server.answer(request, lines->gone())
                      : Json{{"ok", false}, {"error", "a request is one JSON object a line"}};
    answer["id"] = request.is_object() ? request.value("id", Json()) : Json();
    const bool is_lost = !answer.at("ok").get<bool>() && backend.is_lost();
    if (is_lost) answer["lost"] = true;
    say(out, answer);
    if (is_lost) return;
  }
}

}  // namespace pet::app
