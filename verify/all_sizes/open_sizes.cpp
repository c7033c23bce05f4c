#include "verify/all_sizes/open_sizes.h"

#include <fmt/format.h>

#include "verify/all_sizes/prove.h"

namespace pet::all_sizes {
namespace {

Error may_change(const std::string& what) {
  return {what + " may be another one at other sizes", ErrorKind::Unsupported};
}

// Of what the outputs need.
Status reads_no_sizes(const Model& model) {
  const auto needed = model.graph.needed_by_outputs();
  for (const NodeId id : model.graph.ids()) {
    if (needed[id.index()] == 0) continue;
    const Node& node = model.graph.node(id);
    if (node.op() != nullptr && node.op()->def->from_onnx != nullptr)
      return may_change(fmt::format("what {} is read as", node.op()->def->name));
    if (node.constant() != nullptr && model.origins[id.index()])
      return may_change("a constant that the file computes");
  }
  return Done{};
}

}  // namespace

Status prove_for_open_sizes(const std::vector<std::string>& names, const ReadAt& read,
                            Constants constants, std::stop_token stop) {
  Family family;
  family.symbols = names;
  family.at = [&](const SizeValues& values) -> Result<std::pair<Graph, Graph>> {
    std::map<std::string, Dim> sizes;
    for (std::size_t i = 0; i < names.size(); ++i) sizes[names[i]] = values[i];
    auto files = read(sizes);
    if (!files) return std::move(files).error();
    for (const Model* model : {&files->first, &files->second}) {
      if (auto free = reads_no_sizes(*model); !free) return std::move(free).error();
    }
    return std::pair(std::move(files->first.graph), std::move(files->second.graph));
  };
  const auto pair = sized_pair(family, constants);
  if (!pair) return pair.error();
  return prove_for_all_sizes(family, *pair, {.stop = std::move(stop)});
}

}  // namespace pet::all_sizes
