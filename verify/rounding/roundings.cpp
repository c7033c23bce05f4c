#include "verify/rounding/roundings.h"

#include "core/util/rng.h"

namespace pet {
namespace {

std::vector<PrimeField> two_primes() {
  KeyStream keys(Digester("roundings").finish(), 0);
  return draw_primes(keys, 2);
}

}  // namespace

Roundings::Roundings(const GraphCode& program, std::size_t threads, const std::stop_token& stop)
    : code_(program), graph_(program.graph()), evaluator_(two_primes(), Digest{}, threads, stop) {}

Result<std::vector<std::vector<Hash128>>> Roundings::digests(NodeId id) {
  tensors_.clear();
  for (const NodeId moved : moved_on_the_way_to(id)) {
    auto tensor = of(moved);
    if (!tensor) return std::move(tensor).error();
    tensors_.emplace(moved, *std::move(tensor));
  }
  return evaluator_.argument_digests(*code_.at(id), operands_of(id));
}

bool Roundings::is_moved(NodeId id) const {
  return graph_.has_meaning(id) && is_data_movement(graph_.meaning(id));
}

std::set<NodeId> Roundings::moved_on_the_way_to(NodeId id) const {
  std::set<NodeId> out;
  std::vector<NodeId> open = graph_.node(id).operands;
  while (!open.empty()) {
    const NodeId next = open.back();
    open.pop_back();
    if (!out.insert(next).second || !is_moved(next)) continue;
    const auto& operands = graph_.node(next).operands;
    open.insert(open.end(), operands.begin(), operands.end());
  }
  return out;
}

std::vector<const ResidueTensor*> Roundings::operands_of(NodeId id) const {
  std::vector<const ResidueTensor*> out;
  for (const NodeId operand : graph_.node(id).operands) out.push_back(&tensors_.at(operand));
  return out;
}

Result<ResidueTensor> Roundings::of(NodeId id) const {
  if (is_moved(id)) return evaluator_.evaluate(*code_.at(id), operands_of(id));
  const Node& node = graph_.node(id);
  if (!node.type.shape) return Error{"a tensor of unknown shape", ErrorKind::Unsupported};
  ResidueTensor out(*node.type.shape, evaluator_.ring().lanes());
  const Tensor* tensor = node.constant();
  const bool is_numbers =
      tensor != nullptr && node.type.dtype == DType::Float && tensor->all_finite();
  Rng rng(Digester("rounding").add(std::uint64_t{id.value}).finish().word());
  for (std::size_t lane = 0; lane < out.lanes(); ++lane) {
    const PrimeField& field = evaluator_.ring().field(lane);
    if (is_numbers) {
      field.residues(tensor->floats(), out.lane(lane));
    } else {
      for (std::uint32_t& x : out.lane(lane)) x = field.residue(rng.next());
    }
  }
  return out;
}

}  // namespace pet
