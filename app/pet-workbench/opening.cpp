#include "app/pet-workbench/opening.h"

#include <algorithm>
#include <array>

#include "app/common/command_line.h"
#include "app/common/shape_flags.h"
#include "app/pet-workbench/examples.h"
#include "app/pet-workbench/exporting.h"
#include "app/pet-workbench/figures.h"
#include "app/pet-workbench/folders.h"
#include "app/pet-workbench/networks.h"
#include "app/pet-workbench/searching.h"
#include "core/backend/scratch_folder.h"
#include "core/onnx/text.h"
#include "core/util/printable.h"
#include "datasets/models/models.h"
#include "verify/inspect/cross_checker.h"
#include "verify/inspect/ground_truth.h"
#include "verify/inspect/region_inspector.h"
#include "viz/geometry/inspected.h"
#include "viz/graph_layout/folded.h"

namespace pet::app {
namespace {

Result<viz::OpenedPair> opened(const CaseFile& file, std::string name,
                               const std::stop_token& stop) {
  return opened_pair(file.original.graph, file.mutant.graph, std::move(name), stop);
}

Result<viz::OpenedPair> open_case(const std::filesystem::path& path, const std::stop_token& stop) {
  const auto file = read_case(path);
  if (!file) return file.error();
  return opened(*file, path.filename().string(), stop);
}

Result<viz::OpenedModel> open_model(const std::filesystem::path& path,
                                    const std::map<std::string, Dim>& sizes,
                                    const std::stop_token& stop) {
  auto model = read_model(path, {.dimensions = sizes});
  if (!model) return model.error();
  if (auto known = check_shapes({.dimensions = sizes}, std::array<const Model*, 1>{&*model});
      !known)
    return std::move(known).error().within(printable(path.string()));
  if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  return opened_model(*std::move(model));
}

// Every stage of a search is in it, and it takes seconds.
viz::RunRequest request_of_the_pair() {
  viz::RunRequest out;
  out.budget_s = 600;
  out.search.rounds = 1;
  out.search.heap = 12;
  out.search.worth_measuring = out.search.worth_in_other_orders = 6;
  out.search.generator.moves = 1;
  out.search.generator.max_steps = 12;
  return out;
}

// A network that is built here, in a folder that goes away with the program.
Result<viz::OpenedExample> open_network(const Example& example, const std::stop_token& stop) {
  static const Result<ScratchFolder> folder = ScratchFolder::make("pet-workbench");
  if (!folder) return folder.error();
  const auto file = folder->path() / (std::string(example.network) + ".onnx");
  if (auto built = datasets::build_model({.name = std::string(example.network)}, file); !built)
    return std::move(built).error();
  auto model = open_model(file, {}, stop);
  if (!model) return std::move(model).error();
  return viz::OpenedExample{{}, *std::move(model), request_of_the_pair()};
}

Result<viz::OpenedPair> pair_of(const Example& example, const std::stop_token& stop) {
  const auto file = parse_case(example.case_text, std::string(example.id));
  if (!file) return file.error();
  return opened(*file, std::string(example.title), stop);
}

Result<viz::OpenedExample> open_example(const std::string& id, const std::stop_token& stop) {
  const auto example = std::ranges::find(examples(), id, &Example::id);
  if (example == examples().end()) return Error{"there is no example " + id};
  if (!example->network.empty()) return open_network(*example, stop);
  auto pair = pair_of(*example, stop);
  if (!pair) return std::move(pair).error();
  return viz::OpenedExample{*std::move(pair), {}, {}};
}

Result<InspectedTerms> terms(const viz::OpenedPair& pair, std::size_t output, const Shape& position,
                             const std::stop_token& stop) {
  return RegionInspector().terms(*pair.original, *pair.mutant, output, position, stop);
}

Result<InspectedTruth> truth(const viz::OpenedPair& pair, std::size_t output,
                             const std::stop_token& stop) {
  return ground_truth(*pair.original, *pair.mutant, output, stop);
}

Result<InspectedSplits> splits(const viz::OpenedPair& pair, const std::stop_token& stop) {
  return RegionInspector().splits(*pair.original, *pair.mutant, stop);
}

Result<InspectedSums> sums(const viz::OpenedPair& pair, ProgramSide side, NodeId value,
                           const std::stop_token& stop) {
  return RegionInspector().sums(*pair.original, *pair.mutant, side, value, stop);
}

Result<InspectedSums> sums_of_output(const viz::OpenedPair& pair, std::size_t output,
                                     const std::stop_token& stop) {
  return RegionInspector().sums(*pair.original, *pair.mutant, output, stop);
}

// What the card shows is what the page will show: the picture is made of the same answer.
viz::ExampleCard card_of(const Example& example) {
  const auto text = [](std::string_view words) {
    return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
  };
  viz::ExampleCard out{text(example.id), text(example.title), text(example.text), {}};
  if (!example.network.empty()) {
    const auto network = open_network(example, {});
    if (network)
      out.picture = viz::graph_scene(
          viz::folded(network->model->model->graph, network->model->linear_sets, {}));
    return out;
  }
  const auto pair = pair_of(example, {});
  if (pair && !pair->outputs.empty()) out.picture = viz::preview_of(pair->outputs.front());
  return out;
}

}  // namespace

Result<viz::OpenedPair> opened_pair(const Graph& original, const Graph& mutant, std::string name,
                                    const std::stop_token& stop) {
  auto outputs = RegionInspector().boxes(original, mutant, stop);
  if (!outputs) return outputs.error();
  return viz::OpenedPair{std::move(name),
                         *std::move(outputs),
                         to_text(original, "original"),
                         to_text(mutant, "mutant"),
                         std::make_shared<const Graph>(original),
                         std::make_shared<const Graph>(mutant)};
}

viz::WindowPorts ports(const MoreTargets& more) {
  viz::WindowPorts out;
  out.open_case = open_case;
  out.open_example = open_example;
  out.open_dimensions = open_dimensions;
  out.open_model = open_model;
  out.inspect = opened_pair;
  out.terms = terms;
  out.truth = truth;
  out.splits = splits;
  out.sums = sums;
  out.sums_of_output = sums_of_output;
  out.searching = searching();
  out.cross_checker = std::make_shared<EngineCrossChecker>();
  out.profile = profile_ports(more);
  out.exporting.this_one = [](const viz::Opened& opened, const std::filesystem::path& target,
                              const EventSink& events, const std::stop_token& stop) {
    return export_mutant(*opened.model->model, *opened.pair->places, *opened.pair->mutant, target,
                         {events, stop});
  };
  out.exporting.passes = [](const viz::Opened& opened, const std::stop_token& stop) {
    return passes_over(*opened.model->model, *opened.pair->places, *opened.pair->mutant, stop);
  };
  out.exporting.passes_of_plan = [](const viz::Opened& opened, const Plan& plan,
                                    const std::stop_token& stop) {
    return passes_over(*opened.model->model, plan, stop);
  };
  out.networks = networks();
  if (const auto folder = config_folder()) out.recent = *folder / "recent.json";
  if (const auto folder = state_folder()) out.kept = *folder / "windows";
  for (const Example& example : examples()) out.cards.push_back(card_of(example));
  out.figures = figures();
  return out;
}

}  // namespace pet::app
