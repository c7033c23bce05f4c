#include "viz/views/graph_page.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/util/plural.h"
#include "viz/graph_layout/graphviz.h"
#include "viz/session/jobs.h"
#include "viz/views/actions.h"
#include "viz/views/find_bar.h"
#include "viz/views/graph_view.h"
#include "viz/views/node_words.h"
#include "viz/views/outline.h"
#include "viz/views/page_parts.h"

namespace pet::viz {
namespace {

QKeySequence minimap_key() { return QKeySequence("M"); }

}  // namespace

GraphPage::GraphPage(Jobs& jobs, QWidget* parent) : Page(parent), jobs_(jobs) {
  headline_ = new QLabel;
  headline_->setTextFormat(Qt::PlainText);
  headline_->setWordWrap(true);
  minimap_ = new QCheckBox(tr("Minimap"));
  minimap_->setChecked(true);
  find_ = new FindBar;
  view_ = new GraphView;
  view_->show_minimap(minimap_key());
  view_->setAccessibleName(tr("The model as a graph; the table below says the same"));
  setFocusProxy(view_);
  auto* all = new QVBoxLayout(this);
  auto* line = new QHBoxLayout;
  line->addWidget(headline_, 1);
  line->addWidget(minimap_);
  all->addLayout(line);
  all->addWidget(find_);
  auto* both = new QSplitter(Qt::Vertical);
  both->addWidget(view_);
  both->addWidget(make_table());
  both->setStretchFactor(0, 1);
  both->setSizes({400, 90});
  all->addWidget(both, 1);
  connect(view_, &GraphView::chosen, this, &GraphPage::choose);
  connect(view_, &GraphView::walked, this, &GraphPage::walk);
  connect(view_, &GraphView::entered, this, &GraphPage::toggle_selected);
  connect(view_, &GraphView::zoomed, this, &Page::changed);
  connect(minimap_, &QCheckBox::toggled, this, &GraphPage::set_minimap);
  connect(minimap_, &QCheckBox::toggled, this, &Page::changed);
  connect(find_, &FindBar::found, this, &GraphPage::find);
  connect(find_, &FindBar::changed, this, &Page::changed);
  connect(find_, &FindBar::left, this, [this] { view_->setFocus(); });
}

QTableView* GraphPage::make_table() {
  nodes_ = new TextTable(this);
  table_ = table_of(nodes_, tr("The nodes that are drawn"));
  table_->horizontalHeader()->setStretchLastSection(true);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& now) {
            const auto row = static_cast<std::size_t>(now.row());
            if (now.isValid() && selected_ != row) go_to(row);
          });
  connect(table_, &QTableView::activated, this, &GraphPage::toggle_selected);
  return table_;
}

void GraphPage::list_nodes() {
  nodes_->show(titles_of_nodes(), opened().model ? rows_of(graph_, *opened().model->model)
                                                 : std::vector<TextTable::Row>());
  constexpr int kWidths[] = {150, 80, 150, 190};
  for (int column = 0; column < std::ssize(kWidths); ++column)
    table_->setColumnWidth(column, kWidths[column]);
}

void GraphPage::add_actions(Actions& actions) {
  actions.add({"graph.open", tr("&Open all sets"), tr("Draw every linear operator by itself"),
               QKeySequence("Ctrl+E")},
              *this, [this] { open_all(); });
  actions.add({"graph.fold", tr("&Fold all sets"),
               tr("Draw each set of linear operators as one node"), QKeySequence("Ctrl+Shift+E")},
              *this, [this] { fold_all(); });
  actions.add({"graph.graphviz", tr("Layout by Graph&viz"),
               tr("Ask Graphviz (dot) where nodes stand, or keep this program's own layout"),
               QKeySequence("Ctrl+G")},
              *this, [this] {
                is_graphviz_ = !is_graphviz_;
                draw();
              });
  const QAction* minimap = actions.add(
      {"graph.minimap", tr("&Minimap"),
       tr("Show or hide all of the graph, small, in a corner; it is there where not all is seen"),
       minimap_key()},
      *this, [this] { minimap_->toggle(); });
  minimap_->setToolTip(
      tr("%1 (%2)").arg(minimap->toolTip(), minimap_key().toString(QKeySequence::NativeText)));
  add_moves(actions);
}

void GraphPage::set_minimap(bool is_wanted) {
  if (is_wanted)
    view_->show_minimap(minimap_key());
  else
    view_->hide_minimap();
}

void GraphPage::add_moves(Actions& actions) {
  actions.add({"graph.find", tr("F&ind a node …"),
               tr("Find nodes by name, operator or output: Enter goes to the next one"),
               QKeySequence("Ctrl+F")},
              *this, [this] { find_->start(); });
  actions.add({"graph.find_next", tr("Find the &next"), tr("The next node that was found"),
               QKeySequence("F3")},
              *this, [this] { find_->step(1); });
  actions.add({"graph.find_previous", tr("Find the &previous"), tr("The one that was found before"),
               QKeySequence("Shift+F3")},
              *this, [this] { find_->step(-1); });
  actions.add(
      {"graph.larger", tr("&Larger"), tr("Zoom in; also by Ctrl and the wheel"), QKeySequence("+")},
      *this, [this] { view_->zoom_in(); });
  actions.add({"graph.smaller", tr("&Smaller"), tr("Zoom out; also by Ctrl and the wheel"),
               QKeySequence("-")},
              *this, [this] { view_->zoom_out(); });
  actions.add({"graph.fit", tr("Fi&t"), tr("All of the graph, where it can still be told apart"),
               QKeySequence("0")},
              *this, [this] { view_->fit(); });
}

void GraphPage::refresh() {
  open_.clear();
  view_->from_the_top();
  find_->show_nodes(opened().model ? findable(*opened().model->model) : std::vector<Findable>());
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

std::optional<std::size_t> GraphPage::drawn_of(NodeId id) const {
  for (std::size_t i = 0; i < graph_.nodes.size(); ++i)
    if (std::ranges::find(graph_.nodes[i].nodes, id) != graph_.nodes[i].nodes.end()) return i;
  return std::nullopt;
}

void GraphPage::show_node(NodeId id) {
  const auto drawn = drawn_of(id);
  if (!drawn) return;
  select(drawn);
  view_->reveal(places_[*drawn]);
}

void GraphPage::find(NodeId id) {
  const auto set = opened().model->linear_sets[id.index()];
  const auto drawn = drawn_of(id);
  if (set && drawn && graph_.nodes[*drawn].kind == DrawnNode::Kind::Set) {
    open_.insert(*set);
    draw();
  }
  show_node(id);
  Q_EMIT node_chosen(id);
}

void GraphPage::choose(const QString& id) {
  const auto node = std::ranges::find(graph_.nodes, id.toStdString(), &DrawnNode::id);
  if (node == graph_.nodes.end()) return select(std::nullopt);
  const auto drawn = static_cast<std::size_t>(node - graph_.nodes.begin());
  // A second click opens a set, or folds the one that the operator is in.
  if (selected_ == drawn && node->set) return toggle_selected();
  select(drawn);
  Q_EMIT node_chosen(node->nodes.front());
}

void GraphPage::walk(Direction direction) {
  if (graph_.nodes.empty()) return;
  const auto next = selected_ ? neighbour(places_, graph_.edges, *selected_, direction) : 0;
  if (next) go_to(*next);
}

void GraphPage::go_to(std::size_t drawn) {
  select(drawn);
  view_->reveal(places_[drawn]);
  Q_EMIT node_chosen(graph_.nodes[drawn].nodes.front());
}

void GraphPage::toggle_selected() {
  if (!selected_ || !graph_.nodes[*selected_].set) return;
  const std::size_t set = *graph_.nodes[*selected_].set;
  const NodeId first = graph_.nodes[*selected_].nodes.front();
  if (open_.erase(set) == 0) open_.insert(set);
  draw();
  show_node(first);
}

void GraphPage::select(std::optional<std::size_t> drawn) {
  selected_ = drawn;
  view_->mark(drawn ? std::vector{places_[*drawn]} : std::vector<Rect>{});
  table_->setCurrentIndex(drawn ? nodes_->index(static_cast<int>(*drawn), 0) : QModelIndex());
  if (drawn) Q_EMIT Page::selected(words_of(graph_.nodes[*drawn], *opened().model->model));
  Q_EMIT changed();
}

void GraphPage::draw() {
  selected_.reset();
  if (!opened().model) {
    headline_->setText(tr("Nothing is open that has a graph: open a model"));
    graph_ = {};
    places_.clear();
    view_->show_scene({});
    list_nodes();
    return;
  }
  graph_ = folded(opened().model->model->graph, opened().model->linear_sets, open_);
  ++drawn_;
  show_drawing(drawing_of(graph_));
  list_nodes();
  headline_->setText(tr("%1 drawn; %2")
                         .arg(QString::fromStdString(plural(graph_.nodes.size(), "node")),
                              facts_of(*opened().model)));
  if (is_graphviz_) ask_graphviz();
}

void GraphPage::show_drawing(GraphDrawing drawing) {
  places_ = std::move(drawing.places);
  view_->show_scene(std::move(drawing.scene));
}

// Until it answers, and where it does not, the own layout stands.
void GraphPage::ask_graphviz() {
  jobs_.start(
      "layout", "asking Graphviz for a layout",
      [this, graph = graph_, number = drawn_](const std::stop_token& stop) -> Result<Delivery> {
        auto layout = graphviz_layout(graph, stop);
        if (!layout) return std::move(layout).error();
        return Delivery([this, number, layout = *std::move(layout)] {
          if (number != drawn_) return;
          std::vector<LayoutNode> sizes;
          for (const DrawnNode& node : graph_.nodes) sizes.push_back(size_of(node));
          const auto selected = selected_;
          show_drawing(drawing_in(graph_, sizes, layout));
          select(selected);
          headline_->setText(headline_->text() + tr("; laid out by Graphviz"));
          Q_EMIT changed();
        });
      });
}

std::string GraphPage::dot() const { return graph_.nodes.empty() ? "" : to_dot(graph_); }

nlohmann::ordered_json GraphPage::state() const {
  return {{"headline", headline_->text().toStdString()},
          {"zoom", std::lround(100 * view_->shown().scale())},
          {"found", find_->in_words()},
          {"node", selected_ ? graph_.nodes[*selected_].title : ""}};
}

void GraphPage::set_theme(const Theme& theme) { view_->set_theme(theme); }
const Scene& GraphPage::scene() const { return view_->scene(); }

}  // namespace pet::viz
