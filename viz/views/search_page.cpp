#include "viz/views/search_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "viz/geometry/strip.h"
#include "viz/views/actions.h"
#include "viz/views/scene_view.h"
#include "viz/words/events.h"

namespace pet::viz {
namespace {

std::string id_of(std::size_t node) { return "node:" + std::to_string(node); }

std::size_t depth_of(const TraceNode& node) {
  return node.path.size() - 1 + (node.is_program ? 1U : 0U);
}

StripMark mark_of(const SearchLog& log, std::size_t number, std::size_t cursor) {
  const SearchLog::NodeRow& row = log.nodes()[number];
  StripMark out{depth_of(row.node), Role::Frame, !row.node.pruned, id_of(number),
                in_words(row.node)};
  if (row.node.pruned) return out;
  out.role = row.node.is_program ? Role::Unknown : Role::Text;
  if (!row.mutant || log.mutants()[*row.mutant].since >= cursor) return out;
  switch (log.fate_of(log.mutants()[*row.mutant], cursor)) {
    case Fate::Equal:
    case Fate::Measured:
    case Fate::Faster:
      out.role = Role::Equal;
      break;
    case Fate::Partial:
    case Fate::Wrong:
      out.role = Role::Wrong;
      break;
    default:
      out.role = log.mutants()[*row.mutant].in_part ? Role::Wrong : Role::Selected;
  }
  return out;
}

}  // namespace

SearchPage::SearchPage(SearchControl& search, QWidget* parent)
    : Page(parent), search_(search), model_(search.log()) {
  build();
  connect(&search_, &SearchControl::replaced, this, &SearchPage::replace);
  connect(&search_, &SearchControl::moved, this, &SearchPage::move);
  connect(&search_, &SearchControl::status_changed, this, [this] {
    status_->setText(search_.status());
    Q_EMIT changed();
  });
  connect(&search_, &SearchControl::mutant_selected, this, [this] {
    const auto row = search_.mutant();
    if (!row) return;
    const auto& nodes = search_.log().nodes();
    if (const auto node = selected_node(); node && nodes[*node].mutant == *row) return;
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      if (nodes[node].mutant == *row) return select_node(node);
    }
  });
}

void SearchPage::build() {
  status_ = new QLabel(tr("No search: open a model, then start one"));
  status_->setTextFormat(Qt::PlainText);
  status_->setWordWrap(true);
  buttons_ = new QHBoxLayout;
  buttons_->setSpacing(2);
  auto* line = new QHBoxLayout;
  auto* label = new QLabel(tr("Su&bprogram"));
  subprogram_ = new QComboBox;
  subprogram_->setAccessibleName(tr("Subprogram"));
  subprogram_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  subprogram_->setMinimumContentsLength(40);
  label->setBuddy(subprogram_);
  line->addWidget(label);
  line->addWidget(subprogram_, 1);
  strip_ = new SceneView;
  strip_->setAccessibleName(tr("The walk at a glance; the tree below says the same"));
  tree_ = new QTreeView;
  tree_->setModel(&model_);
  tree_->setUniformRowHeights(true);
  tree_->setAccessibleName(tr("Tree of the search"));
  tree_->header()->setStretchLastSection(false);
  tree_->header()->setSectionResizeMode(SearchTree::What, QHeaderView::Stretch);
  tree_->setColumnWidth(SearchTree::Outcome, 240);
  tree_->setColumnWidth(SearchTree::Tested, 110);
  tree_->setColumnWidth(SearchTree::Mutant, 80);
  auto* all = new QVBoxLayout(this);
  all->addLayout(buttons_);
  all->addWidget(status_);
  all->addLayout(line);
  all->addWidget(strip_);
  all->addWidget(tree_, 1);
  connect(subprogram_, &QComboBox::activated, this, [this](int index) {
    follows_ = false;
    choose_subprogram(subprogram_->itemData(index).toULongLong());
  });
  connect(strip_, &SceneView::chosen, this, [this](const QString& id) {
    if (id.startsWith("node:")) select_node(id.mid(5).toULongLong());
  });
  connect(tree_, &QTreeView::activated, this, [this](const QModelIndex& at) {
    if (const auto& mutant = search_.log().nodes()[model_.node_of(at)].mutant)
      Q_EMIT mutant_wanted(*mutant);
  });
  connect(tree_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& now) {
            draw();
            if (!now.isValid()) return;
            const SearchLog::NodeRow& row = search_.log().nodes()[model_.node_of(now)];
            Q_EMIT selected(QString::fromStdString(in_words(row.node)));
            if (row.mutant) search_.select_mutant(row.mutant);
          });
}

void SearchPage::add_actions(Actions& actions) {
  const auto add = [&](const Actions::What& what, std::function<void()> run) {
    QAction* action = actions.add(what, *this, std::move(run));
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setText(action->iconText());
    button->setAccessibleName(action->iconText());
    buttons_->addWidget(button);
  };
  add({"search.new", tr("&New search …"), tr("Search the open model for faster mutants"),
       QKeySequence("Ctrl+R")},
      [this] { Q_EMIT run_wanted(); });
  add({"search.run", tr("&Run"), tr("Let the search run on"), QKeySequence("F5")},
      [this] { search_.go_on(); });
  add({"search.pause", tr("Pa&use"),
       tr("Pause after the piece in work: a measurement at the longest"), QKeySequence("F6")},
      [this] { search_.pause(); });
  add({"search.node", tr("Step a n&ode"), tr("To the next node of the tree, or the next decision"),
       QKeySequence("F10")},
      [this] { search_.go(Until::Node); });
  add({"search.mutant", tr("Next &mutant"), tr("To the next mutant that is looked at"),
       QKeySequence("F11")},
      [this] { search_.go(Until::Mutant); });
  add({"search.partial", tr("Next &partial"),
       tr("To the next mutant that is wrong in part, as its fingerprint or a check tells"),
       QKeySequence("F12")},
      [this] { search_.go(Until::Partial); });
  add({"search.candidate", tr("Next m&easured"), tr("To the next candidate that is measured"),
       QKeySequence("Shift+F10")},
      [this] { search_.go(Until::Candidate); });
  add({"search.subprogram", tr("Next &subprogram"), tr("To the next round of a subprogram"),
       QKeySequence("Shift+F11")},
      [this] { search_.go(Until::Subprogram); });
  add({"search.back", tr("&Back"), tr("The cursor of the log goes back by one entry"),
       QKeySequence("Shift+F9")},
      [this] { search_.step_back(); });
  add({"search.stop", tr("S&top"),
       tr("End the search for good; what it has found stays. Going on is a new search"),
       QKeySequence("Shift+F5")},
      [this] { search_.stop(); });
  actions.add(
      {"search.walk", tr("&Walk this subprogram again"),
       tr("Journals hold no nodes: regenerate how the search walked through the subprogram"),
       QKeySequence("Ctrl+Shift+R")},
      *this, [this] { Q_EMIT walk_wanted(model_.subprogram()); });
  buttons_->addStretch();
}

void SearchPage::refresh() {
  if (!search_.is_live() && search_.log().size() == 0)
    status_->setText(opened().model ? tr("No search: Ctrl+R starts one")
                                    : tr("No search: open a model, then start one"));
}

void SearchPage::replace() {
  follows_ = true;
  fill_subprograms();
  const auto& known = search_.log().subprograms();
  choose_subprogram(known.empty() ? 0 : known.front().found.number);
}

void SearchPage::fill_subprograms() {
  const QSignalBlocker quiet(subprogram_);
  const auto& known = search_.log().subprograms();
  const auto count = static_cast<int>(SearchLog::count_at(known, search_.cursor()));
  while (subprogram_->count() > count) subprogram_->removeItem(subprogram_->count() - 1);
  for (int i = 0; i < count; ++i) {
    const SubprogramFound& found = known[static_cast<std::size_t>(i)].found;
    const QString words =
        QString("S%1: %2").arg(found.number).arg(QString::fromStdString(in_words(found)));
    if (i < subprogram_->count())
      subprogram_->setItemText(i, words);
    else
      subprogram_->addItem(words);
    subprogram_->setItemData(i, static_cast<qulonglong>(found.number));
  }
}

void SearchPage::choose_subprogram(std::size_t number) {
  model_.show(number, search_.cursor());
  walked_.clear();
  looked_ = deepest_ = 0;
  const QSignalBlocker quiet(subprogram_);
  subprogram_->setCurrentIndex(subprogram_->findData(static_cast<qulonglong>(number)));
  tree_->expandToDepth(0);
  draw();
}

void SearchPage::move() {
  fill_subprograms();
  const SearchLog& log = search_.log();
  const std::size_t nodes = SearchLog::count_at(log.nodes(), search_.cursor());
  if (follows_ && nodes > 0 && log.nodes()[nodes - 1].subprogram != model_.subprogram())
    choose_subprogram(log.nodes()[nodes - 1].subprogram);
  model_.move_to(search_.cursor());
  if (nodes > 0 && log.nodes()[nodes - 1].subprogram == model_.subprogram() &&
      !search_.is_running())
    tree_->scrollTo(model_.index_of(nodes - 1));
  tree_->viewport()->update();
  draw();
  Q_EMIT changed();
}

std::optional<std::size_t> SearchPage::selected_node() const {
  const QModelIndex now = tree_->currentIndex();
  return now.isValid() ? std::optional(model_.node_of(now)) : std::nullopt;
}

// As far as the cursor: what came since is looked at, what lies behind it goes.
void SearchPage::follow_walk() {
  const auto& nodes = search_.log().nodes();
  const std::size_t end = SearchLog::count_at(nodes, search_.cursor());
  while (!walked_.empty() && walked_.back() >= end) walked_.pop_back();
  for (std::size_t i = looked_; i < end; ++i) {
    if (nodes[i].subprogram != model_.subprogram()) continue;
    walked_.push_back(i);
    deepest_ = std::max(deepest_, depth_of(nodes[i].node));
  }
  looked_ = end;
}

void SearchPage::draw() {
  follow_walk();
  const SearchLog& log = search_.log();
  const double width = std::max(200, tree_->width() - 4);
  Strip strip;
  strip.all = walked_.size();
  strip.deepest = deepest_;
  std::optional<std::size_t> seen;  // while it runs, the newest ones are
  if (const auto node = selected_node()) {
    strip.selected = id_of(*node);
    if (!search_.is_running())
      seen = static_cast<std::size_t>(std::ranges::lower_bound(walked_, *node) - walked_.begin());
  }
  const std::size_t room = room_of_strip(width);
  strip.first = first_of_strip(strip.all, room, seen);
  for (std::size_t i = strip.first; i < std::min(strip.all, strip.first + room); ++i)
    strip.marks.push_back(mark_of(log, walked_[i], search_.cursor()));
  strip_->show_scene(strip_scene(strip, width, "nodes and programs"));
  strip_->setMinimumWidth(0);  // the page may become narrower again
}

void SearchPage::select_node(std::size_t node) {
  if (search_.log().nodes()[node].subprogram != model_.subprogram())
    choose_subprogram(search_.log().nodes()[node].subprogram);
  const QModelIndex index = model_.index_of(node);
  tree_->setCurrentIndex(index);
  tree_->scrollTo(index);
}

void SearchPage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  draw();
}

nlohmann::ordered_json SearchPage::state() const {
  const SearchLog& log = search_.log();
  const std::size_t cursor = search_.cursor();
  return {{"headline", status_->text().toStdString()},
          {"running", search_.is_running()},
          {"cursor", cursor},
          {"events", log.size()},
          {"nodes", SearchLog::count_at(log.nodes(), cursor)},
          {"mutants", SearchLog::count_at(log.mutants(), cursor)}};
}

void SearchPage::set_theme(const Theme& theme) { strip_->set_theme(theme); }
const Scene& SearchPage::scene() const { return strip_->scene(); }

}  // namespace pet::viz
