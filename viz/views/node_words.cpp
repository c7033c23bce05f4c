#include "viz/views/node_words.h"

#include <QObject>
#include <algorithm>

namespace pet::viz {
namespace {

constexpr std::size_t kMostSaid = 64;  // nodes of a set

QString text(const std::string& words) { return QString::fromStdString(words); }

QString words_of(NodeId id, const Model& model) {
  const Node& node = model.graph.node(id);
  QString out = QString("\n%1\n  %2\n").arg(text(node.name), text(to_string(node.type)));
  const auto origin = model.origins[id.index()];
  if (node.op() != nullptr) out += "  " + text(std::string(node.op()->def->name)) + "\n";
  if (origin && !model.file_nodes[*origin].name.empty())
    out += "  " + QObject::tr("node %1").arg(text(model.file_nodes[*origin].name)) + "\n";
  for (const NodeId operand : node.operands) {
    const Node& from = model.graph.node(operand);
    out += QString("  reads %1 %2\n").arg(text(from.name), text(to_string(from.type)));
  }
  const auto note = std::ranges::find_if(
      model.opaque, [&](const OpaqueNote& o) { return origin == o.file_node; });
  if (note != model.opaque.end())
    out += "  " + QObject::tr("opaque: %1").arg(text(note->reason)) + "\n";
  return out;
}

}  // namespace

QString words_of(const DrawnNode& drawn, const Model& model) {
  QString out = text(drawn.title) + "\n";
  const std::size_t said = std::min(drawn.nodes.size(), kMostSaid);
  for (std::size_t i = 0; i < said; ++i) out += words_of(drawn.nodes[i], model);
  if (said < drawn.nodes.size())
    out += "\n" + QObject::tr("%1 of %2 operators").arg(said).arg(drawn.nodes.size()) + "\n";
  if (drawn.set) out += "\n" + QObject::tr("Click once more, or Enter, to open or fold its set.");
  return out;
}

std::vector<Findable> findable(const Model& model) {
  const auto live = model.graph.depends_on_inputs();
  std::vector<Findable> out;
  for (const NodeId id : model.graph.ids()) {
    if (live[id.index()] == 0) continue;
    const Node& node = model.graph.node(id);
    Findable& one = out.emplace_back(Findable{id, {node.name}});
    if (node.op() != nullptr) one.names.emplace_back(node.op()->def->name);
    if (const auto origin = model.origins[id.index()]) {
      one.names.push_back(model.file_nodes[*origin].name);
      one.names.push_back(model.file_nodes[*origin].op_type);
    }
  }
  return out;
}

}  // namespace pet::viz
