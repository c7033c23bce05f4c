#include "verify/self_test/faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <set>

#include "core/ir/copy.h"
#include "core/ops/ops.h"
#include "core/program/views.h"
#include "core/util/printable.h"

namespace pet::self_test {
namespace {

// A copy of the program under construction.
struct Building {
  GraphBuilder& builder;
  const GraphCopy& copy;
};

using Make = std::function<Result<NodeId>(const Building&, const Node&, std::vector<NodeId>)>;

struct Edit {
  NodeId node;
  std::string what;
  Make make;
};

std::string called(const Node& node) {
  const std::string kind = node.op() != nullptr ? node.op()->def->name : "constant";
  return node.name.empty() ? kind : kind + " " + printable(node.name);
}

// One integer of an attribute.
struct Slot {
  std::string attribute;
  std::optional<std::size_t> entry;  // of a list

  std::string name() const { return entry ? fmt::format("{}[{}]", attribute, *entry) : attribute; }
};

std::vector<Slot> slots_of(const Op& op) {
  std::vector<Slot> out;
  for (const auto& [name, value] : op.attrs) {
    if (std::holds_alternative<std::int64_t>(value)) out.push_back({name, std::nullopt});
    if (const Ints* list = std::get_if<Ints>(&value)) {
      for (std::size_t i = 0; i < list->size(); ++i) out.push_back({name, i});
    }
  }
  return out;
}

// Adds to an integer; says how.
std::string shift(const Slot& slot, std::int64_t by, Attrs& attrs) {
  AttrValue value = *attrs.find(slot.attribute);
  std::int64_t& number =
      slot.entry ? std::get<Ints>(value)[*slot.entry] : std::get<std::int64_t>(value);
  const std::int64_t before = number;
  number += by;
  auto text = fmt::format("{} {} -> {}", slot.name(), before, number);
  attrs.set(slot.attribute, std::move(value));
  return text;
}

// A value that is spoilt: of the same type, and most often another one.
struct Spoilt {
  std::string how;
  std::function<Result<NodeId>(GraphBuilder&, NodeId)> make;
};

Spoilt times(float factor, std::string how) {
  return {std::move(how), [factor](GraphBuilder& b, NodeId value) {
            return b.add(ops::mul(), {}, {value, b.add_scalar(factor)});
          }};
}

Spoilt turned(std::size_t axis, Dim extent) {
  return {fmt::format("its axis {} turned by one", axis),
          [axis, extent](GraphBuilder& b, NodeId value) -> Result<NodeId> {
            const auto first = views::slice(b, value, axis, 0, 1);
            if (!first) return first.error();
            const auto rest = views::slice(b, value, axis, 1, extent - 1);
            if (!rest) return rest.error();
            return views::concat(b, std::vector{*rest, *first}, axis);
          }};
}

Spoilt reversed(std::size_t axis, Dim extent) {
  const Attrs attrs{{"axes", Ints{static_cast<Dim>(axis)}},
                    {"starts", Ints{extent - 1}},
                    {"ends", Ints{-1}},
                    {"steps", Ints{-1}}};
  return {fmt::format("its axis {} reversed", axis),
          [attrs](GraphBuilder& b, NodeId value) { return b.add(ops::slice(), attrs, {value}); }};
}

// Zeros in the first places along the axis, or in the last ones.
Spoilt cropped(std::size_t axis, Dim extent, bool first) {
  return {fmt::format("zeros in the {} places of its axis {}", first ? "first" : "last", axis),
          [axis, extent, first](GraphBuilder& b, NodeId value) {
            const auto rest = views::slice(b, value, axis, first ? 1 : 0, extent - 1);
            return rest ? views::pad(b, *rest, axis, first ? 1 : 0, first ? 0 : 1) : rest;
          }};
}

std::vector<Spoilt> spoilt(const Shape& shape) {
  std::vector<Spoilt> out = {times(-1, "negated"), times(2, "doubled"), times(0.5F, "halved")};
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] < 2) continue;
    out.push_back(turned(axis, shape[axis]));
    out.push_back(reversed(axis, shape[axis]));
    out.push_back(cropped(axis, shape[axis], true));
    out.push_back(cropped(axis, shape[axis], false));
  }
  return out;
}

class Edits {
 public:
  explicit Edits(const Graph& program) {
    for (const NodeId id : program.ids()) {
      const Node& node = program.node(id);
      if (node.op() != nullptr && program.has_meaning(id)) {
        of_attributes(id, node);
        of_operands(id, node, program);
        of_other_values(id, node, program);
        of_operand_values(id, node, program);
        of_result(id, node);
      } else if (node.constant() != nullptr) {
        of_constant(id, node);
      }
    }
  }

  std::vector<Edit> all;

 private:
  void add_with_attributes(NodeId id, const Node& node, const std::string& what, Attrs attrs) {
    const OpDef* def = node.op()->def;
    all.push_back({id, called(node) + ": " + what,
                   [def, attrs = std::move(attrs)](const Building& b, const Node& old,
                                                   std::vector<NodeId> operands) {
                     return b.builder.add(*def, attrs, std::move(operands), old.name);
                   }});
  }

  void of_attributes(NodeId id, const Node& node) {
    const Op& op = *node.op();
    const auto slots = slots_of(op);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      for (const std::int64_t by : {1, -1}) {
        Attrs once = op.attrs;
        const std::string first = shift(slots[i], by, once);
        add_with_attributes(id, node, first, once);
        for (std::size_t j = i + 1; j < slots.size(); ++j) {
          for (const std::int64_t other : {1, -1}) {
            Attrs twice = once;
            const std::string second = shift(slots[j], other, twice);
            add_with_attributes(id, node, fmt::format("{}, {}", first, second), std::move(twice));
          }
        }
      }
    }
    for (const auto& [name, value] : op.attrs) {
      if (const Ints* list = std::get_if<Ints>(&value)) {
        for (std::size_t i = 0; i + 1 < list->size(); ++i) {
          Ints exchanged = *list;
          std::swap(exchanged[i], exchanged[i + 1]);
          Attrs attrs = op.attrs;
          attrs.set(name, std::move(exchanged));
          add_with_attributes(id, node, fmt::format("{}[{}] and [{}] exchanged", name, i, i + 1),
                              std::move(attrs));
        }
      }
      if (const double* number = std::get_if<double>(&value)) {
        for (const double other : {-*number, 2 * *number, *number + 1}) {
          Attrs attrs = op.attrs;
          attrs.set(name, other);
          add_with_attributes(id, node, fmt::format("{} {} -> {}", name, *number, other),
                              std::move(attrs));
        }
      }
    }
  }

  void of_operands(NodeId id, const Node& node, const Graph& program) {
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      for (std::size_t j = i + 1; j < node.operands.size(); ++j) {
        all.push_back({id, fmt::format("{}: operands {} and {} exchanged", called(node), i, j),
                       [i, j](const Building& b, const Node& old, std::vector<NodeId> operands) {
                         std::swap(operands[i], operands[j]);
                         return copy_node(b.builder, old, std::move(operands));
                       }});
      }
      if (program.node(node.operands[i]).type != node.type) continue;
      all.push_back({id, fmt::format("{}: left out, operand {} instead", called(node), i),
                     [i](const Building&, const Node&, std::vector<NodeId> operands) {
                       return Result<NodeId>(operands[i]);
                     }});
    }
  }

  // Other values of the same type take an operand's place.
  void of_other_values(NodeId id, const Node& node, const Graph& program) {
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      for (const NodeId other : program.ids()) {
        if (other.index() >= id.index()) break;
        if (other == node.operands[i] ||
            program.node(other).type != program.node(node.operands[i]).type)
          continue;
        all.push_back(
            {id,
             fmt::format("{}: {} in place of operand {}", called(node), called(program.node(other)),
                         i),
             [i, other](const Building& b, const Node& old, std::vector<NodeId> operands) {
               operands[i] = b.copy.at(other);
               return copy_node(b.builder, old, std::move(operands));
             }});
      }
    }
  }

  void of_result(NodeId id, const Node& node) {
    for (Spoilt& one : spoilt(*node.type.shape)) {
      all.push_back({id, called(node) + ": " + one.how,
                     [make = std::move(one.make)](const Building& b, const Node& old,
                                                  std::vector<NodeId> operands) {
                       auto result = copy_node(b.builder, old, std::move(operands));
                       return result ? make(b.builder, *result) : result;
                     }});
    }
  }

  // What one operator alone reads.
  void of_operand_values(NodeId id, const Node& node, const Graph& program) {
    for (std::size_t i = 0; i < node.operands.size(); ++i) {
      for (Spoilt& one : spoilt(*program.node(node.operands[i]).type.shape)) {
        all.push_back({id, fmt::format("{}: operand {}: {}", called(node), i, one.how),
                       [i, make = std::move(one.make)](const Building& b, const Node& old,
                                                       std::vector<NodeId> operands) {
                         auto value = make(b.builder, operands[i]);
                         if (!value) return value;
                         operands[i] = *value;
                         return copy_node(b.builder, old, std::move(operands));
                       }});
      }
    }
  }

  void of_constant(NodeId id, const Node& node) {
    const Tensor& tensor = *node.constant();
    if (tensor.type().dtype != DType::Float) return;
    const auto floats = tensor.floats();
    const auto changed = [&](const std::string& what, auto change) {
      all.push_back({id, called(node) + ": " + what,
                     [change](const Building& b, const Node& old, const std::vector<NodeId>&) {
                       const auto before = old.constant()->floats();
                       std::vector<float> values(before.begin(), before.end());
                       change(values);
                       return Result<NodeId>(b.builder.add_constant(std::make_shared<const Tensor>(
                           Tensor::of_floats(*old.type.shape, std::move(values)))));
                     }});
    };
    const std::size_t step = std::max<std::size_t>(1, floats.size() / kMostEntries);
    for (std::size_t i = 0; i < floats.size(); i += step) {
      changed(fmt::format("entry {} plus 1", i), [i](auto& values) { values[i] += 1; });
      if (floats[i] != 0)
        changed(fmt::format("entry {} negated", i), [i](auto& values) { values[i] = -values[i]; });
      const std::size_t j = (i + step) % floats.size();
      if (floats[i] != floats[j]) {
        changed(fmt::format("entries {} and {} exchanged", i, j),
                [i, j](auto& values) { std::swap(values[i], values[j]); });
      }
    }
  }

  static constexpr std::size_t kMostEntries = 64;  // of a constant, spread over it
};

// Nothing where it makes no sense, or yields another type.
std::optional<Graph> broken(const Graph& program, const Edit& edit) {
  GraphBuilder builder;
  std::optional<GraphCopy> copy;
  const auto instead = [&](NodeId id) -> Result<Instead> {
    if (id != edit.node) return Instead(AsItIs{});
    const Node& node = program.node(id);
    return Instead(MadeOf{node.operands, [&](std::vector<NodeId> operands) {
                            return edit.make({builder, *copy}, node, std::move(operands));
                          }});
  };
  copy.emplace(program, builder, CopyHooks{.instead = instead});
  if (!copy->make_kept()) return std::nullopt;
  for (const NodeId output : program.outputs()) {
    if (builder.type(copy->at(output)) != program.node(output).type) return std::nullopt;
    builder.add_output(copy->at(output));
  }
  return std::move(builder).build();
}

}  // namespace

std::vector<Fault> faults_of(const Graph& program, std::size_t most, Rng& rng) {
  std::vector<Edit> edits = std::move(Edits(program).all);
  std::vector<Fault> out;
  std::set<Digest> seen = {program.digest()};
  while (!edits.empty() && out.size() < most) {
    std::swap(edits[rng.below(edits.size())], edits.back());
    if (auto made = broken(program, edits.back()); made && seen.insert(made->digest()).second)
      out.push_back({edits.back().what, *std::move(made)});
    edits.pop_back();
  }
  return out;
}

}  // namespace pet::self_test
