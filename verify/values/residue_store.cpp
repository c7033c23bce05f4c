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

Result<std::shared_ptr<const ResidueTensor>> ResidueStore::residues(ValueId id) {
  // Depth first with an explicit stack: how deep it goes depends on the model. A frame holds the
  // operands it has, so that they live until it is computed even where the store has no room for
  // them.
  struct Frame {
    ValueId id;
    std::vector<std::shared_ptr<const ResidueTensor>> operands;
  };
  if (const auto it = kept_.find(id); it != kept_.end()) return it->second;
  std::vector<Frame> stack;
  stack.push_back({id, {}});
  for (;;) {
    if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
    Frame& top = stack.back();
    const bool opaque = is_opaque(table_.node(top.id));
    const auto& needed = table_.value(top.id).operands;
    if (!opaque && top.operands.size() < needed.size()) {
      const ValueId next = needed[top.operands.size()];
      const auto it = kept_.find(next);
      if (it != kept_.end()) {
        top.operands.push_back(it->second);
      } else {
        stack.push_back({next, {}});
      }
      continue;
    }
    auto tensor = compute(top.id, top.operands);
    if (!tensor) return tensor;
    keep(top.id, *tensor);
    stack.pop_back();
    if (stack.empty()) return tensor;
    stack.back().operands.push_back(*tensor);
  }
}

Result<std::shared_ptr<const ResidueTensor>> ResidueStore::compute(
    ValueId id, const std::vector<std::shared_ptr<const ResidueTensor>>& held) {
  const Value& value = table_.value(id);
  const Node& node = table_.node(id);
  ++evaluated_;
  if (is_opaque(node)) {
    const auto what = opaque_digest(id);
    if (!what) return what.error();
    const Digest key = Digester("opaque result").add(secret_).add(*what).finish();
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

Result<Digest> ResidueStore::opaque_digest(ValueId id) {
  const Value& value = table_.value(id);
  Digester digester("opaque");
  digest_into(digester, *table_.node(id).op());
  digester.add(static_cast<std::uint64_t>(value.operands.size()));
  for (const ValueId operand : value.operands) {
    const auto operand_digest = digest(operand);
    if (!operand_digest) return operand_digest.error();
    digester.add(*operand_digest);
  }
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

Result<Digest> ResidueStore::digest(ValueId id) {
  if (const auto it = digests_.find(id); it != digests_.end()) return it->second;
  const Node& node = table_.node(id);
  Digester digester("value");
  digester.add(to_string(node.type));
  if (!node.type.shape) {
    // Opaque nodes of unknown shape can only follow one another; go down first so that the
    // recursion stays shallow.
    std::vector<ValueId> chain = {id};
    while (!chain.empty()) {
      const ValueId top = chain.back();
      const auto& operands = table_.value(top).operands;
      const auto open = std::find_if(operands.begin(), operands.end(), [&](ValueId o) {
        return !table_.node(o).type.shape && !digests_.contains(o);
      });
      if (open != operands.end()) {
        chain.push_back(*open);
        continue;
      }
      chain.pop_back();
      if (const InputLeaf* input = table_.node(top).input()) {
        digests_[top] =
            Digester("input").add(to_string(table_.node(top).type)).add(input->name).finish();
        continue;
      }
      const auto what = opaque_digest(top);
      if (!what) return what.error();
      digests_[top] = Digester("value").add(to_string(table_.node(top).type)).add(*what).finish();
    }
    return digests_.at(id);
  }
  const auto tensor = residues(id);
  if (!tensor) return tensor.error();
  constexpr std::size_t kFew = 4096;        // elements: not worth a digest a lane
  constexpr std::size_t kAtOnce = 1 << 18;  // between two looks at whether to stop
  if ((*tensor)->size() <= kFew) {
    digester.add(std::as_bytes((*tensor)->values()));
    return digests_[id] = digester.finish();
  }
  std::vector<Digest> by_lane((*tensor)->lanes());
  parallel_for((*tensor)->lanes(), evaluator_.threads(), [&](std::size_t lane) {
    Digester of_lane("lane");
    auto rest = (*tensor)->lane(lane);
    while (!rest.empty() && !stop_.stop_requested()) {
      const auto piece = rest.first(std::min(kAtOnce, rest.size()));
      of_lane.add(std::as_bytes(piece));
      rest = rest.subspan(piece.size());
    }
    by_lane[lane] = of_lane.finish();
  });
  if (stop_.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  for (const Digest& lane : by_lane) digester.add(lane);
  return digests_[id] = digester.finish();
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
