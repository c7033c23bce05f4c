#include "viz/views/graph_page.h"

#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "viz/views/actions.h"
#include "viz/views/outline.h"
#include "viz/views/scene_view.h"

namespace pet::viz {
namespace {

QString text(const std::string& words) { return QString::fromStdString(words); }

}  // namespace

GraphPage::GraphPage(QWidget* parent) : Page(parent) {
  headline_ = new QLabel;
  headline_->setTextFormat(Qt::PlainText);
  view_ = new SceneView;
  view_->setAccessibleName(tr("The model as a graph; the outline says the same"));
  auto* scroll = new QScrollArea;
  scroll->setWidget(view_);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  auto* all = new QVBoxLayout(this);
  all->addWidget(headline_);
  all->addWidget(scroll, 1);
  connect(view_, &SceneView::chosen, this, &GraphPage::choose);
}

void GraphPage::add_actions(Actions& actions) {
  actions.add({"graph.open", tr("&Open all sets"), tr("Draw every linear operator by itself"),
               QKeySequence("Ctrl+E")},
              *this, [this] { open_all(); });
  actions.add({"graph.fold", tr("&Fold all sets"),
               tr("Draw each set of linear operators as one node"), QKeySequence("Ctrl+Shift+E")},
              *this, [this] { fold_all(); });
}

void GraphPage::refresh() {
  open_.clear();
  selected_.reset();
  draw();
}

void GraphPage::open_all() {
  if (!opened().model) return;
  for (const auto& set : opened().model->linear_sets)
    if (set) open_.insert(*set);
  draw();
}

void GraphPage::fold_all() {
  open_.clear();
  draw();
}

void GraphPage::choose(const QString& id) {
  if (!opened().model) return;
  const auto node = std::ranges::find(graph_.nodes, id.toStdString(), &DrawnNode::id);
  if (node == graph_.nodes.end()) return;
  Q_EMIT Page::selected(words_of(*node));
  const bool is_again = selected_ == node->id;
  selected_ = node->id;
  // A second click opens a set, or folds the one that the operator is in.
  if (is_again && node->set) {
    const std::size_t set = *node->set;
    if (open_.erase(set) == 0) open_.insert(set);
    selected_.reset();
  }
  draw();
}

QString GraphPage::words_of(const DrawnNode& drawn) const {
  QString out = text(drawn.title) + "\n";
  const auto& model = opened().model->model;
  for (const NodeId id : drawn.nodes) {
    const Node& node = model->graph.node(id);
    out += QString("\n%1\n  %2\n").arg(text(node.name), text(to_string(node.type)));
    if (drawn.kind == DrawnNode::Kind::Set)
      out += "  " + text(std::string(node.op()->def->name)) + "\n";
    for (const NodeId operand : node.operands) {
      const Node& from = model->graph.node(operand);
      out += QString("  reads %1 %2\n").arg(text(from.name), text(to_string(from.type)));
    }
    const auto origin = model->origins[id.index()];
    const auto note = std::ranges::find_if(
        model->opaque, [&](const OpaqueNote& o) { return origin == o.file_node; });
    if (note != model->opaque.end()) out += "  " + tr("opaque: %1").arg(text(note->reason)) + "\n";
  }
  if (drawn.set) out += "\n" + tr("Click once more to open or fold its set.");
  return out;
}

void GraphPage::draw() {
  if (!opened().model) {
    headline_->setText(tr("Nothing is open that has a graph: open a model"));
    view_->show_scene({});
    return;
  }
  const Model& model = *opened().model->model;
  graph_ = folded(model.graph, opened().model->linear_sets, open_);
  view_->show_scene(graph_scene(graph_, selected_));
  headline_->setText(
      tr("%1 nodes drawn; %2").arg(graph_.nodes.size()).arg(facts_of(*opened().model)));
}

nlohmann::ordered_json GraphPage::state() const {
  return {{"headline", headline_->text().toStdString()}};
}

void GraphPage::set_theme(const Theme& theme) { view_->set_theme(theme); }
const Scene& GraphPage::scene() const { return view_->scene(); }

}  // namespace pet::viz
