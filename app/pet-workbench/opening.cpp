#include "app/pet-workbench/opening.h"

#include <algorithm>

#include "app/pet-workbench/examples.h"
#include "core/onnx/text.h"
#include "core/program/linear_sets.h"
#include "verify/inspect/region_inspector.h"
#include "viz/geometry/inspected.h"

namespace pet::app {
namespace {

Result<viz::OpenedPair> opened(const CaseFile& file, std::string name,
                               const std::stop_token& stop) {
  auto outputs = RegionInspector().boxes(file.original.graph, file.mutant.graph, stop);
  if (!outputs) return outputs.error();
  return viz::OpenedPair{std::move(name),
                         *std::move(outputs),
                         to_text(file.original.graph, "original"),
                         to_text(file.mutant.graph, "mutant"),
                         std::make_shared<const Graph>(file.original.graph),
                         std::make_shared<const Graph>(file.mutant.graph)};
}

Result<viz::OpenedPair> open_case(const std::filesystem::path& path, const std::stop_token& stop) {
  const auto file = read_case(path);
  if (!file) return file.error();
  return opened(*file, path.filename().string(), stop);
}

Result<viz::OpenedPair> open_example(const std::string& id, const std::stop_token& stop) {
  const auto example = std::ranges::find(examples(), id, &Example::id);
  if (example == examples().end()) return Error{"there is no example " + id};
  const auto file = parse_case(example->case_text, id);
  if (!file) return file.error();
  return opened(*file, std::string(example->title), stop);
}

Result<viz::OpenedModel> open_model(const std::filesystem::path& path,
                                    const std::stop_token& stop) {
  auto model = read_model(path);
  if (!model) return model.error();
  if (stop.stop_requested()) return Error{"stopped", ErrorKind::Stopped};
  auto shared = std::make_shared<const Model>(*std::move(model));
  return viz::OpenedModel{shared, linear_sets(shared->graph), split(shared->graph, {})};
}

Result<InspectedTerms> terms(const viz::OpenedPair& pair, std::size_t output, const Shape& position,
                             const std::stop_token& stop) {
  return RegionInspector().terms(*pair.original, *pair.mutant, output, position, stop);
}

// What the card shows is what the page will show: the picture is made of the same answer.
viz::ExampleCard card_of(const Example& example) {
  const auto text = [](std::string_view words) {
    return QString::fromUtf8(words.data(), static_cast<qsizetype>(words.size()));
  };
  viz::ExampleCard out{text(example.id), text(example.title), text(example.text), {}};
  const auto pair = open_example(std::string(example.id), {});
  if (pair && !pair->outputs.empty()) out.picture = viz::preview_of(pair->outputs.front());
  return out;
}

}  // namespace

viz::WindowPorts ports() {
  viz::WindowPorts out{open_case, open_example, open_model, terms, {}};
  for (const Example& example : examples()) out.cards.push_back(card_of(example));
  return out;
}

}  // namespace pet::app
