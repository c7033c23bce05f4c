#include "core/backend/highs.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/backend/python_command.h"
#include "core/util/printable.h"

namespace pet {
namespace {

using Json = nlohmann::json;

constexpr int kSolverProtocol = 1;
constexpr std::chrono::milliseconds kStarting{60'000};
// Beyond its own limit: HiGHS looks at the clock between pieces of work.
constexpr double kGraceSeconds = 30;

Error nonsense_of_solver(const std::string& line) {
  return {fmt::format("the solver answered nonsense: {}", printable(line.substr(0, 120))),
          ErrorKind::Tool};
}

// null: no end.
Json bound(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json json_of(const egraph::IlpModel& model) {
  Json cost = Json::array(), lower = Json::array(), upper = Json::array(), integer = Json::array();
  for (const auto& column : model.columns) {
    cost.push_back(column.cost);
    lower.push_back(bound(column.lower));
    upper.push_back(bound(column.upper));
    integer.push_back(column.is_integer);
  }
  Json out{{"columns", {{"cost", cost}, {"lower", lower}, {"upper", upper}, {"integer", integer}}}};
  Json start = {0}, column = Json::array(), factor = Json::array();
  lower = Json::array();
  upper = Json::array();
  for (const auto& row : model.rows) {
    lower.push_back(bound(row.lower));
    upper.push_back(bound(row.upper));
    for (const auto& [number, times] : row.entries) {
      column.push_back(number);
      factor.push_back(times);
    }
    start.push_back(column.size());
  }
  out["rows"] = {{"lower", std::move(lower)},
                 {"upper", std::move(upper)},
                 {"start", std::move(start)},
                 {"column", std::move(column)},
                 {"factor", std::move(factor)}};
  return out;
}

egraph::IlpAnswer answer_of(const Json& json) {
  egraph::IlpAnswer out;
  out.end = json.at("end").get<std::string>() == to_string(egraph::IlpEnd::Optimal)
                ? egraph::IlpEnd::Optimal
                : egraph::IlpEnd::OutOfTime;
  out.values = json.at("values").get<std::vector<double>>();
  out.bound = json.at("bound").get<double>();
  out.seconds = json.at("seconds").get<double>();
  return out;
}

}  // namespace

Result<std::vector<std::string>> solver_command() {
  return python_command({.what = "solver",
                         .variable = "PET_SOLVER",
                         .installed = "bin/pet-solver",
                         .source = "app/solver_worker/worker.py",
                         .advice =
                             "run tools/setup, or set PET_PYTHON to a Python that has highspy "
                             "and that you may run"});
}

Status Highs::ensure_worker(const std::stop_token& stop) {
  if (worker_ && worker_->is_alive()) return Done{};
  worker_.reset();
  if (command_.empty()) {
    auto command = solver_command();
    if (!command) return std::move(command).error();
    command_ = *std::move(command);
  }
  auto started = ChildProcess::start(command_);
  if (!started) return std::move(started).error();
  auto line = started->receive(kStarting, stop);
  if (!line) return std::move(line).error().within("starting the solver");
  const Json greeting = Json::parse(*line, nullptr, false);
  if (greeting.is_object() && greeting.contains("error") && greeting["error"].is_string())
    return Error{printable(greeting["error"].get<std::string>()), ErrorKind::Tool};
  const bool is_hello = greeting.is_object() && greeting.contains("hello") &&
                        greeting["hello"].is_object() &&
                        greeting["hello"].value("protocol", Json()) == kSolverProtocol;
  if (!is_hello) return nonsense_of_solver(*line);
  worker_ = *std::move(started);
  return Done{};
}

Result<egraph::IlpAnswer> Highs::solve(const egraph::IlpModel& model,
                                       const std::vector<double>& start,
                                       const egraph::IlpLimits& limits, std::stop_token stop) {
  if (auto ready = ensure_worker(stop); !ready) return std::move(ready).error();
  Json request = json_of(model);
  const std::uint64_t id = next_request_++;
  request["id"] = id;
  request["op"] = "solve";
  request["begin"] = start;
  request["seconds"] = limits.seconds;
  request["seed"] = limits.seed;
  const std::chrono::milliseconds patience(
      static_cast<std::int64_t>(1000 * (limits.seconds + kGraceSeconds)));
  const auto fail = [this](Error error) {
    worker_.reset();
    return error;
  };
  if (auto sent = worker_->send(request.dump(), patience, stop); !sent)
    return fail(std::move(sent).error());
  auto line = worker_->receive(patience, stop);
  if (!line) return fail(std::move(line).error().within("the solver"));
  const Json answer = Json::parse(*line, nullptr, false);
  try {
    if (answer.at("id").get<std::uint64_t>() != id) return fail(nonsense_of_solver(*line));
    if (!answer.at("ok").get<bool>())
      return Error{"the solver: " + printable(answer.at("error").get<std::string>()),
                   ErrorKind::Tool};
    return answer_of(answer);
  } catch (const Json::exception&) {
    return fail(nonsense_of_solver(*line));
  }
}

}  // namespace pet
