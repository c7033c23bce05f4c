#include "core/program/point_reader.h"

#include <map>

namespace pet {
namespace {

Digest random_digest(Rng& rng) {
  const std::uint64_t first = rng.next();
  return Digester("fingerprint").add(first).add(rng.next()).finish();
}

PrimeField random_field(const Digest& key) {
  KeyStream keys(key, 0);
  return PrimeField(draw_primes(keys, 1).front());
}

// Constants are shared by all mutants; what stands for one is found once.
Leaves remembered(Leaves leaves) {
  auto known = std::make_shared<std::map<Digest, LeafElements>>();
  return [known, leaves = std::move(leaves)](const Node& node) {
    if (node.constant() == nullptr) return leaves(node);
    LeafElements& elements = (*known)[node.constant()->digest()];
    if (!elements) elements = leaves(node);
    return elements;
  };
}

}  // namespace

DrawnLeaves::DrawnLeaves(const Graph& program, Rng& rng)
    : original(program),
      field(random_field(random_digest(rng))),
      secret(random_digest(rng)),
      leaves(remembered(random_leaves(field, secret, original))) {}

PointReader::PointReader(const DrawnLeaves& drawn, const Graph& program, std::uint64_t most_steps)
    : program_(program),
      slow_(program, drawn.field, drawn.leaves, drawn.secret, most_steps),
      fast_(LinearPoints::of(program, drawn.field, drawn.leaves,
                             [this](NodeId id) { return computed(id); })) {
  if (fast_) fast_->limit(most_steps);
}

Result<std::uint32_t> PointReader::value(std::size_t output, Dim position) {
  if (!fast_) return slow_.value(program_.outputs()[output], position);
  auto one = values(output, {&position, 1});
  if (!one) return std::move(one).error();
  return one->front();
}

Result<std::vector<std::uint32_t>> PointReader::values(std::size_t output,
                                                       std::span<const Dim> positions) {
  if (!fast_) return Error{"the program has element functions", ErrorKind::Unsupported};
  auto values = fast_->values(program_.outputs()[output], positions);
  if (!values) return Error{"evaluating a point takes too many steps", ErrorKind::Tool};
  if (error_) return *error_;
  return *std::move(values);
}

// What weights are computed from, a normalisation's factors say: every element once.
LeafElements PointReader::computed(NodeId id) {
  auto known = std::make_shared<std::map<Dim, std::uint32_t>>();
  return [this, id, known](Dim flat) {
    const auto [it, is_new] = known->try_emplace(flat, 0);
    if (!is_new) return it->second;
    const auto value = slow_.value(id, flat);
    if (value) it->second = *value;
    if (!value && !error_) error_ = value.error();
    return it->second;
  };
}

}  // namespace pet
