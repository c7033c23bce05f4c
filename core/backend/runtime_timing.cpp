// What a worker is asked to time, and its answers.
#include <algorithm>
#include <array>

#include "core/backend/runtime_message.h"
#include "core/util/check.h"

namespace pet {
namespace {

std::vector<double> to_ms(const std::vector<std::int64_t>& ns) {
  std::vector<double> ms;
  ms.reserve(ns.size());
  for (const std::int64_t sample : ns) ms.push_back(static_cast<double>(sample) * 1e-6);
  return ms;
}

bool all_positive(const std::vector<double>& samples) {
  return std::all_of(samples.begin(), samples.end(), [](double sample) { return sample > 0.0; });
}

std::optional<DeviceClocks> clocks_from(const Json& json) {
  if (!json.contains("sm_mhz")) return std::nullopt;
  const Json& mhz = json.at("sm_mhz");
  return DeviceClocks{.lowest_mhz = mhz.at(0).get<int>(),
                      .highest_mhz = mhz.at(1).get<int>(),
                      .throttled = json.at("throttled").get<bool>(),
                      .others = json.at("others").get<int>()};
}

OperatorProfile profile_from(const Json& json) {
  OperatorProfile out{to_ms(json.at("runs_ns").get<std::vector<std::int64_t>>()), {}};
  for (const Json& one : json.at("operators")) {
    out.operators.push_back(
        {one.at("name").get<std::string>(), one.at("type").get<std::string>(),
         one.at("calls").get<int>(), to_ms(one.at("ns").get<std::vector<std::int64_t>>()),
         one.value("flops", 0.0), one.value("bytes", 0.0), one.value("how", std::string())});
  }
  return out;
}

// A clock that counts in steps finds that a short operator took no time.
bool is_whole(const OperatorProfile& profile, const ProfilePlan& plan) {
  const std::size_t runs = profile.runs_ms.size();
  return runs > 0 && runs <= static_cast<std::size_t>(plan.runs) && all_positive(profile.runs_ms) &&
         std::ranges::all_of(profile.operators, [&](const OperatorTime& one) {
           return one.calls > 0 && one.ms.size() == runs &&
                  std::ranges::none_of(one.ms, [](double ms) { return ms < 0; });
         });
}

Json in_turn(const char* op, const PairPlan& plan) {
  PET_CHECK(plan.rounds > 0 && plan.warmup >= 0, "a plan has rounds");
  return {{"op", op},
          {"rounds", plan.rounds},
          {"warmup", plan.warmup},
          {"evict_mib", plan.evict_mib},
          {"seed", plan.seed},
          {"order_seed", plan.order_seed}};
}

bool are_of(const PairPlan& plan, const std::vector<double>& ms) {
  return ms.size() == static_cast<std::size_t>(plan.rounds) && all_positive(ms);
}

Error wrong_times() {
  return {"the worker answered times that are not what was asked for", ErrorKind::Tool};
}

}  // namespace

Result<std::vector<std::int64_t>> Runtime::handles_of(std::span<const ModelId> models,
                                                      const std::stop_token& stop) {
  for (const ModelId model : models)
    if (const auto handle = handle_of(model, stop); !handle) return handle.error();
  // Loading one may have needed a new worker, which did not know those before.
  std::vector<std::int64_t> out;
  for (const ModelId model : models) {
    const auto handle = handle_of(model, stop);
    if (!handle) return handle.error();
    out.push_back(*handle);
  }
  return out;
}

Result<PairTiming> Runtime::time_pair(ModelId a, ModelId b, const PairPlan& plan,
                                      std::stop_token stop) {
  const auto handles = handles_of(std::array{a, b}, stop);
  if (!handles) return handles.error();
  Json request = in_turn("pair", plan);
  request["a"] = handles->front();
  request["b"] = handles->back();
  auto answer = ask({std::move(request)}, stop);
  if (!answer) return std::move(answer).error();
  auto timing = reading(answer->json, [](const Json& json) {
    return PairTiming{to_ms(json.at("a_ns").get<std::vector<std::int64_t>>()),
                      to_ms(json.at("b_ns").get<std::vector<std::int64_t>>()), clocks_from(json)};
  });
  if (!timing) return timing;
  if (!are_of(plan, timing->a_ms) || !are_of(plan, timing->b_ms)) return wrong_times();
  return timing;
}

Result<std::vector<std::vector<double>>> Runtime::time_together(std::span<const ModelId> models,
                                                                const PairPlan& plan,
                                                                std::stop_token stop) {
  if (!offers_rounds_) return Backend::time_together(models, plan, std::move(stop));
  const auto handles = handles_of(models, stop);
  if (!handles) return handles.error();
  Json request = in_turn("together", plan);
  request["handles"] = *handles;
  auto answer = ask({std::move(request)}, stop);
  if (!answer) return std::move(answer).error();
  const auto ns = reading(answer->json, [](const Json& json) {
    return json.at("ns").get<std::vector<std::vector<std::int64_t>>>();
  });
  if (!ns) return ns.error();
  std::vector<std::vector<double>> out;
  for (const auto& samples : *ns) out.push_back(to_ms(samples));
  const bool are_whole =
      std::ranges::all_of(out, [&](const std::vector<double>& ms) { return are_of(plan, ms); });
  if (out.size() != models.size() || !are_whole) return wrong_times();
  return out;
}

Result<OperatorProfile> Runtime::profile(ModelId model, const ProfilePlan& plan,
                                         std::stop_token stop) {
  PET_CHECK(plan.runs > 0 && plan.warmup >= 0, "a plan has runs");
  const auto handle = handle_of(model, stop);
  if (!handle) return handle.error();
  if (!offers_profiles_) return Backend::profile(model, plan, std::move(stop));
  auto answer = ask({Json{{"op", "profile"},
                          {"handle", *handle},
                          {"runs", plan.runs},
                          {"warmup", plan.warmup},
                          {"seconds", plan.seconds},
                          {"evict_mib", plan.evict_mib},
                          {"seed", plan.seed}}},
                    stop);
  if (!answer) return std::move(answer).error();
  auto profile = reading(answer->json, profile_from);
  if (profile && !is_whole(*profile, plan)) {
    return Error{"the worker answered a profile that is not what was asked for", ErrorKind::Tool};
  }
  return profile;
}

}  // namespace pet
