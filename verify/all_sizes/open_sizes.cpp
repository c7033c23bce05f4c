#include "verify/all_sizes/open_sizes.h"

#include <fmt/format.h>

#include "verify/all_sizes/facts.h"
#include "verify/all_sizes/prove.h"

namespace pet::all_sizes {
namespace {

Error may_change(const std::string& what) {
  return {what + " may be another one at other sizes", ErrorKind::Unsupported};
}

std::string name_of(const Node& node) {
  return node.op() == nullptr ? "a constant that the file computes"
                              : fmt::format("what {} is read as", node.op()->def->name);
}

// An extent that the reading of an operator took notice of.
struct LookedAt {
  NodeId by;
  NodeId value;
  std::size_t axis = 0;
};

// By what the outputs need.
Result<std::vector<LookedAt>> looked_at(const Model& model) {
  const auto needed = model.graph.needed_by_outputs();
  std::vector<LookedAt> out;
  for (const NodeId id : model.graph.ids()) {
    if (needed[id.index()] == 0) continue;
    const Reading& reading = model.readings[id.index()];
    if (reading.computed != 0) return may_change(name_of(model.graph.node(id)));
    for (const auto& [value, axis] : reading.extents) out.push_back({id, value, axis});
  }
  return out;
}

// From operator to operator: where the extents that one was read by are the same numbers at all
// sizes, so is what it was read as, and the extents of its results are what the program in symbols
// says.
Status are_constant(const std::vector<LookedAt>& all, const Model& model,
                    const SizedProgram& program) {
  for (const LookedAt& one : all) {
    if (!program.node(one.value).shape[one.axis].parts().empty())
      return may_change(name_of(model.graph.node(one.by)));
  }
  return Done{};
}

// No window is larger than what it slides over, at whatever sizes. What is cut off of an axis shows
// at sizes of 1, which are looked at.
Status has_results(const SizedProgram& program, std::size_t symbols) {
  std::vector<Affine> at_least_one;
  for (std::size_t s = 0; s < symbols; ++s)
    at_least_one.push_back(Affine::of(static_cast<Var>(s)) - 1);
  const Facts facts(std::move(at_least_one));
  for (const SizedNode& node : program.nodes) {
    for (const Affine& extent : node.shape) {
      if (facts.holds(extent - 1) != true)
        return Error{"it may be no program at other sizes: a value of it may have no element there",
                     ErrorKind::Unsupported};
    }
  }
  return Done{};
}

}  // namespace

Status prove_for_open_sizes(const std::vector<std::string>& names, const ReadAt& read,
                            Constants constants, std::stop_token stop) {
  Family family;
  family.symbols = names;
  std::optional<std::pair<Model, Model>> some;  // at whatever sizes
  family.at = [&](const SizeValues& values) -> Result<std::pair<Graph, Graph>> {
    std::map<std::string, Dim> sizes;
    for (std::size_t i = 0; i < names.size(); ++i) sizes[names[i]] = values[i];
    auto files = read(sizes);
    if (!files) return std::move(files).error();
    if (!some) some = *files;
    return std::pair(std::move(files->first.graph), std::move(files->second.graph));
  };
  const auto pair = sized_pair(family, constants);
  if (!pair) return pair.error();
  for (const auto& [model, program] :
       {std::pair(&some->first, &pair->original), std::pair(&some->second, &pair->mutant)}) {
    const auto all = looked_at(*model);
    if (!all) return all.error();
    if (auto same = are_constant(*all, *model, *program); !same) return same;
    if (auto there = has_results(*program, names.size()); !there) return there;
  }
  return prove_for_all_sizes(family, *pair, {.stop = std::move(stop)});
}

}  // namespace pet::all_sizes
