#include "core/backend/measured_costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>

#include "core/backend/scratch_folder.h"
#include "core/ir/copy.h"
#include "core/onnx/export.h"
#include "core/ops/ops.h"
#include "core/util/append_line.h"
#include "core/util/median.h"

namespace pet {
namespace {

// A window around one operator, and the same without it.
class Windows {
 public:
  Windows(const Graph& alone, bool own_layout) : alone_(alone), own_layout_(own_layout) {}

  Result<Graph> with() const {
    GraphBuilder builder;
    const auto instead = [&](NodeId id) -> Result<Instead> {
      if (alone_.node(id).input() == nullptr) return Instead(AsItIs{});
      return Instead(bordered(builder, add_input(builder, id)));
    };
    GraphCopy copy(alone_, builder, {.instead = instead});
    if (auto made = copy.make(alone_.outputs().front()); !made) return std::move(made).error();
    builder.add_output(bordered(builder, copy.at(alone_.outputs().front())));
    return std::move(builder).build();
  }

  // What stands before it and what stands behind it, by themselves.
  Result<Graph> without() const {
    GraphBuilder builder;
    for (const NodeId id : alone_.inputs())
      builder.add_output(bordered(builder, add_input(builder, id)));
    const TensorType& result = alone_.node(alone_.outputs().front()).type;
    builder.add_output(bordered(builder, builder.add_input("result", result)));
    return std::move(builder).build();
  }

 private:
  NodeId add_input(GraphBuilder& builder, NodeId id) const {
    return builder.add_input(alone_.node(id).input()->name, alone_.node(id).type);
  }

  NodeId bordered(GraphBuilder& builder, NodeId value) const {
    const TensorType& type = builder.type(value);
    if (type.dtype != DType::Float) return value;
    const auto found = own_layout_ ? ops::conv().stand_in(*type.shape) : std::nullopt;
    if (!found) return *builder.add(ops::relu(), {}, {value});
    std::vector<float> half(static_cast<std::size_t>(count(found->weight)), 0.5F);
    const NodeId weight = builder.add_constant(
        std::make_shared<const Tensor>(Tensor::of_floats(found->weight, std::move(half))));
    return *builder.add(found->op, {value, weight});
  }

  const Graph& alone_;
  bool own_layout_;
};

// Both loaded, for as long as this lives.
class LoadedPair {
 public:
  LoadedPair(Backend& backend, LoadOptions options)
      : backend_(backend), options_(std::move(options)) {}
  ~LoadedPair() {
    for (const LoadedModel& model : models_) backend_.unload(model.id);
  }
  LoadedPair(const LoadedPair&) = delete;
  LoadedPair& operator=(const LoadedPair&) = delete;

  Status add(const std::filesystem::path& file, const std::stop_token& stop) {
    auto loaded = backend_.load(file, options_, stop);
    if (!loaded) return std::move(loaded).error();
    models_.push_back(*std::move(loaded));
    return Done{};
  }
  ModelId at(std::size_t number) const { return models_[number].id; }

 private:
  Backend& backend_;
  LoadOptions options_;
  std::vector<LoadedModel> models_;
};

// Rounds are pairs: what drifts falls on both.
double difference(const PairTiming& timing) {
  std::vector<double> out;
  for (std::size_t i = 0; i < timing.a_ms.size(); ++i)
    out.push_back(timing.a_ms[i] - timing.b_ms[i]);
  return std::max(median(out), 0.0);
}

std::string check_of(const std::string& key, const std::string& ms) {
  return Digester("operator cost").add(key).add(ms).finish().hex();
}

std::optional<double> number_of(const std::string& text) {
  double out = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (failed != std::errc() || end != text.data() + text.size() || !std::isfinite(out) || out < 0)
    return std::nullopt;
  return out;
}

}  // namespace

MeasuredCosts::MeasuredCosts(Backend* backend, OperatorCosts& estimates, Options options)
    : backend_(backend), estimates_(estimates), options_(std::move(options)) {
  load();
}

std::string MeasuredCosts::key_of(const PricedOperator& priced) const {
  return Digester("operator cost of")
      .add(digest_of(priced).hex())
      .add(options_.context)
      .add(static_cast<std::uint64_t>(options_.threads))
      .finish()
      .hex();
}

// Lines of the form KEY CHECK MS. What is torn or altered is none.
void MeasuredCosts::load() {
  if (!options_.database) return;
  constexpr std::size_t kHex = 64;
  std::ifstream in(*options_.database);
  for (std::string line; std::getline(in, line);) {
    if (line.size() <= 2 * kHex + 2) continue;
    const std::string key = line.substr(0, kHex);
    const std::string ms = line.substr(2 * kHex + 2);
    const auto number = number_of(ms);
    if (number && line.substr(kHex + 1, kHex) == check_of(key, ms))
      known_[key] = {*number, From::Remembered};
  }
}

void MeasuredCosts::remember(const std::string& key, double ms) const {
  if (!options_.database) return;
  const std::string text = fmt::format("{}", ms);
  append_line(*options_.database, fmt::format("{} {} {}", key, check_of(key, text), text));
}

MeasuredCosts::Answer MeasuredCosts::answer(const PricedOperator& priced) {
  const std::string key = key_of(priced);
  if (const auto it = known_.find(key); it != known_.end()) return it->second;
  const double estimate = estimates_.ms(priced);
  Answer out{estimate, estimate == 0 ? From::View : From::Estimated};
  if (out.from == From::View) return known_[key] = out;
  if (const auto ms = measured(priced)) {
    out = {*ms, From::Measured};
    remember(key, *ms);
  }
  // What a stop cut short may be asked again.
  if (!options_.stop.stop_requested()) known_[key] = out;
  return out;
}

Result<double> MeasuredCosts::measured(const PricedOperator& priced) {
  if (backend_ == nullptr) return Error{"nothing is measured", ErrorKind::Unsupported};
  const auto alone = program_of(priced);
  if (!alone) return alone.error();
  const Windows windows(*alone, priced.among_own_layout);
  const auto folder = ScratchFolder::make("pet-operator");
  if (!folder) return folder.error();
  LoadedPair pair(*backend_, {.threads = options_.threads});
  const std::array programs = {windows.with(), windows.without()};
  for (std::size_t i = 0; i < programs.size(); ++i) {
    if (!programs[i]) return programs[i].error();
    const auto file = folder->path() / fmt::format("{}.onnx", i);
    if (auto done = write_program(*programs[i], options_.opset, file); !done)
      return std::move(done).error();
    if (auto done = pair.add(file, options_.stop); !done) return std::move(done).error();
  }
  PairPlan plan{.rounds = options_.rounds, .warmup = 2};
  plan.seed = options_.seed;
  const auto timing = backend_->time_pair(pair.at(0), pair.at(1), plan, options_.stop);
  if (!timing) return timing.error();
  return difference(*timing);
}

}  // namespace pet
