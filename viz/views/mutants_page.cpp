#include "viz/views/mutants_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QVBoxLayout>
#include <nlohmann/json.hpp>

#include "core/util/plural.h"
#include "viz/views/actions.h"
#include "viz/views/page_parts.h"
#include "viz/words/events.h"

namespace pet::viz {

// Rows whose words contain what was typed, of one kind.
class MutantFilter final : public QSortFilterProxyModel {
 public:
  enum Kind { All, Partial, Corrected, Looked, Measured };

  explicit MutantFilter(SearchControl& search, QObject* parent)
      : QSortFilterProxyModel(parent), search_(search) {
    setSortRole(MutantTable::kSortRole);
    setFilterCaseSensitivity(Qt::CaseInsensitive);
    setFilterKeyColumn(-1);
  }
  void set_kind(int kind) {
    kind_ = static_cast<Kind>(kind);
    invalidateFilter();
  }

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
    return is_of_kind(search_.log().mutants()[static_cast<std::size_t>(row)]) &&
           QSortFilterProxyModel::filterAcceptsRow(row, parent);
  }

 private:
  bool is_of_kind(const SearchLog::MutantRow& row) const {
    const SearchLog& log = search_.log();
    switch (kind_) {
      case All:
        return true;
      case Partial: {
        const auto* verified = log.last_of<MutantVerified>(row, search_.cursor());
        return verified != nullptr
                   ? verified->outcome == Outcome::Partial
                   : row.in_part && log.last_of<CandidateKept>(row, search_.cursor()) != nullptr;
      }
      case Corrected:
        return is_corrected(row.lineage);
      case Looked:
        return log.last_of<MutantVerified>(row, search_.cursor()) != nullptr ||
               log.last_of<MutantCorrected>(row, search_.cursor()) != nullptr;
      case Measured:
        return log.last_of<CandidateMeasured>(row, search_.cursor()) != nullptr;
    }
    return true;
  }

  SearchControl& search_;
  Kind kind_ = All;
};

MutantsPage::MutantsPage(SearchControl& search, QWidget* parent)
    : Page(parent), search_(search), model_(search.log()) {
  build();
  connect(&search_, &SearchControl::replaced, this, [this] {
    model_.show(search_.cursor());
    count();
  });
  connect(&search_, &SearchControl::moved, this, [this] {
    model_.move_to(search_.cursor());
    if (kind_->currentIndex() != MutantFilter::All) filter_->set_kind(kind_->currentIndex());
    count();
  });
  connect(&search_, &SearchControl::mutant_selected, this, [this] { select(search_.mutant()); });
}

void MutantsPage::build() {
  counts_ = words_label();
  typed_ = new QLineEdit;
  typed_->setPlaceholderText(tr("Filter by words: join, Winograd, M12 …"));
  typed_->setAccessibleName(tr("Filter of the mutants"));
  typed_->setClearButtonEnabled(true);
  kind_ = new QComboBox;
  kind_->setAccessibleName(tr("Kind of the mutants"));
  kind_->addItems({tr("all"), tr("wrong in part"), tr("corrected"), tr("checked"), tr("measured")});
  filter_ = new MutantFilter(search_, this);
  filter_->setSourceModel(&model_);
  table_ = table_of(filter_, tr("Mutants"));
  table_->setSortingEnabled(true);
  table_->sortByColumn(MutantTable::Name, Qt::AscendingOrder);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setSectionResizeMode(MutantTable::Moves, QHeaderView::Stretch);
  table_->setColumnWidth(MutantTable::Name, 80);
  table_->setColumnWidth(MutantTable::Round, 50);
  table_->setColumnWidth(MutantTable::State, 190);
  table_->setColumnWidth(MutantTable::WrongShare, 70);
  auto* line = new QHBoxLayout;
  line->addWidget(kind_);
  line->addWidget(typed_, 1);
  auto* all = new QVBoxLayout(this);
  all->addWidget(counts_);
  all->addLayout(line);
  all->addWidget(table_, 1);
  connect(typed_, &QLineEdit::textChanged, this, [this](const QString& typed) {
    filter_->setFilterFixedString(typed);
    count();
  });
  connect(kind_, &QComboBox::currentIndexChanged, this, [this](int kind) {
    filter_->set_kind(kind);
    count();
  });
  connect(table_, &QTableView::doubleClicked, this, [this](const QModelIndex& index) {
    Q_EMIT wanted(static_cast<std::size_t>(filter_->mapToSource(index).row()));
  });
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& now) {
            if (!now.isValid()) return;
            const auto row = static_cast<std::size_t>(filter_->mapToSource(now).row());
            Q_EMIT selected(words_of(row));
            search_.select_mutant(row);
          });
}

void MutantsPage::add_actions(Actions& actions) {
  actions.add({"mutants.open", tr("&Look at the mutant"),
               tr("Make the selected mutant again and show where it is wrong"),
               QKeySequence("Ctrl+Return")},
              *this, [this] {
                if (const auto row = search_.mutant()) Q_EMIT wanted(*row);
              });
}

void MutantsPage::count() {
  const int all = model_.rowCount();
  const int shown = filter_->rowCount();
  const QString mutants = QString::fromStdString(plural(all, "mutant"));
  counts_->setText(shown == all ? mutants : tr("%1 of %2").arg(shown).arg(mutants));
  Q_EMIT changed();
}

// Without asking for it again.
void MutantsPage::select(std::optional<std::size_t> row) {
  if (!row || static_cast<int>(*row) >= model_.rowCount()) return;
  Q_EMIT selected(words_of(*row));
  const QModelIndex index = filter_->mapFromSource(model_.index(static_cast<int>(*row), 0));
  if (index.isValid() && index.row() != table_->currentIndex().row())
    table_->setCurrentIndex(index);
}

QString MutantsPage::words_of(std::size_t number) const {
  const SearchLog& log = search_.log();
  const SearchLog::MutantRow& row = log.mutants()[number];
  QString out = QString::fromStdString(name_of(row.subprogram, row.lineage.id)) + "\n";
  if (const auto* found = log.subprogram(row.subprogram))
    out += tr("of %1\n").arg(QString::fromStdString(in_words(*found)));
  out += "\n";
  for (const Move& move : row.lineage.moves)
    out += QString::fromStdString(pet::in_words(move)) + "\n";
  out += "\n";
  for (const std::size_t change : row.changes) {
    if (change < search_.cursor())
      out += QString::fromStdString(in_words(*log.event(change))) + "\n";
  }
  return out + "\n" + tr("Ctrl+Enter shows where it is wrong.");
}

nlohmann::ordered_json MutantsPage::state() const {
  return {{"headline", counts_->text().toStdString()}};
}

}  // namespace pet::viz
