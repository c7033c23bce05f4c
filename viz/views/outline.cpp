#include "viz/views/outline.h"

#include <QTreeWidgetItemIterator>
#include <map>
#include <set>

#include "core/util/plural.h"

namespace pet::viz {
namespace {

QString text(const std::string& words) { return QString::fromStdString(words); }

// Which nodes an entry stands for; the last one is what it yields.
constexpr int kNodes = Qt::UserRole;

void stands_for(QTreeWidgetItem& item, const std::vector<NodeId>& nodes) {
  QVariantList numbers;
  for (const NodeId id : nodes) numbers << QVariant::fromValue<qulonglong>(id.index());
  item.setData(0, kNodes, numbers);
}

QString operators_of(const Subprogram& subprogram, const Graph& graph) {
  QStringList out;
  for (const NodeId id : subprogram.nodes) out << graph.node(id).op()->def->name.data();
  return out.join(", ");
}

QString results_of(const Subprogram& subprogram, const Graph& graph) {
  QStringList out;
  for (const NodeId id : subprogram.outputs) out << text(graph.node(id).name);
  return out.join(", ");
}

}  // namespace

OutlineTree::OutlineTree(QWidget* parent) : QTreeWidget(parent) {
  setHeaderHidden(true);
  setAccessibleName(tr("Outline"));
  const auto want = [this](const QTreeWidgetItem* item) {
    const QVariantList nodes = item->data(0, kNodes).toList();
    if (!nodes.isEmpty()) Q_EMIT node_wanted(NodeId(nodes.back().toULongLong()));
  };
  connect(this, &QTreeWidget::itemClicked, this, want);
  connect(this, &QTreeWidget::itemActivated, this, want);
}

void OutlineTree::show_pair(const OpenedPair& pair) {
  clear();
  auto* top = new QTreeWidgetItem(this, {text(pair.name)});
  for (const auto& [title, program] : {std::pair(tr("original"), &pair.original_text),
                                       std::pair(tr("mutant"), &pair.mutant_text)}) {
    auto* branch = new QTreeWidgetItem(top, {title});
    for (const QString& line : text(*program).split('\n', Qt::SkipEmptyParts))
      new QTreeWidgetItem(branch, {line.trimmed()});
  }
  expandAll();
}

void OutlineTree::show_model(const OpenedModel& opened) {
  clear();
  add_subprograms(opened);
  add_opaque(*opened.model);
}

void OutlineTree::add_subprograms(const OpenedModel& opened) {
  const Graph& graph = opened.model->graph;
  auto* all =
      new QTreeWidgetItem(this, {text(plural(opened.subprograms.classes.size(), "subprogram"))});
  for (const SubprogramClass& same : opened.subprograms.classes) {
    const Subprogram& first = same.representative();
    auto* one = new QTreeWidgetItem(
        all, {tr("%1 (%2)").arg(operators_of(first, graph)).arg(same.places.size())});
    for (const Subprogram& place : same.places)
      stands_for(*new QTreeWidgetItem(one, {results_of(place, graph)}), place.nodes);
    stands_for(*one, first.nodes);
  }
  all->setExpanded(true);
}

void OutlineTree::add_opaque(const Model& model) {
  auto* all = new QTreeWidgetItem(this, {text(plural(model.opaque.size(), "opaque node"))});
  std::map<std::size_t, std::vector<NodeId>> nodes;  // by file node
  for (const NodeId id : model.graph.ids())
    if (const auto origin = model.origins[id.index()]) nodes[*origin].push_back(id);
  for (const OpaqueNote& note : model.opaque) {
    const FileNode& node = model.file_nodes[note.file_node];
    auto* one = new QTreeWidgetItem(all, {text(node.op_type + " " + node.name)});
    new QTreeWidgetItem(one, {text(note.reason)});
    stands_for(*one, nodes[note.file_node]);
  }
}

void OutlineTree::show_node(NodeId id) {
  const auto number = QVariant::fromValue<qulonglong>(id.index());
  for (QTreeWidgetItemIterator at(this); *at != nullptr; ++at) {
    // A class stands for its first place, which is an entry of its own.
    const bool is_class = (*at)->parent() != nullptr && (*at)->childCount() > 0 &&
                          (*at)->child(0)->data(0, kNodes).isValid();
    if (is_class || !(*at)->data(0, kNodes).toList().contains(number)) continue;
    setCurrentItem(*at);
    return;
  }
  setCurrentItem(nullptr);
}

QString facts_of(const OpenedModel& opened) {
  std::set<std::size_t> sets;
  std::size_t linear = 0;
  for (const auto& set : opened.linear_sets) {
    if (!set) continue;
    sets.insert(*set);
    ++linear;
  }
  return QObject::tr("%1 in the file; %2 in %3; %4 opaque")
      .arg(text(plural(opened.model->file_nodes.size(), "node")),
           text(plural(linear, "linear operator")), text(plural(sets.size(), "set")))
      .arg(opened.model->opaque.size());
}

}  // namespace pet::viz
