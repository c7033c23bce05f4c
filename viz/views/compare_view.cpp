#include "viz/views/compare_view.h"

#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/util/printable.h"
#include "viz/models/text_table.h"
#include "viz/views/graph_view.h"
#include "viz/views/page_parts.h"

namespace pet::viz {
namespace {

constexpr double kAroundHatch = 8;  // so that what is marked can be seen below

QString text(const std::string& words) { return QString::fromStdString(words); }

}  // namespace

CompareView::CompareView(QWidget* parent) : QWidget(parent) {
  auto* halves = new QSplitter(Qt::Vertical);
  halves->addWidget(make_panes());
  make_table();
  halves->addWidget(table_);
  halves->setStretchFactor(0, 1);
  halves->setSizes({400, 100});
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(halves);
  setFocusProxy(here_.view);
}

QSplitter* CompareView::make_panes() {
  here_ = make_pane(tr("The original as a graph; the table of differences says the same"));
  there_ = make_pane(tr("The other one as a graph; the table of differences says the same"));
  auto* both = new QSplitter;
  for (const Pane& pane : {here_, there_}) {
    auto* side = new QWidget;
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(pane.title);
    column->addWidget(pane.view, 1);
    both->addWidget(side);
  }
  both->setSizes({400, 400});
  both->setChildrenCollapsible(false);
  connect_panes(here_, there_);
  connect_panes(there_, here_);
  connect(here_.view, &GraphView::walked, this,
          [this](Direction direction) { walk(graph_.here, direction); });
  connect(there_.view, &GraphView::walked, this,
          [this](Direction direction) { walk(graph_.there, direction); });
  return both;
}

void CompareView::make_table() {
  changes_ = new TextTable(this);
  table_ = table_of(changes_, tr("The differences"));
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->hide();
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& now) {
            const auto row = static_cast<std::size_t>(now.row());
            if (now.isValid() && change_ != row) choose_change(row);
          });
}

void CompareView::list_changes() {
  const auto text = [](const std::string& words) { return QString::fromStdString(words); };
  std::vector<TextTable::Row> rows;
  if (comparison_) {
    for (const ChangeWords& row : words_of(*comparison_))
      rows.push_back({{text(row.what)},
                      {text(row.here)},
                      {text(row.there)},
                      {text(row.known)},
                      {text(row.yields)}});
  }
  const QString here = comparison_ ? text(comparison_->here.name) : QString();
  const QString there = comparison_ ? text(comparison_->there.name) : QString();
  changes_->show({tr("what"), here, there, tr("what is known"), tr("yields")}, std::move(rows));
  table_->setVisible(changes_->rowCount() > 0);
  // The last one takes what room is left.
  for (int column = 0; column + 1 < changes_->columnCount(); ++column)
    table_->resizeColumnToContents(column);
}

CompareView::Pane CompareView::make_pane(const QString& name) {
  Pane out{new QLabel, new GraphView};
  out.title->setTextFormat(Qt::PlainText);
  QFont bold = out.title->font();
  bold.setBold(true);
  out.title->setFont(bold);
  out.title->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
  out.view->setAccessibleName(name);
  return out;
}

void CompareView::connect_panes(const Pane& from, const Pane& to) {
  connect(from.view, &GraphView::moved, to.view,
          [from, to] { to.view->show_like(from.view->shown()); });
  connect(from.view, &GraphView::chosen, this, &CompareView::choose);
  connect(from.view, &GraphView::entered, this, &CompareView::toggle_run);
  connect(from.view, &GraphView::zoomed, this, &CompareView::changed);
}

void CompareView::show_comparison(std::shared_ptr<const SideBySide> comparison) {
  comparison_ = std::move(comparison);
  fold_.opened.clear();
  cell_.reset();
  change_.reset();
  here_.title->setText(comparison_ ? text(printable(comparison_->here.name)) : QString());
  there_.title->setText(comparison_ ? text(printable(comparison_->there.name)) : QString());
  here_.view->from_the_top();
  there_.view->from_the_top();
  draw();
  here_.view->fit_width();
  list_changes();
  step(1);
}

void CompareView::set_theme(const Theme& theme) {
  here_.view->set_theme(theme);
  there_.view->set_theme(theme);
}

void CompareView::set_folded(bool is_folded) {
  fold_ = {is_folded, {}};
  draw();
}

void CompareView::zoom_in() { here_.view->zoom_in(); }
void CompareView::zoom_out() { here_.view->zoom_out(); }
void CompareView::fit() { here_.view->fit(); }

void CompareView::draw() {
  const auto change = change_;
  cell_.reset();
  change_.reset();
  graph_ = {};
  ComparedDrawing drawing;
  if (comparison_) {
    graph_ = compared(*comparison_->here.graph, *comparison_->there.graph,
                      comparison_->counterparts, fold_);
    drawing = drawing_of(graph_);
  }
  places_ = std::move(drawing.places);
  here_.view->show_scene(std::move(drawing.here));
  there_.view->show_scene(std::move(drawing.there));
  if (change) choose_change(*change);
  Q_EMIT changed();
}

void CompareView::choose(const QString& id) {
  const auto at = std::ranges::find(graph_.here.nodes, id.toStdString(), &DrawnNode::id);
  if (at == graph_.here.nodes.end()) return choose_cell(std::nullopt);
  const auto cell = static_cast<std::size_t>(at - graph_.here.nodes.begin());
  // A second click opens a run, or folds the one that the node is in.
  if (cell_ == cell && graph_.cells[cell].run) return toggle_run();
  choose_cell(cell);
}

void CompareView::walk(const FoldedGraph& side, Direction direction) {
  if (graph_.cells.empty()) return;
  const auto next = cell_ ? neighbour(places_, side.edges, *cell_, direction) : 0;
  if (!next) return;
  choose_cell(next);
  here_.view->reveal(places_[*next]);
}

void CompareView::toggle_run() {
  if (!cell_ || !graph_.cells[*cell_].run) return;
  const NodeId run = *graph_.cells[*cell_].run;
  if (fold_.opened.erase(run) == 0) fold_.opened.insert(run);
  draw();
  const auto cell =
      std::ranges::find_if(graph_.cells, [&](const ComparedCell& one) { return one.run == run; });
  if (cell == graph_.cells.end()) return;
  choose_cell(static_cast<std::size_t>(cell - graph_.cells.begin()));
  here_.view->reveal(places_[*cell_]);
}

void CompareView::choose_cell(std::optional<std::size_t> cell) {
  cell_ = cell;
  change_.reset();
  table_->setCurrentIndex({});  // what is unchanged stands in no row
  if (!cell) {
    mark({});
    return Q_EMIT changed();
  }
  const ComparedCell& chosen = graph_.cells[*cell];
  if (chosen.change) return choose_change(*chosen.change);
  mark({*cell});
  Q_EMIT selected(text(in_words(*comparison_, chosen.here, chosen.there)));
  Q_EMIT changed();
}

void CompareView::step(int direction) {
  if (!comparison_ || comparison_->counterparts.changes.empty()) return;
  const auto number = static_cast<int>(comparison_->counterparts.changes.size());
  const int first = direction > 0 ? 0 : number - 1;
  const int next = change_ ? (static_cast<int>(*change_) + direction + number) % number : first;
  choose_change(static_cast<std::size_t>(next));
}

void CompareView::choose_change(std::size_t number) {
  std::vector<std::size_t> cells;
  for (std::size_t i = 0; i < graph_.cells.size(); ++i)
    if (graph_.cells[i].change == number) cells.push_back(i);
  if (cells.empty()) return;
  if (!cell_ || graph_.cells[*cell_].change != number) cell_ = cells.front();
  change_ = number;
  mark(cells);
  here_.view->reveal(around(cells));
  Q_EMIT selected(text(in_words(*comparison_, number)));
  table_->selectRow(static_cast<int>(number));
  Q_EMIT changed();
}

// Counterparts are marked in both.
void CompareView::mark(const std::vector<std::size_t>& cells) {
  std::vector<Rect> here, there;
  for (const std::size_t i : cells) {
    const double by = graph_.cells[i].change ? kAroundHatch : 0;
    const Rect at{places_[i].x - by, places_[i].y - by, places_[i].width + 2 * by,
                  places_[i].height + 2 * by};
    if (!graph_.cells[i].here.empty()) here.push_back(at);
    if (!graph_.cells[i].there.empty()) there.push_back(at);
  }
  here_.view->mark(here);
  there_.view->mark(there);
}

Rect CompareView::around(const std::vector<std::size_t>& cells) const {
  Rect out = places_[cells.front()];
  for (const std::size_t i : cells) {
    const Rect& at = places_[i];
    const double right = std::max(out.right(), at.right());
    const double bottom = std::max(out.bottom(), at.bottom());
    out.x = std::min(out.x, at.x);
    out.y = std::min(out.y, at.y);
    out.width = right - out.x;
    out.height = bottom - out.y;
  }
  return out;
}

const Scene& CompareView::scene() const {
  both_ = comparison_ ? side_by_side(here_.view->scene(), printable(comparison_->here.name),
                                     there_.view->scene(), printable(comparison_->there.name))
                      : Scene{};
  return both_;
}

nlohmann::ordered_json CompareView::state() const {
  if (!comparison_) return nlohmann::ordered_json::object();
  const auto title = [&](const FoldedGraph& side) {
    return cell_ ? printable(side.nodes[*cell_].title) : std::string();
  };
  const std::size_t changes = comparison_->counterparts.changes.size();
  return {{"changes", changes},
          {"unchanged", comparison_->counterparts.unchanged.size()},
          {"drawn", graph_.cells.size()},
          {"difference", change_ ? *change_ + 1 : 0},
          {"here", title(graph_.here)},
          {"there", title(graph_.there)},
          {"zoom", std::lround(100 * here_.view->shown().scale())}};
}

}  // namespace pet::viz
