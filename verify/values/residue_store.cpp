#include "verify/values/residue_store.h"

#include <algorithm>

#include "core/util/parallel.h"

namespace pet {
namespace {

constexpr std::size_t kShareOfWeights = 4;  // a quarter of the memory

std::size_t bytes_of(const ResidueTensor& tensor) { return tensor.values().size_bytes(); }

}  // namespace

ResidueStore::ResidueStore(const ValueTable& table, const PairCode& code,
                           const ResidueEvaluator& evaluator, const Digest& secret,
                           std::size_t memory_bytes, std::stop_token stop)
    : table_(table),
      code_(code),
      evaluator_(evaluator),
      secret_(secret),
      memory_bytes_(memory_bytes),
      stop_(std::move(stop)) {}

Result<ResidueStore::Residues> ResidueStore::residues(ValueId id) {
  if (const auto it = kept_.find(id); it != kept_.end()) return it->second;
  return make({.id = id});
}

Result<Digest> ResidueStore::digest(ValueId id) {
  if (const auto it = digests_.find(id); it != digests_.end()) return it->second;
  if (auto made = make({.id = id, .is_digest = true}); !made) return std::move(made).error();
  return digests_.at(id);
}

// Depth first with an explicit stack: how deep it goes depends on the model.
Result<ResidueStore::Residues> ResidueStore::make(Wanted wanted) {
  std::vector<Wanted> stack;
  stack.push_back(std::move(wanted));
  for (;;) {
    if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    if (auto missing = still_missing(stack.back())) {
      stack.push_back(*std::move(missing));
      continue;
    }
    auto made = finished(stack.back());
    if (!made) return made;
    stack.pop_back();
    if (stack.empty()) return made;
    if (*made != nullptr) stack.back().held.push_back(*std::move(made));
  }
}

// What it needs first; takes what is there.
std::optional<ResidueStore::Wanted> ResidueStore::still_missing(Wanted& wanted) const {
  const Node& node = table_.node(wanted.id);
  const auto take = [&](ValueId id) {
    const auto it = kept_.find(id);
    if (it != kept_.end()) wanted.held.push_back(it->second);
    return it != kept_.end();
  };
  if (wanted.is_digest && node.type.shape) {
    if (!wanted.held.empty() || take(wanted.id)) return std::nullopt;
    return Wanted{.id = wanted.id};
  }
  const auto& operands = table_.value(wanted.id).operands;
  if (is_opaque(node)) {
    while (wanted.next < operands.size() && digests_.contains(operands[wanted.next])) ++wanted.next;
    if (wanted.next == operands.size()) return std::nullopt;
    return Wanted{.id = operands[wanted.next], .is_digest = true};
  }
  while (wanted.held.size() < operands.size()) {
    const ValueId operand = operands[wanted.held.size()];
    if (!take(operand)) return Wanted{.id = operand};
  }
  return std::nullopt;
}

// Null: a digest, which is noted.
Result<ResidueStore::Residues> ResidueStore::finished(const Wanted& wanted) {
  if (!wanted.is_digest) {
    auto tensor = compute(wanted.id, wanted.held);
    if (tensor) keep(wanted.id, *tensor);
    return tensor;
  }
  auto digest = wanted.held.empty() ? digest_of_unknown_shape(wanted.id)
                                    : digest_of(table_.node(wanted.id).type, *wanted.held[0]);
  if (!digest) return std::move(digest).error();
  digests_[wanted.id] = *digest;
  return Residues{};
}

Result<ResidueStore::Residues> ResidueStore::compute(ValueId id,
                                                     const std::vector<Residues>& held) {
  const Value& value = table_.value(id);
  const Node& node = table_.node(id);
  ++evaluated_;
  if (is_opaque(node)) {
    const Digest key = Digester("opaque result").add(secret_).add(opaque_digest(id)).finish();
    auto drawn = random_residues(key, *node.type.shape);
    if (!drawn) return std::move(drawn).error();
    return std::make_shared<const ResidueTensor>(*std::move(drawn));
  }
  if (node.op() == nullptr) {
    auto made = leaf(value, node);
    if (!made) return std::move(made).error();
    return std::make_shared<const ResidueTensor>(*std::move(made));
  }
  std::vector<const ResidueTensor*> operands;
  for (const auto& operand : held) operands.push_back(operand.get());
  auto result = evaluator_.evaluate(*code_.of(value), operands);
  if (!result) return std::move(result).error();
  return std::make_shared<const ResidueTensor>(*std::move(result));
}

Result<ResidueTensor> ResidueStore::random_residues(const Digest& key, const Shape& shape) const {
  const ResidueRing& ring = evaluator_.ring();
  ResidueTensor out(shape, ring.lanes());
  parallel_for(ring.lanes(), evaluator_.threads(), [&](std::size_t lane) {
    std::vector<std::uint64_t> words(std::min<std::size_t>(4096, out.size()));
    KeyStream stream(key, lane);
    const auto values = out.lane(lane);
    for (std::size_t first = 0; first < values.size() && !stop_.stop_requested();
         first += words.size()) {
      const std::size_t number = std::min(words.size(), values.size() - first);
      stream.fill(std::span(words).first(number));
      for (std::size_t i = 0; i < number; ++i)
        values[first + i] = ring.field(lane).reduce(words[i]);
    }
  });
  if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  return out;
}

Result<ResidueTensor> ResidueStore::leaf(const Value& value, const Node& node) const {
  if (!node.type.shape) return Error{"the shape of an input is unknown", ErrorKind::Unsupported};
  Digester key("variable");
  key.add(secret_);
  if (const InputLeaf* input = node.input()) {
    key.add("input").add(input->name).add(to_string(node.type));
    return random_residues(key.finish(), *node.type.shape);
  }
  const Tensor& tensor = *node.constant();
  if (value.role == ConstantRole::Symbol) {
    key.add("symbol").add(tensor.digest());
    return random_residues(key.finish(), tensor.shape());
  }
  ResidueTensor out(tensor.shape(), evaluator_.ring().lanes());
  parallel_for(out.lanes(), evaluator_.threads(), [&](std::size_t lane) {
    evaluator_.ring().field(lane).residues(tensor.floats(), out.lane(lane));
  });
  return out;
}

Digest ResidueStore::opaque_digest(ValueId id) const {
  const Value& value = table_.value(id);
  Digester digester("opaque");
  digest_into(digester, *table_.node(id).op());
  digester.add(static_cast<std::uint64_t>(value.operands.size()));
  for (const ValueId operand : value.operands) digester.add(digests_.at(operand));
  return digester.finish();
}

Result<std::vector<std::vector<Hash128>>> ResidueStore::argument_digests(ValueId id) {
  const Value& value = table_.value(id);
  std::vector<std::shared_ptr<const ResidueTensor>> held;
  std::vector<const ResidueTensor*> operands;
  for (const ValueId operand : value.operands) {
    auto tensor = residues(operand);
    if (!tensor) return std::move(tensor).error();
    held.push_back(*std::move(tensor));
    operands.push_back(held.back().get());
  }
  return evaluator_.argument_digests(*code_.of(value), operands);
}

// Opaque nodes of unknown shape can only follow one another, or an input.
Digest ResidueStore::digest_of_unknown_shape(ValueId id) const {
  const Node& node = table_.node(id);
  if (const InputLeaf* input = node.input())
    return Digester("input").add(to_string(node.type)).add(input->name).finish();
  return Digester("value").add(to_string(node.type)).add(opaque_digest(id)).finish();
}

Result<Digest> ResidueStore::digest_of(const TensorType& type, const ResidueTensor& tensor) const {
  Digester digester("value");
  digester.add(to_string(type));
  constexpr std::size_t kFew = 4096;        // elements: not worth a digest a lane
  constexpr std::size_t kAtOnce = 1 << 18;  // between two looks at whether to stop
  if (tensor.size() <= kFew) {
    digester.add(std::as_bytes(tensor.values()));
    return digester.finish();
  }
  std::vector<Digest> by_lane(tensor.lanes());
  parallel_for(tensor.lanes(), evaluator_.threads(), [&](std::size_t lane) {
    Digester of_lane("lane");
    auto rest = tensor.lane(lane);
    while (!rest.empty() && !stop_.stop_requested()) {
      const auto piece = rest.first(std::min(kAtOnce, rest.size()));
      of_lane.add(std::as_bytes(piece));
      rest = rest.subspan(piece.size());
    }
    by_lane[lane] = of_lane.finish();
  });
  if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  for (const Digest& lane : by_lane) digester.add(lane);
  return digester.finish();
}

bool ResidueStore::has_room_for_all() const {
  const std::size_t bytes = evaluator_.ring().lanes() * sizeof(ResidueRing::Element);
  return code_.elements() * static_cast<double>(bytes) <= static_cast<double>(memory_bytes_);
}

void ResidueStore::release_all_but(const std::set<ValueId>& values) {
  for (Queue* queue : {&of_weights_, &of_others_}) {
    std::deque<ValueId> left;
    for (const ValueId id : queue->order) {
      if (values.contains(id)) {
        left.push_back(id);
        continue;
      }
      const auto it = kept_.find(id);
      queue->bytes -= bytes_of(*it->second);
      kept_.erase(it);
    }
    queue->order = std::move(left);
  }
}

bool ResidueStore::is_weight(ValueId id) const {
  const Value& value = table_.value(id);
  const Node& node = table_.node(id);
  if (node.input() != nullptr || is_opaque(node)) return false;
  return std::all_of(value.operands.begin(), value.operands.end(),
                     [&](ValueId operand) { return weights_.contains(operand); });
}

void ResidueStore::keep(ValueId id, std::shared_ptr<const ResidueTensor> tensor) {
  const bool weight = is_weight(id);
  if (weight) weights_.insert(id);
  Queue& own = weight ? of_weights_ : of_others_;
  own.bytes += bytes_of(*tensor);
  kept_.emplace(id, std::move(tensor));
  own.order.push_back(id);
  while (of_weights_.bytes + of_others_.bytes > memory_bytes_ && kept_.size() > 1) {
    Queue& first = of_weights_.bytes > memory_bytes_ / kShareOfWeights || of_others_.order.empty()
                       ? of_weights_
                       : of_others_;
    const auto it = kept_.find(first.order.front());
    first.bytes -= bytes_of(*it->second);
    kept_.erase(it);
    first.order.pop_front();
  }
}

}  // namespace pet
