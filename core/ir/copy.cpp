#include "core/ir/copy.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "core/util/check.h"
#include "core/util/overloaded.h"

namespace pet {

Result<NodeId> copy_node(GraphBuilder& builder, const Node& node, std::vector<NodeId> operands) {
  if (const auto* leaf = std::get_if<ConstantLeaf>(&node.what))
    return builder.add_constant(*leaf, node.name);
  const Op* op = node.op();
  PET_CHECK(op != nullptr, "inputs are copied by the caller");
  if (op->def->lower != nullptr) return builder.add(*op, std::move(operands), node.name);
  return builder.add_opaque(*op, std::move(operands), node.type, node.name);
}

std::vector<NodeId> copy_inputs(GraphBuilder& builder, const Graph& program) {
  std::vector<NodeId> out;
  for (const NodeId id : program.inputs()) {
    const Node& node = program.node(id);
    out.push_back(builder.add_input(node.input()->name, node.type));
  }
  return out;
}

namespace {

// Numbers that turn out to be the same.
class Merged {
 public:
  explicit Merged(std::size_t count) : one_of_same_(count) {
    std::iota(one_of_same_.begin(), one_of_same_.end(), std::size_t{0});
  }
  std::size_t of(std::size_t i) {
    while (one_of_same_[i] != i) i = one_of_same_[i] = one_of_same_[one_of_same_[i]];
    return i;
  }
  void merge(std::size_t a, std::size_t b) { one_of_same_[of(a)] = of(b); }

 private:
  std::vector<std::size_t> one_of_same_;
};

void keep_each_once(std::vector<NodeId>& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}

}  // namespace

Status GraphCopy::run() {
  if (auto done = make_inputs(); !done) return done;
  if (auto done = make_kept(); !done) return done;
  return make_outputs();
}

Result<Graph> GraphCopy::build() {
  if (auto done = run(); !done) return std::move(done).error();
  return std::move(builder_).build();
}

Status GraphCopy::make_inputs() {
  for (const NodeId id : source_.inputs())
    if (auto done = make(id); !done) return done;
  return Done{};
}

Status GraphCopy::make_kept() {
  for (const NodeId id : source_.ids()) {
    if (hooks_.keep && !hooks_.keep(id)) continue;
    if (auto done = make(id); !done) return done;
  }
  return Done{};
}

Status GraphCopy::make_outputs() {
  for (const NodeId id : source_.outputs()) {
    if (auto done = make(id); !done) return done;
    builder_.add_output(at(id));
  }
  return Done{};
}

Status GraphCopy::make(NodeId id) {
  if (has(id)) return Done{};
  std::vector<Open> open;
  std::set<NodeId> waiting;
  auto done = begin(id, open);
  while (done && !open.empty()) {
    Open& top = open.back();
    while (top.next < top.reads.size() && has(top.reads[top.next])) ++top.next;
    if (top.next == top.reads.size()) {
      waiting.erase(top.id);
      done = finish(top);
      open.pop_back();
    } else if (waiting.insert(top.id); waiting.contains(top.reads[top.next])) {
      done = Error{"a replaced value would be computed from itself"};
    } else {
      done = begin(top.reads[top.next], open);
    }
  }
  return done;
}

// Asks what stands for the node: puts it, or opens what has to be made first.
Status GraphCopy::begin(NodeId id, std::vector<Open>& open) {
  const Moment before = now();
  auto instead = hooks_.instead ? hooks_.instead(id) : Result<Instead>(AsItIs{});
  if (!instead) return std::move(instead).error();
  std::visit(overloaded{[&](AsItIs) {
                          open.push_back({id, source_.node(id).operands, nullptr});
                        },
                        [&](NodeId made) { put_since(before, id, made); },
                        [&](MadeOf& of) {
                          open.push_back({id, std::move(of.values), std::move(of.make)});
                        }},
             *instead);
  return Done{};
}

Status GraphCopy::finish(const Open& node) {
  const Moment before = now();
  auto operands = at(node.reads);
  auto made = node.make ? node.make(std::move(operands)) : copied(node.id, std::move(operands));
  if (!made) return std::move(made).error();
  put_since(before, node.id, *made);
  return Done{};
}

Result<NodeId> GraphCopy::copied(NodeId id, std::vector<NodeId> operands) {
  const Node& node = source_.node(id);
  if (const InputLeaf* input = node.input()) return builder_.add_input(input->name, node.type);
  if (!hooks_.name) return copy_node(builder_, node, std::move(operands));
  Node named = node;
  named.name = hooks_.name(id);
  return copy_node(builder_, named, std::move(operands));
}

void GraphCopy::put_since(Moment before, NodeId id, NodeId made) {
  const bool is_new = places_.emplace(id, made).second;
  PET_CHECK(is_new, "one value stands for a node");
  const std::size_t number = entries_.size();
  for (std::size_t i = before.entries; i < number; ++i) entries_[i].with = number;
  entries_.push_back({id, made, before.nodes, builder_.size(), number});
}

std::vector<NodeId> GraphCopy::at(const std::vector<NodeId>& ids) const {
  std::vector<NodeId> out;
  for (const NodeId id : ids) out.push_back(at(id));
  return out;
}

Provenance GraphCopy::provenance() const {
  Merged entry(entries_.size());
  std::map<NodeId, std::size_t> left_out;  // for the sake of which entry
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    entry.merge(e, entries_[e].with);
    std::vector<NodeId> open = {entries_[e].before};
    while (!open.empty()) {
      const NodeId id = open.back();
      open.pop_back();
      for (const NodeId operand : source_.node(id).operands) {
        if (has(operand)) continue;
        const auto [it, is_new] = left_out.try_emplace(operand, e);
        if (is_new) open.push_back(operand);
        entry.merge(it->second, e);
      }
    }
  }
  std::map<std::size_t, Became> all;
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    Became& one = all[entry.of(e)];
    one.before.push_back(entries_[e].before);
    one.after.push_back(entries_[e].after);
    for (std::size_t i = entries_[e].first; i < entries_[e].end; ++i)
      one.after.push_back(NodeId(i));
  }
  for (const auto& [id, e] : left_out) all[entry.of(e)].before.push_back(id);
  Provenance out;
  for (auto& [number, one] : all) {
    keep_each_once(one.before);
    keep_each_once(one.after);
    out.push_back(std::move(one));
  }
  std::sort(out.begin(), out.end(),
            [](const Became& a, const Became& b) { return a.before.front() < b.before.front(); });
  return out;
}

}  // namespace pet
