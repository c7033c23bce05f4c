#include "viz/views/graph_page.h"

#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "viz/views/scene_view.h"

namespace pet::viz {
namespace {

QString text(const std::string& words) { return QString::fromStdString(words); }

}  // namespace

GraphPage::GraphPage(QWidget* parent) : QWidget(parent) {
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

void GraphPage::show_model(std::shared_ptr<const Model> model,
                           std::vector<std::optional<std::size_t>> sets) {
  model_ = std::move(model);
  sets_ = std::move(sets);
  open_.clear();
  selected_.reset();
  draw();
}

void GraphPage::open_all() {
  for (const auto& set : sets_)
    if (set) open_.insert(*set);
  draw();
}

void GraphPage::fold_all() {
  open_.clear();
  draw();
}

void GraphPage::choose(const QString& id) {
  if (!model_) return;
  const auto node = std::ranges::find(graph_.nodes, id.toStdString(), &DrawnNode::id);
  if (node == graph_.nodes.end()) return;
  Q_EMIT chosen(words_of(*node));
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
  for (const NodeId id : drawn.nodes) {
    const Node& node = model_->graph.node(id);
    out += QString("\n%1\n  %2\n").arg(text(node.name), text(to_string(node.type)));
    if (drawn.kind == DrawnNode::Kind::Set)
      out += "  " + text(std::string(node.op()->def->name)) + "\n";
    for (const NodeId operand : node.operands) {
      const Node& from = model_->graph.node(operand);
      out += QString("  reads %1 %2\n").arg(text(from.name), text(to_string(from.type)));
    }
    const auto origin = model_->origins[id.index()];
    const auto note = std::ranges::find_if(
        model_->opaque, [&](const OpaqueNote& o) { return origin == o.file_node; });
    if (note != model_->opaque.end()) out += "  " + tr("opaque: %1").arg(text(note->reason)) + "\n";
  }
  if (drawn.set) out += "\n" + tr("Click once more to open or fold its set.");
  return out;
}

void GraphPage::draw() {
  if (!model_) return;
  graph_ = folded(model_->graph, sets_, open_);
  view_->show_scene(graph_scene(graph_, selected_));
  std::set<std::size_t> sets;
  std::size_t linear = 0;
  for (const auto& set : sets_) {
    if (!set) continue;
    sets.insert(*set);
    ++linear;
  }
  facts_ = tr("%1 nodes drawn of %2 in the file; %3 linear operators in %4 sets; %5 opaque")
               .arg(graph_.nodes.size())
               .arg(model_->file_nodes.size())
               .arg(linear)
               .arg(sets.size())
               .arg(model_->opaque.size());
  headline_->setText(facts_);
}

void GraphPage::set_theme(const Theme& theme) { view_->set_theme(theme); }
const Scene& GraphPage::scene() const { return view_->scene(); }

}  // namespace pet::viz
