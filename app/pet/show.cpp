#include <fmt/format.h>

#include <memory>

#include "app/common/machine.h"
#include "app/common/shape_flags.h"
#include "app/pet/commands.h"
#include "core/onnx/model.h"
#include "core/program/split.h"
#include "core/util/plural.h"
#include "core/util/printable.h"

namespace pet::app {
namespace {

struct ShowOptions {
  std::string file;
  ShapeFlags shapes;
};

void warn_about_target(const Model& model) {
  const auto cpu = model.metadata.find("pet.cpu");
  if (cpu != model.metadata.end() && cpu->second != cpu_name()) {
    say(fmt::format("pet: warning: this file was optimised for {}, not for this machine's {}\n",
                    printable(cpu->second), cpu_name()));
  }
  const auto runtime = model.metadata.find("pet.runtime");
  if (runtime != model.metadata.end() && !runtime->second.starts_with("onnxruntime ")) {
    say(fmt::format(
        "pet: warning: this file was optimised for {}, not for ONNX Runtime; `pet bench` "
        "tells what it is worth there\n",
        printable(runtime->second)));
  }
}

void show_class(const Graph& graph, const SubprogramClass& same) {
  std::string names;
  for (const NodeId id : same.representative().nodes)
    names += (names.empty() ? "" : ", ") + graph.node(id).op()->def->name;
  fmt::print("  {}\n", names);
  for (const Subprogram& place : same.places) {
    std::string results;
    for (const NodeId id : place.outputs)
      results += (results.empty() ? "" : ", ") + printable(graph.node(id).name);
    fmt::print("    -> {}\n", results);
  }
}

int show(const ShowOptions& options) {
  const auto model = read_at_shapes(options.file, options.shapes);
  if (!model) return fail(model.error());
  warn_about_target(*model);
  for (const auto& [key, value] : model->metadata)
    fmt::print("# {} = {}\n", printable(key), printable(value));
  fmt::print("{}", to_string(model->graph));
  const Split subprograms = split(model->graph, {});
  fmt::print("\n{}, with the places where each is found\n",
             plural(subprograms.classes.size(), "subprogram"));
  for (const SubprogramClass& same : subprograms.classes) show_class(model->graph, same);
  if (subprograms.left_out > 0)
    fmt::print("  and {} more that are left out\n", subprograms.left_out);
  fmt::print("\n{}\n", plural(model->opaque.size(), "opaque node"));
  for (const OpaqueNote& note : model->opaque) {
    const FileNode& node = model->file_nodes[note.file_node];
    fmt::print("  {} {}: {}\n", printable(node.op_type), printable(node.name),
               printable(note.reason));
  }
  return kDone;
}

}  // namespace

Command add_show(CLI::App& parent) {
  auto* show_command = parent.add_subcommand(
      "show", "a model as a program: its nodes, its subprograms, what is opaque and why");
  auto options = std::make_shared<ShowOptions>();
  show_command->add_option("file", options->file, "an ONNX file")->required();
  add_shape_flags(*show_command, options->shapes);
  return [options] { return show(*options); };
}

}  // namespace pet::app
