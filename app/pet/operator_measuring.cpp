#include "app/pet/operator_measuring.h"

#include <fmt/format.h>

#include "app/common/machine.h"
#include "core/backend/cached_profiler.h"
#include "core/backend/measuring_profiler.h"

namespace pet::app {
namespace {

std::optional<std::filesystem::path> database(const std::string& cache) {
  if (cache == "off") return std::nullopt;
  if (!cache.empty()) return cache;
  const auto beside = default_measurements();
  if (!beside) return std::nullopt;
  return beside->parent_path() / "operator_costs.txt";
}

}  // namespace

MeasuredCosts::Options operator_measuring(const Model& model, const BackendInfo& runtime,
                                          const std::vector<std::string>& worker,
                                          const LoadOptions& load, const std::string& cache,
                                          std::stop_token stop) {
  const auto context = measuring_context(runtime, {.load = load}, worker);
  MeasuredCosts::Options out{.opset = model.opset(), .stop = std::move(stop)};
  out.threads = load.threads;
  out.database = database(cache);
  out.context = fmt::format("{} {} {} {}", context.backend.name, context.backend.version,
                            context.backend.device, context.plan);
  return out;
}

}  // namespace pet::app
