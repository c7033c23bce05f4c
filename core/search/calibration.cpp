#include "core/search/calibration.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/cost/analytic.h"

namespace pet {
namespace {

// The mean of what is left to explain, as if there were one more observation that says 0.
class ShrunkMean {
 public:
  void add(double value) {
    sum_ += value;
    ++count_;
  }
  double value() const { return sum_ / (static_cast<double>(count_) + 1); }

 private:
  double sum_ = 0;
  std::size_t count_ = 0;
};

template <typename Key>
double effect(const std::map<Key, double>& effects, const Key& key) {
  const auto it = effects.find(key);
  return it == effects.end() ? 0 : it->second;
}

}  // namespace

// By turns each part explains what the others leave.
Calibration::Calibration(const std::vector<Observation>& observations) {
  const auto error = [](const Observation& o) {
    const double most = std::log(8.0);  // beyond it something else went wrong than the estimate
    return std::clamp(std::log(o.measured / o.estimated), -most, most);
  };
  constexpr int kTurns = 8;
  for (int turn = 0; turn < kTurns; ++turn) {
    ShrunkMean common;
    for (const Observation& o : observations)
      common.add(error(o) - effect(of_number_, o.number) - effect(of_kind_, o.kind));
    common_ = common.value();
    std::map<std::string, ShrunkMean> of_kind;
    for (const Observation& o : observations)
      of_kind[o.kind].add(error(o) - common_ - effect(of_number_, o.number));
    for (const auto& [kind, mean] : of_kind) of_kind_[kind] = mean.value();
    std::map<std::size_t, ShrunkMean> of_number;
    for (const Observation& o : observations)
      of_number[o.number].add(error(o) - common_ - effect(of_kind_, o.kind));
    for (const auto& [number, mean] : of_number) of_number_[number] = mean.value();
  }
  // Before anything is known estimates are taken to be a third off.
  constexpr double kGuess = 0.3, kWeight = 2;
  double squares = kWeight * kGuess * kGuess;
  for (const Observation& o : observations) {
    const double left = error(o) - std::log(factor(o.number, o.kind));
    squares += left * left;
  }
  spread_ = std::sqrt(squares / (static_cast<double>(observations.size()) + kWeight));
}

double Calibration::factor(std::size_t number, const std::string& kind) const {
  return std::exp(common_ + effect(of_number_, number) + effect(of_kind_, kind));
}

std::string Calibration::kind_of(const Graph& program) {
  std::set<std::string> names;
  const auto depends = program.depends_on_inputs();
  for (const NodeId id : program.ids()) {
    const Node& node = program.node(id);
    if (node.op() != nullptr && depends[id.index()] != 0 && !is_free_view(program, id))
      names.emplace(node.op()->def->name);
  }
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

}  // namespace pet
