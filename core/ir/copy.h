// One program copied into another that is being built: the one loop behind every rewriting of a
// graph. Inputs over, node after node with what stands for its operands, outputs; hooks say what
// stands in the place of a node instead of its copy, and which nodes are copied though nothing
// needs them. Operands come first, by a list of what is open: no stack grows with the depth of a
// program.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "core/ir/builder.h"
#include "core/ir/provenance.h"
#include "core/util/result.h"

namespace pet {

// A node once more, with its operands already in `builder`. REQUIRES: no input
Result<NodeId> copy_node(GraphBuilder& builder, const Node& node, std::vector<NodeId> operands);

// The inputs of `program` in `builder`, in order. Those that are there already are the same ones.
std::vector<NodeId> copy_inputs(GraphBuilder& builder, const Graph& program);

// The node itself, reading what stands for its operands.
struct AsItIs {};

// Made of these values of the source instead: `make` gets what stands for them.
struct MadeOf {
  std::vector<NodeId> values;
  std::function<Result<NodeId>(std::vector<NodeId>)> make;
};

// What stands in the place of a node: its copy, a value that is there, or one that is made.
using Instead = std::variant<AsItIs, NodeId, MadeOf>;

// Each is asked once for a node, when its turn comes. A hook may add to the builder.
struct CopyHooks {
  std::function<Result<Instead>(NodeId)> instead = nullptr;  // null: AsItIs
  std::function<bool(NodeId)> keep = nullptr;                // null: every node
  std::function<std::string(NodeId)> name = nullptr;         // of a copy; null: that of the node
};

class GraphCopy {
 public:
  // REQUIRES: both outlive this
  GraphCopy(const Graph& source, GraphBuilder& builder, CopyHooks hooks = {})
      : source_(source), builder_(builder), hooks_(std::move(hooks)) {}

  // All of the below: every input, then what is kept, then the outputs.
  Status run();
  // The same, and the program that stands in the builder then.
  Result<Graph> build();

  Status make_inputs();
  Status make_kept();     // in order of the source
  Status make_outputs();  // and adds them to those of the builder
  // The value, after all that it needs and that is not there yet, the first operand first. An Error
  // where it would be made of itself.
  Status make(NodeId id);

  // `made` stands for `id`. REQUIRES: nothing does yet
  void put(NodeId id, NodeId made) { put_since(now(), id, made); }
  bool has(NodeId id) const { return places_.contains(id); }
  NodeId at(NodeId id) const { return places_.at(id); }  // REQUIRES: has(id)
  std::vector<NodeId> at(const std::vector<NodeId>& ids) const;
  const std::map<NodeId, NodeId>& places() const { return places_; }  // what stands for what so far

  // What became of what. A node that nothing stands for became what stands for those that read it.
  Provenance provenance() const;

 private:
  using Make = std::function<Result<NodeId>(std::vector<NodeId>)>;
  // A node that waits for what it reads.
  struct Open {
    NodeId id;
    std::vector<NodeId> reads;
    Make make;             // null: a copy
    std::size_t next = 0;  // of `reads`: those before are there
  };
  // One put, and the nodes [first, end) of the builder that were new with it.
  struct Entry {
    NodeId before;
    NodeId after;
    std::size_t first = 0;
    std::size_t end = 0;
    std::size_t with = 0;  // the number of an entry that it belongs together with, or its own
  };
  struct Moment {
    std::size_t nodes = 0;  // of the builder
    std::size_t entries = 0;
  };

  Moment now() const { return {builder_.size(), entries_.size()}; }
  // All that was added and put since belongs together.
  void put_since(Moment before, NodeId id, NodeId made);
  Status begin(NodeId id, std::vector<Open>& open);
  Status finish(const Open& node);
  Result<NodeId> copied(NodeId id, std::vector<NodeId> operands);

  const Graph& source_;
  GraphBuilder& builder_;
  CopyHooks hooks_;
  std::map<NodeId, NodeId> places_;
  std::vector<Entry> entries_;
};

}  // namespace pet
