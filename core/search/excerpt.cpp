#include "core/search/excerpt.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/analysis/rearranged.h"
#include "core/ir/copy.h"
#include "core/ops/ops.h"
#include "core/util/check.h"

namespace pet {
namespace {

// Operators that join many values (a concatenation of a whole block) would drag the block along.
constexpr std::size_t kMostOperands = 5;

using Consumers = std::vector<std::vector<NodeId>>;

std::optional<StandIn> stand_in(const Graph& source, NodeId id, NodeId value) {
  const Op* op = source.node(id).op();
  if (op == nullptr || op->def->stand_in == nullptr) return std::nullopt;
  return op->def->stand_in(*source.node(value).type.shape);
}

bool is_small(const Graph& source, NodeId id) {
  return source.has_meaning(id) && source.node(id).operands.size() <= kMostOperands;
}

bool is_movable(const Graph& source, NodeId id) {
  if (!is_small(source, id)) return false;
  AxisOrder reversed = identity_order(source.node(id).type.shape->size());
  std::reverse(reversed.begin(), reversed.end());
  return rearranged(source, id, reversed).has_value();
}

bool may_join(const Graph& source, NodeId id) {
  return is_small(source, id) && source.node(id).op()->def->stand_in == nullptr;
}

template <class May>
Subprogram with_neighbours(const Graph& source, const Subprogram& subprogram, std::size_t reach,
                           May may_join) {
  const Consumers users = source.consumers();
  std::set<NodeId> inside(subprogram.nodes.begin(), subprogram.nodes.end());
  std::set<NodeId> before(subprogram.inputs.begin(), subprogram.inputs.end());
  std::set<NodeId> behind(subprogram.outputs.begin(), subprogram.outputs.end());
  for (std::size_t i = 0; i < reach; ++i) {
    std::set<NodeId> further;
    for (const NodeId id : before) {
      if (!may_join(source, id)) continue;
      inside.insert(id);
      for (const NodeId operand : source.node(id).operands) further.insert(operand);
    }
    before = std::move(further);
    further.clear();
    for (const NodeId id : behind) {
      for (const NodeId user : users[id.index()]) {
        if (!may_join(source, user)) continue;
        inside.insert(user);
        further.insert(user);
      }
    }
    behind = std::move(further);
  }
  return extract(source, std::vector<NodeId>(inside.begin(), inside.end()));
}

// Where a value comes from or goes to, through operators that take any layout.
class FarNeighbours {
 public:
  explicit FarNeighbours(const Graph& source) : source_(source), users_(source.consumers()) {}

  std::optional<StandIn> above(NodeId value) const { return near(value, true); }
  std::optional<StandIn> below(NodeId value) const { return near(value, false); }

 private:
  static constexpr int kFar = 4;

  std::optional<StandIn> near(NodeId value, bool up) const {
    const TensorType& type = source_.node(value).type;
    if (type.dtype != DType::Float || !type.shape) return std::nullopt;
    return search(value, value, up, kFar);
  }

  std::optional<StandIn> search(NodeId value, NodeId at, bool up, int far) const {
    if (far == 0) return std::nullopt;
    if (up) {
      if (auto found = stand_in(source_, at, value)) return found;
      if (!is_movable(source_, at)) return std::nullopt;
    }
    for (const NodeId next : up ? source_.node(at).operands : users_[at.index()]) {
      if (!up) {
        if (auto found = stand_in(source_, next, value)) return found;
        if (!is_movable(source_, next)) continue;
      }
      if (auto found = search(value, next, up, far - 1)) return found;
    }
    return std::nullopt;
  }

  const Graph& source_;
  Consumers users_;
};

enum class Edges { Bare, StandIns, RowMajor };

// Builds an excerpt once more, with what stands at its borders.
class Bordered {
 public:
  Bordered(const Graph& source, const Subprogram& excerpt, Edges edges)
      : far_(source), excerpt_(excerpt), edges_(edges) {}

  Excerpt build(const Subprogram& subprogram) {
    const Graph& program = excerpt_.program;
    std::map<NodeId, NodeId> outer;  // inputs of the excerpt in the source
    for (std::size_t i = 0; i < excerpt_.inputs.size(); ++i)
      outer[program.inputs()[i]] = excerpt_.inputs[i];
    const auto instead = [&](NodeId id) -> Result<Instead> {
      const Node& node = program.node(id);
      if (node.input() == nullptr) return Instead(AsItIs{});
      const NodeId in = b_.add_input(node.input()->name, node.type);
      const auto found =
          edges_ != Edges::Bare ? far_.above(outer.at(id)) : std::optional<StandIn>();
      return Instead(found ? row_major(stand_in(in, *found)) : in);
    };
    GraphCopy copy(program, b_, {.instead = instead});
    const auto done = copy.make_kept();
    PET_CHECK(done.ok(), "what the source holds can be built again");
    for (std::size_t i = 0; i < excerpt_.outputs.size(); ++i) {
      NodeId out = copy.at(program.outputs()[i]);
      if (edges_ != Edges::Bare) {
        if (const auto found = far_.below(excerpt_.outputs[i]))
          out = stand_in(row_major(out), *found);
      }
      b_.add_output(out);
    }
    Excerpt out;
    for (const NodeId id : subprogram.inputs) out.inputs.push_back(copy.at(excerpt_.place.at(id)));
    for (const NodeId id : subprogram.outputs)
      out.outputs.push_back(copy.at(excerpt_.place.at(id)));
    out.original = std::move(b_).build();
    return out;
  }

  bool has_stand_ins() const { return stand_ins_ > 0; }

 private:
  NodeId stand_in(NodeId value, const StandIn& what) {
    ++stand_ins_;
    std::vector<float> half(static_cast<std::size_t>(count(what.weight)), 0.5F);
    const auto weight =
        std::make_shared<const Tensor>(Tensor::of_floats(what.weight, std::move(half)));
    return *b_.add(what.op, {value, b_.add_constant(weight)});
  }

  // A reshape and back moves nothing, and no layout but the row-major one goes through it.
  NodeId row_major(NodeId value) {
    if (edges_ != Edges::RowMajor) return value;
    const Shape shape = *b_.type(value).shape;
    const NodeId flat = *b_.add(ops::reshape(), Attrs{{"shape", Ints{count(shape)}}}, {value});
    return *b_.add(ops::reshape(), Attrs{{"shape", Ints(shape.begin(), shape.end())}}, {flat});
  }

  FarNeighbours far_;
  const Subprogram& excerpt_;
  Edges edges_;
  GraphBuilder b_;
  std::size_t stand_ins_ = 0;
};

}  // namespace

Excerpt excerpt_of(const Graph& source, const Subprogram& subprogram, std::size_t reach) {
  const Subprogram excerpt = with_neighbours(source, subprogram, reach, may_join);
  return Bordered(source, excerpt, Edges::StandIns).build(subprogram);
}

Excerpt movable_excerpt(const Graph& source, const Subprogram& subprogram, std::size_t reach) {
  const Subprogram excerpt = with_neighbours(source, subprogram, reach, is_movable);
  return Bordered(source, excerpt, Edges::Bare).build(subprogram);
}

std::optional<LayoutExcerpts> layout_excerpts(const Graph& source, const Subprogram& subprogram,
                                              std::size_t reach) {
  const Subprogram excerpt = with_neighbours(source, subprogram, reach, is_movable);
  Bordered own(source, excerpt, Edges::StandIns);
  Bordered row_major(source, excerpt, Edges::RowMajor);
  LayoutExcerpts out{own.build(subprogram).original, row_major.build(subprogram).original};
  if (!own.has_stand_ins()) return std::nullopt;
  return out;
}

}  // namespace pet
