#include "core/program/substitute.h"

#include <map>

#include "core/ir/builder.h"
#include "core/program/subprogram.h"

namespace pet {
namespace {

// Copies what outputs need, operands first.
class Replacing {
 public:
  Replacing(const Graph& source, std::span<const Substitute> substitutes)
      : source_(source),
        substitutes_(substitutes),
        place_(source.nodes().size()),
        visits_(source.nodes().size(), Visit::None) {
    for (std::size_t s = 0; s < substitutes.size(); ++s)
      for (const NodeId id : substitutes[s].outputs) by_[id] = s;
  }

  Result<Graph> run() {
    for (const NodeId id : source_.inputs()) {
      place_[id.index()] =
          builder_.add_input(source_.node(id).input()->name, source_.node(id).type);
      visits_[id.index()] = Visit::Done;
    }
    for (const NodeId id : source_.outputs()) {
      if (auto done = make(id); !done) return std::move(done).error();
      builder_.add_output(place_[id.index()]);
    }
    return std::move(builder_).build();
  }

 private:
  enum class Visit { None, Open, Done };

  std::vector<NodeId> sources_of(NodeId id) const {
    const auto it = by_.find(id);
    if (it == by_.end()) return source_.node(id).operands;
    const auto inputs = substitutes_[it->second].inputs;
    return {inputs.begin(), inputs.end()};
  }

  Status make(NodeId root) {
    std::vector<NodeId> open = {root};
    while (!open.empty()) {
      const NodeId id = open.back();
      if (visits_[id.index()] == Visit::Done) {
        open.pop_back();
        continue;
      }
      const bool returned = visits_[id.index()] == Visit::Open;
      visits_[id.index()] = Visit::Open;
      bool waits = false;
      for (const NodeId from : sources_of(id)) {
        if (visits_[from.index()] == Visit::Done) continue;
        if (returned || visits_[from.index()] == Visit::Open)
          return Error{"a replaced value would be computed from itself"};
        waits = true;
        open.push_back(from);
      }
      if (waits) continue;
      open.pop_back();
      if (auto done = put(id); !done) return done;
    }
    return Done{};
  }

  Status put(NodeId id) {
    std::vector<NodeId> operands;
    for (const NodeId from : sources_of(id)) operands.push_back(place_[from.index()]);
    const auto it = by_.find(id);
    if (it == by_.end()) {
      auto copied = copy_node(builder_, source_.node(id), std::move(operands));
      if (!copied) return std::move(copied).error();
      place_[id.index()] = *copied;
      visits_[id.index()] = Visit::Done;
      return Done{};
    }
    const Substitute& substitute = substitutes_[it->second];
    std::vector<std::string> names;
    for (const NodeId output : substitute.outputs) names.push_back(source_.node(output).name);
    auto results = append(builder_, *substitute.program, operands, names);
    if (!results) return std::move(results).error();
    for (std::size_t j = 0; j < results->size(); ++j) {
      place_[substitute.outputs[j].index()] = (*results)[j];
      visits_[substitute.outputs[j].index()] = Visit::Done;
    }
    return Done{};
  }

  const Graph& source_;
  std::span<const Substitute> substitutes_;
  std::map<NodeId, std::size_t> by_;
  std::vector<NodeId> place_;
  std::vector<Visit> visits_;
  GraphBuilder builder_;
};

}  // namespace

Result<Graph> with_replaced(const Graph& source, std::span<const Substitute> substitutes) {
  return Replacing(source, substitutes).run();
}

}  // namespace pet
