#include "core/egraph/egraph.h"

#include <algorithm>

#include "core/ir/known_numbers.h"
#include "core/util/check.h"

namespace pet::egraph {

std::size_t EGraph::KeyHash::operator()(const Key& key) const {
  std::uint64_t hash = key.what.value * 0x9E3779B97F4A7C15ULL + 1;
  for (const ClassId operand : key.operands) {
    hash ^= operand.value + 0x9E3779B97F4A7C15ULL + (hash << 6) + (hash >> 2);
    hash *= 0xBF58476D1CE4E5B9ULL;
  }
  return hash ^ (hash >> 29);
}

OperatorId EGraph::intern(const Operator& what) {
  const auto [it, is_new] = by_digest_->emplace(what.digest, OperatorId(operators_->size()));
  if (is_new) operators_->push_back(what);
  return it->second;
}

ClassId EGraph::find(ClassId id) const {
  ClassId root = id;
  while (parent_[root.index()] != root) root = parent_[root.index()];
  while (parent_[id.index()] != root) id = std::exchange(parent_[id.index()], root);
  return root;
}

std::vector<ClassId> EGraph::operands(ENodeId id) const {
  std::vector<ClassId> out;
  for (const ClassId operand : node(id).operands) out.push_back(find(operand));
  return out;
}

bool EGraph::is_weight(ENodeId id) const {
  const Operator& of = what(id);
  if (of.input() != nullptr) return false;
  if (of.constant() != nullptr) return true;
  // What an operator without a meaning yields may be anything.
  if (of.op()->def->lower == nullptr) return false;
  return std::ranges::all_of(node(id).operands, [this](ClassId c) { return at(c).is_weight; });
}

KnownNumbers EGraph::known_numbers(ENodeId id) const {
  const Op* op = what(id).op();
  if (op == nullptr || !op->def->by_numbers) return {};
  KnownNumbers out(node(id).operands.size());
  for (const std::size_t place : op->def->by_numbers->operands)
    if (place < out.size()) out[place] = at(node(id).operands[place]).number;
  return out;
}

std::vector<TensorType> EGraph::operand_types(ENodeId id) const {
  std::vector<TensorType> out;
  for (const ClassId operand : node(id).operands) out.push_back(at(operand).type);
  return out;
}

ENodeId EGraph::make(Key key, const TensorType& type, std::size_t made_by) {
  const ENodeId id(nodes_.size());
  const ClassId own(id.index());
  nodes_.push_back({key.what, key.operands, made_by, false});
  parent_.push_back(own);
  forest_.push_back({id, kCongruence});
  EClass& made = classes_.emplace_back();
  made.type = type;
  made.nodes = {id};
  made.is_weight = is_weight(id);
  if (const Tensor* constant = what(id).constant()) made.number = known_number(*constant);
  for (const ClassId operand : key.operands) {
    auto& readers = classes_[operand.index()].readers;
    if (readers.empty() || readers.back() != id) readers.push_back(id);
  }
  made_.emplace(std::move(key), id);
  ++class_count_;
  ++node_count_;
  return id;
}

ENodeId EGraph::add(const Operator& what, std::vector<ClassId> operands, const TensorType& type,
                    std::size_t made_by, const std::string& name) {
  for (ClassId& operand : operands) operand = find(operand);
  Key key{intern(what), std::move(operands)};
  const auto known = made_.find(key);
  const ENodeId id = known != made_.end() ? known->second : make(std::move(key), type, made_by);
  EClass& home = classes_[class_of(id).index()];
  if (home.name.empty()) home.name = name;
  return id;
}

// The class of more readers stays: the other's have to be looked at again.
bool EGraph::merge(ENodeId a, ENodeId b, std::size_t by) {
  ClassId into = class_of(a), gone = class_of(b);
  if (into == gone || at(into).type != at(gone).type) return false;
  remember(a, b, by);
  if (at(into).readers.size() < at(gone).readers.size()) std::swap(into, gone);
  EClass& kept = classes_[into.index()];
  EClass& other = classes_[gone.index()];
  parent_[gone.index()] = into;
  kept.nodes.insert(kept.nodes.end(), other.nodes.begin(), other.nodes.end());
  kept.readers.insert(kept.readers.end(), other.readers.begin(), other.readers.end());
  // Of two values of the original the first has the name, whichever class is kept.
  if (kept.name.empty() || (!other.name.empty() && gone < into)) kept.name = other.name;
  if (!kept.number) kept.number = other.number;
  kept.is_weight = kept.is_weight || other.is_weight;
  other = {};
  to_repair_.push_back(into);
  --class_count_;
  return true;
}

void EGraph::rebuild() {
  while (!to_repair_.empty()) {
    std::vector<ClassId> now;
    now.swap(to_repair_);
    for (ClassId& id : now) id = find(id);
    std::ranges::sort(now);
    now.erase(std::ranges::unique(now).begin(), now.end());
    for (const ClassId id : now) repair(find(id));
  }
}

// Readers of a class that has grown: those that have become equal are in one class, and what
// follows from constants alone now is a weight.
void EGraph::repair(ClassId id) {
  std::vector<ENodeId> readers = std::exchange(classes_[id.index()].readers, {});
  std::ranges::sort(readers);
  readers.erase(std::ranges::unique(readers).begin(), readers.end());
  for (const ENodeId reader : readers) {
    const auto [known, is_new] = made_.emplace(key_of(reader), reader);
    const bool is_twice = !is_new && known->second != reader;
    if (is_twice && !merge(known->second, reader, kCongruence)) tidy(class_of(reader));
    refresh(reader);
  }
  // The class may have grown meanwhile, or have become part of another.
  const ClassId now = find(id);
  auto& all = classes_[now.index()].readers;
  all.insert(all.end(), readers.begin(), readers.end());
  tidy(now);
}

void EGraph::refresh(ENodeId id) {
  EClass& home = classes_[class_of(id).index()];
  if (home.is_weight || !is_weight(id)) return;
  home.is_weight = true;
  to_repair_.push_back(class_of(id));
}

// Of nodes that have become the same one the first stays; it is banned only if all of them are.
void EGraph::tidy(ClassId id) {
  std::vector<ENodeId>& nodes = classes_[id.index()].nodes;
  std::ranges::sort(nodes);
  std::unordered_map<Key, ENodeId, KeyHash> seen;
  std::vector<ENodeId> kept;
  for (const ENodeId node : nodes) {
    const auto [first, is_new] = seen.emplace(key_of(node), node);
    if (is_new) {
      kept.push_back(node);
    } else if (!nodes_[node.index()].is_banned) {
      nodes_[first->second.index()].is_banned = false;
    }
  }
  node_count_ -= nodes.size() - kept.size();
  nodes = std::move(kept);
}

std::vector<ClassId> EGraph::classes() const {
  std::vector<ClassId> out;
  for (std::size_t i = 0; i < classes_.size(); ++i)
    if (parent_[i] == ClassId(i)) out.emplace_back(i);
  return out;
}

std::size_t EGraph::bytes() const {
  std::size_t out = nodes_.capacity() * (sizeof(ENode) + sizeof(Edge) + sizeof(ClassId)) +
                    classes_.capacity() * sizeof(EClass);
  for (const ENode& node : nodes_) out += 2 * node.operands.capacity() * sizeof(ClassId);
  for (const EClass& one : classes_)
    out += (one.nodes.capacity() + one.readers.capacity()) * sizeof(ENodeId);
  return out + made_.size() * (sizeof(Key) + sizeof(ENodeId) + 2 * sizeof(void*));
}

// The tree of `a` is hung below `b`: the edges on the way from `a` to its root turn round.
void EGraph::remember(ENodeId a, ENodeId b, std::size_t by) {
  Edge next{b, by};
  for (ENodeId at = a;;) {
    const Edge old = std::exchange(forest_[at.index()], next);
    if (old.to == at) return;
    next = {at, old.by};
    at = old.to;
  }
}

std::vector<ENodeId> EGraph::way_up(ENodeId id) const {
  std::vector<ENodeId> out = {id};
  while (forest_[out.back().index()].to != out.back())
    out.push_back(forest_[out.back().index()].to);
  return out;
}

std::vector<EGraph::Step> EGraph::why_equal(ENodeId a, ENodeId b) const {
  std::vector<ENodeId> from_a = way_up(a), from_b = way_up(b);
  PET_CHECK(from_a.back() == from_b.back(), "nodes of two classes are not equal");
  // What both ways share at their ends is no part of the way between them.
  while (from_a.size() > 1 && from_b.size() > 1 &&
         from_a[from_a.size() - 2] == from_b[from_b.size() - 2]) {
    from_a.pop_back();
    from_b.pop_back();
  }
  std::vector<Step> out;
  for (const auto* way : {&from_a, &from_b})
    for (std::size_t i = 0; i + 1 < way->size(); ++i)
      out.push_back({(*way)[i], (*way)[i + 1], forest_[(*way)[i].index()].by});
  return out;
}

}  // namespace pet::egraph
