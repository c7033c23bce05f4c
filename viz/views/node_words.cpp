#include "viz/views/node_words.h"

#include <QObject>
#include <algorithm>
#include <set>

namespace pet::viz {
namespace {

constexpr std::size_t kMostSaid = 64;   // nodes of a set
constexpr std::size_t kMostListed = 8;  // names of a cell

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

QString kind_in_words(DrawnNode::Kind kind) {
  switch (kind) {
    case DrawnNode::Kind::Input:
      return QObject::tr("input");
    case DrawnNode::Kind::Linear:
      return QObject::tr("linear");
    case DrawnNode::Kind::Other:
      return QObject::tr("not linear");
    case DrawnNode::Kind::Opaque:
      return QObject::tr("opaque");
    case DrawnNode::Kind::Set:
      return QObject::tr("linear set");
    case DrawnNode::Kind::Slot:
      break;
  }
  return {};
}

QString names_of(const std::vector<NodeId>& nodes, const Graph& graph) {
  QStringList out;
  for (std::size_t i = 0; i < std::min(nodes.size(), kMostListed); ++i)
    out.append(text(graph.node(nodes[i]).name));
  const QString names = out.join(", ");
  if (nodes.size() <= kMostListed) return names;
  return QObject::tr("%1 of %2: %3").arg(kMostListed).arg(nodes.size()).arg(names);
}

// What comes from outside, once.
std::vector<NodeId> read_by(const DrawnNode& drawn, const Graph& graph) {
  std::set<NodeId> known(drawn.nodes.begin(), drawn.nodes.end());
  std::vector<NodeId> out;
  for (const NodeId id : drawn.nodes)
    for (const NodeId operand : graph.node(id).operands)
      if (known.insert(operand).second) out.push_back(operand);
  return out;
}

}  // namespace

QStringList titles_of_nodes() {
  return {QObject::tr("node"), QObject::tr("kind"), QObject::tr("shape, or operators"),
          QObject::tr("yields"), QObject::tr("reads")};
}

std::vector<TextTable::Row> rows_of(const FoldedGraph& graph, const Model& model) {
  std::vector<TextTable::Row> out;
  for (const DrawnNode& node : graph.nodes)
    out.push_back({{text(node.title)},
                   {kind_in_words(node.kind)},
                   {text(node.detail)},
                   {names_of(node.nodes, model.graph)},
                   {names_of(read_by(node, model.graph), model.graph)}});
  return out;
}

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
