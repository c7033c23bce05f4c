#include "viz/views/rounds_page.h"

#include <fmt/format.h>

#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/util/plural.h"
#include "viz/geometry/rounds_scene.h"
#include "viz/views/page_parts.h"
#include "viz/views/scene_view.h"
#include "viz/words/events.h"

namespace pet::viz {
namespace {

std::string id_of(std::size_t mutant) { return fmt::format("mutant:{}", mutant); }

DrawnCard::Kind kind_of(Fate fate) {
  switch (fate) {
    case Fate::Dropped:
    case Fate::Discarded:
      return DrawnCard::Kind::Gone;
    case Fate::Partial:
    case Fate::Wrong:
      return DrawnCard::Kind::Wrong;
    case Fate::Faster:
      return DrawnCard::Kind::Faster;
    case Fate::Equal:
    case Fate::Measured:
      return DrawnCard::Kind::Looked;
    default:
      return DrawnCard::Kind::Waiting;
  }
}

DrawnCard drawn(const RoundCard& card, std::size_t subprogram, const SearchLog& log) {
  DrawnCard out{id_of(card.mutant), fmt::format("M{}", card.lineage.id.value), in_words(card)};
  if (card.estimate_ms) out.title += fmt::format(" · {:.3g} ms", *card.estimate_ms);
  out.tooltip = name_of(subprogram, card.lineage.id) + ": " + pet::in_words(card.lineage.moves);
  if (card.lineage.parent)
    if (const auto parent = log.row_of(subprogram, *card.lineage.parent))
      out.parent = id_of(*parent);
  out.kind = kind_of(card.fate);
  out.is_chosen = card.is_chosen;
  return out;
}

std::vector<DrawnColumn> drawn(const std::vector<RoundsOfSubprogram>& rounds,
                               const SearchLog& log) {
  std::vector<DrawnColumn> out;
  for (const RoundsOfSubprogram& one : rounds) {
    DrawnColumn column{fmt::format("S{}", one.subprogram), one.title, {}};
    for (const auto& round : one.rounds) {
      DrawnRound band{fmt::format("round {}: {} of {}", round.number + 1, round.cards.size(),
                                  plural(round.mutants, "mutant")),
                      {}};
      for (const RoundCard& card : round.cards)
        band.cards.push_back(drawn(card, one.subprogram, log));
      column.rounds.push_back(std::move(band));
    }
    out.push_back(std::move(column));
  }
  return out;
}

enum Column { kSubprogram, kRound, kName, kMoves, kEstimate, kState, kPlan };

TextTable::Row row_of(const RoundsOfSubprogram& column, const RoundCard& card) {
  const auto text = [](const std::string& words) { return QString::fromStdString(words); };
  const std::size_t round = card.lineage.round + 1;
  TextTable::Cell estimate;
  if (card.estimate_ms)
    estimate = {RoundsPage::tr("%1 ms").arg(*card.estimate_ms, 0, 'g', 4), *card.estimate_ms};
  return {{text(column.title)},
          {QString::number(round), static_cast<double>(round)},
          {text(name_of(column.subprogram, card.lineage.id))},
          {text(pet::in_words(card.lineage.moves))},
          std::move(estimate),
          {text(in_words(card))},
          {card.is_chosen ? RoundsPage::tr("in the plan") : QString()}};
}

}  // namespace

RoundsPage::RoundsPage(SearchControl& search, QWidget* parent) : Page(parent), search_(search) {
  build();
  connect(&search_, &SearchControl::replaced, this, &RoundsPage::search_moved);
  connect(&search_, &SearchControl::moved, this, &RoundsPage::search_moved);
  connect(&search_, &SearchControl::mutant_selected, this, [this] {
    if (isVisible()) draw();
  });
}

void RoundsPage::build() {
  headline_ = words_label(tr("No search: open a model, then start one"));
  picture_ = new SceneView;
  picture_->setAccessibleName(tr("Rounds by subprogram; the table below says the same"));
  rows_ = new TextTable(this);
  table_ = table_of(rows_, tr("Mutants that were kept"));
  table_->verticalHeader()->hide();
  list_cards();
  table_->horizontalHeader()->setSectionResizeMode(kMoves, QHeaderView::Stretch);
  for (const auto& [column, width] :
       {std::pair(kSubprogram, 140), std::pair(kRound, 50), std::pair(kName, 70),
        std::pair(kEstimate, 80), std::pair(kState, 140), std::pair(kPlan, 80)})
    table_->setColumnWidth(column, width);
  auto* both = new QSplitter(Qt::Vertical);
  both->addWidget(scrolled(picture_));
  both->addWidget(table_);
  both->setStretchFactor(0, 3);
  both->setStretchFactor(1, 1);
  auto* all = new QVBoxLayout(this);
  all->addWidget(headline_);
  all->addWidget(both, 1);
  connect(picture_, &SceneView::chosen, this, [this](const QString& id) {
    if (id.startsWith("mutant:")) choose(id.mid(7).toULongLong());
  });
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& now) {
            if (now.isValid()) choose(mutants_[static_cast<std::size_t>(now.row())]);
          });
  connect(table_, &QTableView::doubleClicked, this, [this](const QModelIndex& at) {
    Q_EMIT wanted(mutants_[static_cast<std::size_t>(at.row())]);
  });
}

void RoundsPage::refresh() { search_moved(); }

void RoundsPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  if (is_behind_) search_moved();
}

void RoundsPage::search_moved() {
  is_behind_ = !isVisible();
  if (is_behind_) return;
  rounds_ = rounds_at(search_.log(), search_.cursor());
  list_cards();
  headline_->setText(headline());
  draw();
  Q_EMIT changed();
}

// All of them, also where the picture is cut.
void RoundsPage::list_cards() {
  mutants_.clear();
  std::vector<TextTable::Row> rows;
  for (const RoundsOfSubprogram& column : rounds_) {
    for (const auto& round : column.rounds) {
      for (const RoundCard& card : round.cards) {
        mutants_.push_back(card.mutant);
        rows.push_back(row_of(column, card));
      }
    }
  }
  rows_->show({tr("subprogram"), tr("round"), tr("mutant"), tr("how it came about"),
               tr("estimated"), tr("state"), tr("plan")},
              std::move(rows));
}

QString RoundsPage::headline() const {
  if (search_.log().size() == 0) return tr("No search: open a model, then start one");
  std::size_t mutants = 0, measured = 0;
  QStringList plan;
  for (const RoundsOfSubprogram& column : rounds_) {
    for (const auto& round : column.rounds) {
      mutants += round.mutants;
      for (const RoundCard& card : round.cards) {
        if (card.ratio) ++measured;
        if (card.is_chosen)
          plan.append(QString::fromStdString(name_of(column.subprogram, card.lineage.id)));
      }
    }
  }
  return tr("%1 of %2 %3 kept or looked at, at most %4 of a subprogram at a time; %5 measured; %6")
      .arg(rows_->rowCount())
      .arg(QString::fromStdString(plural(mutants, "mutant")), mutants == 1 ? tr("was") : tr("were"))
      .arg(search_.request().search.heap)
      .arg(measured)
      .arg(plan.isEmpty() ? tr("no plan yet") : tr("the plan: %1").arg(plan.join(", ")));
}

void RoundsPage::choose(std::size_t mutant) {
  if (search_.mutant() != mutant) search_.select_mutant(mutant);
  draw();
}

void RoundsPage::draw() {
  const auto selected = search_.mutant();
  picture_->show_scene(
      rounds_scene(drawn(rounds_, search_.log()), selected ? id_of(*selected) : ""));
  if (!selected) return;
  const auto at = std::ranges::find(mutants_, *selected);
  const auto row = static_cast<int>(at - mutants_.begin());
  if (at != mutants_.end() && row != table_->currentIndex().row()) table_->selectRow(row);
}

void RoundsPage::set_theme(const Theme& theme) { picture_->set_theme(theme); }
const Scene& RoundsPage::scene() const { return picture_->scene(); }
nlohmann::ordered_json RoundsPage::state() const {
  return {{"headline", headline_->text().toStdString()}, {"cards", rows_->rowCount()}};
}

}  // namespace pet::viz
