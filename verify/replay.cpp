#include "verify/replay.h"

#include <algorithm>
#include <cmath>

#include "core/eval/evaluate.h"
#include "core/util/rng.h"

namespace pet {
namespace {

template <class T>
LaneTensor<T> drawn(const std::string& name, const Shape& shape, std::uint64_t seed) {
  const Digest digest = Digester("witness input").add(name).add(seed).finish();
  std::uint64_t key = 0;
  for (int i = 0; i < 8; ++i) key = key << 8 | digest.bytes[static_cast<std::size_t>(i)];
  Rng rng(key);
  LaneTensor<T> out(shape, 1);
  for (T& x : out.lanes[0]) x = static_cast<T>(static_cast<float>(rng.normal()));
  return out;
}

template <class T>
Result<std::vector<std::vector<T>>> run(const Graph& graph, std::uint64_t seed, std::size_t threads,
                                        const std::stop_token& stop) {
  const RealEvaluator<T> evaluator(Signs::Signed, Functions::Computed, threads);
  const auto users = graph.consumers();
  std::vector<std::size_t> uses(graph.nodes().size());
  for (const NodeId id : graph.ids()) uses[id.index()] = users[id.index()].size();
  for (const NodeId output : graph.outputs()) ++uses[output.index()];
  std::vector<LaneTensor<T>> values(graph.nodes().size());
  for (const NodeId id : graph.ids()) {
    if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    const Node& node = graph.node(id);
    if (uses[id.index()] == 0) continue;
    if (!node.type.shape || node.type.dtype != DType::Float) return Error{"not a float program", ErrorKind::Unsupported};
    if (const InputLeaf* input = node.input()) {
      values[id.index()] = drawn<T>(input->name, *node.type.shape, seed);
    } else if (const Tensor* tensor = node.constant()) {
      values[id.index()] = LaneTensor<T>(tensor->shape(), 1);
      std::copy(tensor->floats().begin(), tensor->floats().end(), values[id.index()].lanes[0].begin());
    } else if (!graph.has_meaning(id)) {
      return Error{"an operator without a meaning", ErrorKind::Unsupported};
    } else {
      std::vector<const LaneTensor<T>*> operands;
      for (const NodeId operand : node.operands) operands.push_back(&values[operand.index()]);
      auto result = evaluator.evaluate(graph.meaning(id), operands);
      if (!result) return std::move(result).error();
      values[id.index()] = *std::move(result);
      for (const NodeId operand : node.operands) {
        if (--uses[operand.index()] == 0) values[operand.index()] = {};
      }
    }
  }
  std::vector<std::vector<T>> outputs;
  for (const NodeId output : graph.outputs()) outputs.push_back(values[output.index()].lanes[0]);
  return outputs;
}

}  // namespace

Result<RealOutputs> run_reals(const Graph& graph, std::uint64_t seed, std::size_t threads, std::stop_token stop) {
  auto fine = run<long double>(graph, seed, threads, stop);
  if (!fine) return std::move(fine).error();
  auto coarse = run<double>(graph, seed, threads, stop);
  if (!coarse) return std::move(coarse).error();
  return RealOutputs{*std::move(fine), *std::move(coarse)};
}

bool clearly_differ(long double a, double a_coarse, long double b, double b_coarse, long double scale) {
  if (!std::isfinite(a) || !std::isfinite(b)) return false;
  // What double loses against long double is about 2^11 times what long double loses.
  const long double lost = std::abs(a - static_cast<long double>(a_coarse)) + std::abs(b - static_cast<long double>(b_coarse));
  return std::abs(a - b) > 64 * lost + scale * 0x1p-50L;
}

}  // namespace pet
