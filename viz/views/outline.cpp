#include "viz/views/outline.h"

#include <QObject>
#include <QTreeWidget>
#include <set>

namespace pet::viz {
namespace {

QString text(const std::string& words) { return QString::fromStdString(words); }

}  // namespace

void outline_of(const OpenedPair& pair, QTreeWidget& tree) {
  tree.clear();
  auto* top = new QTreeWidgetItem(&tree, {text(pair.name)});
  for (const auto& [title, program] : {std::pair(QObject::tr("original"), &pair.original_text),
                                       std::pair(QObject::tr("mutant"), &pair.mutant_text)}) {
    auto* branch = new QTreeWidgetItem(top, {title});
    for (const QString& line : text(*program).split('\n', Qt::SkipEmptyParts))
      new QTreeWidgetItem(branch, {line.trimmed()});
  }
  tree.expandAll();
}

void outline_of(const OpenedModel& opened, QTreeWidget& tree) {
  const Graph& graph = opened.model->graph;
  tree.clear();
  auto* subprograms = new QTreeWidgetItem(
      &tree, {QObject::tr("%1 subprograms").arg(opened.subprograms.classes.size())});
  for (const SubprogramClass& same : opened.subprograms.classes) {
    QStringList operators;
    for (const NodeId id : same.representative().nodes)
      operators << graph.node(id).op()->def->name.data();
    auto* one = new QTreeWidgetItem(
        subprograms, {QObject::tr("%1 (%2)").arg(operators.join(", ")).arg(same.places.size())});
    for (const Subprogram& place : same.places) {
      QStringList results;
      for (const NodeId id : place.outputs) results << text(graph.node(id).name);
      new QTreeWidgetItem(one, {results.join(", ")});
    }
  }
  subprograms->setExpanded(true);
  auto* opaque =
      new QTreeWidgetItem(&tree, {QObject::tr("%1 opaque nodes").arg(opened.model->opaque.size())});
  for (const OpaqueNote& note : opened.model->opaque) {
    const FileNode& node = opened.model->file_nodes[note.file_node];
    auto* one = new QTreeWidgetItem(opaque, {text(node.op_type + " " + node.name)});
    new QTreeWidgetItem(one, {text(note.reason)});
  }
}

QString facts_of(const OpenedModel& opened) {
  std::set<std::size_t> sets;
  std::size_t linear = 0;
  for (const auto& set : opened.linear_sets) {
    if (!set) continue;
    sets.insert(*set);
    ++linear;
  }
  return QObject::tr("%1 nodes in the file; %2 linear operators in %3 sets; %4 opaque")
      .arg(opened.model->file_nodes.size())
      .arg(linear)
      .arg(sets.size())
      .arg(opened.model->opaque.size());
}

}  // namespace pet::viz
