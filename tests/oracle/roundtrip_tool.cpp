// roundtrip IN UNCHANGED REWRITTEN [DIM=N ...]: writes the model as it came, and with every node
// that we interpret replaced by a program of that one operator. Both must compute the same in a
// runtime, bit by bit.
#include <fmt/format.h>

#include <set>

#include "core/ir/builder.h"
#include "core/onnx/export.h"

namespace {

using namespace pet;

Replacement alone(const Graph& graph, NodeId id) {
  GraphBuilder builder;
  Replacement out{.program = {}, .inputs = {}, .outputs = {id}, .label = "alone"};
  std::vector<NodeId> operands;
  std::map<NodeId, NodeId> known;
  for (const NodeId operand : graph.node(id).operands) {
    const auto [it, is_new] = known.try_emplace(operand);
    if (is_new) {
      if (const auto* constant = std::get_if<ConstantLeaf>(&graph.node(operand).what)) {
        it->second = builder.add_constant(*constant);
      } else {
        it->second =
            builder.add_input(fmt::format("i{}", out.inputs.size()), graph.node(operand).type);
        out.inputs.push_back(operand);
      }
    }
    operands.push_back(it->second);
  }
  builder.add_output(*builder.add(*graph.node(id).op(), std::move(operands)));
  out.program = std::move(builder).build();
  return out;
}

int complain(const Error& error) {
  fmt::print(stderr, "{}\n", error.message);
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  ReadOptions options;
  for (int i = 4; i < argc; ++i) {
    const std::string text = argv[i];
    const auto equals = text.find('=');
    if (equals == std::string::npos) return 2;
    options.dimensions[text.substr(0, equals)] = std::stoll(text.substr(equals + 1));
  }
  const auto model = read_model(argv[1], options);
  if (!model) return complain(model.error());
  if (const auto done = write_model(*model, argv[2]); !done) return complain(done.error());
  std::vector<Replacement> replacements;
  for (const NodeId id : model->graph.ids()) {
    if (model->graph.has_meaning(id) && model->origins[id.index()])
      replacements.push_back(alone(model->graph, id));
  }
  if (const auto done = write_rewritten(*model, replacements, {{"pet", "roundtrip"}}, argv[3]);
      !done) {
    return complain(done.error());
  }
  fmt::print("{} replaced, {} opaque\n", replacements.size(), model->opaque.size());
  return 0;
}
