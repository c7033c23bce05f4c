#include "viz/views/verdicts_page.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSpinBox>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/util/atomic_file.h"
#include "viz/views/actions.h"
#include "viz/views/page_parts.h"
#include "viz/views/verdict_delegate.h"
#include "viz/words/verdicts.h"

namespace pet::viz {
namespace {

constexpr std::size_t kErrors = 8;  // that are planted at once

std::string title_of(const CheckedPair& pair, const CrossQuestion& question) {
  const std::string of = pair.planted.empty() ? pair.name : pair.name + ", " + pair.planted;
  if (!question.engine) return of + ": looking for its small twin";
  return of + ": asking " + std::string(pet::in_words(*question.engine)) +
         (question.on_twin ? " about the small twin" : "");
}

Status write(const std::filesystem::path& path, const std::string& text) {
  return write_atomically(path,
                          [&](int fd) { return write_all(fd, std::as_bytes(std::span(text))); });
}

}  // namespace

VerdictsPage::VerdictsPage(std::shared_ptr<CrossChecker> checker, Jobs& jobs, QWidget* parent)
    : Page(parent), checker_(std::move(checker)), jobs_(jobs) {
  build();
}

void VerdictsPage::build() {
  headline_ = words_label({}, kHeadline);
  counts_ = words_label();
  done_ = words_label();
  seconds_ = new QSpinBox;
  seconds_->setRange(1, 3600);
  seconds_->setValue(10);
  seconds_->setSuffix(tr(" s"));
  seconds_->setAccessibleName(tr("Seconds for each engine"));
  seconds_->setToolTip(tr("An engine that has no answer by then says that it does not know"));
  rows_ = new VerdictTable(this);
  rows_->show(checks_);
  delegate_ = new VerdictDelegate(this);
  table_ = table_of(rows_, tr("Verdicts: a row for each output of a pair"));
  table_->setItemDelegate(delegate_);
  table_->setWordWrap(false);
  table_->verticalHeader()->setDefaultSectionSize(24);
  table_->horizontalHeader()->setStretchLastSection(true);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] {
    tell_selected();
    if (const auto row = selected_row()) Q_EMIT row_chosen(row->pair, row->output);
  });
  auto* all = new QVBoxLayout(this);
  all->addWidget(headline_);
  all->addWidget(counts_);
  all->addWidget(table_, 1);
  all->addWidget(done_);
  told();
}

void VerdictsPage::add_actions(Actions& actions) {
  const std::vector<QAction*> all = {
      actions.add(
          {"verdicts.check_all", tr("&Check all shown"),
           tr("Ask the corrector, the exhaustive check, Z3 and PET's own test about every row"),
           QKeySequence("Ctrl+Shift+K")},
          *this, [this] { check_all(); }),
      actions.add({"verdicts.check", tr("Check the &selected"),
                   tr("Ask all of them about the selected pair"), QKeySequence("Ctrl+K")},
                  *this, [this] { check_selected(); }),
      actions.add({"verdicts.plant", tr("&Plant errors"),
                   tr("Break the selected pair in small ways and check each: every row has to turn "
                      "red, or to be shown to change nothing")},
                  *this, [this] { plant_errors(); }),
      actions.add(
          {"verdicts.reproduce", tr("&Reproduce …"),
           tr("Write the selected pair as a case, and copy the command line that checks it")},
          *this, [this] { reproduce(); })};
  add_line_of_buttons(*static_cast<QVBoxLayout*>(layout()), all);
}

void VerdictsPage::add_line_of_buttons(QVBoxLayout& all, const std::vector<QAction*>& actions) {
  auto* line = new QHBoxLayout;
  for (QAction* action : actions) {
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setText(action->text().remove('&'));
    button->setAccessibleName(action->text().remove('&'));
    button->setFocusPolicy(Qt::StrongFocus);
    line->addWidget(button);
  }
  line->addStretch();
  auto* label = new QLabel(tr("At most, each engine"));
  label->setBuddy(seconds_);
  line->addWidget(label);
  line->addWidget(seconds_);
  constexpr int kBelowTheCounts = 2;
  all.insertLayout(kBelowTheCounts, line);
}

void VerdictsPage::set_theme(const Theme& theme) {
  delegate_->set_theme(theme);
  table_->viewport()->update();
}

nlohmann::ordered_json VerdictsPage::state() const {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (int i = 0; i < rows_->rowCount(); ++i) {
    nlohmann::ordered_json cells = nlohmann::ordered_json::array();
    for (int k = 0; k < VerdictTable::TimeColumn; ++k)
      cells.push_back(rows_->index(i, k).data().toString().toStdString());
    rows.push_back(std::move(cells));
  }
  return {{"headline", headline_->text().toStdString()},
          {"counts", counts_->text().toStdString()},
          {"rows", std::move(rows)},
          {"done", done_->text().toStdString()}};
}

void VerdictsPage::add(const OpenedPair& pair) {
  if (!pair.original || !pair.mutant) return;
  const std::size_t number =
      checks_.add({pair.name, pair.original, pair.mutant, pair.moves, {}, {}, false});
  told();
  select({number, 0});
}

void VerdictsPage::refresh() {
  if (!selected_row() && rows_->rowCount() > 0) select(rows_->row(0));
  tell_selected();
}

void VerdictsPage::check_all() {
  for (std::size_t i = 0; i < checks_.pairs().size(); ++i) checks_.want(i);
  told();
  ask_next();
}

void VerdictsPage::check_selected() {
  const auto row = selected_row();
  if (!row) return;
  checks_.want(row->pair);
  told();
  ask_next();
}

void VerdictsPage::ask_next() {
  if (running_) return;
  const auto next = checks_.next();
  if (!next) return;
  const CheckedPair& pair = checks_.pairs()[next->pair];
  running_ =
      jobs_.start("cross-check", title_of(pair, next->question),
                  [this, next = *next, pair, checker = checker_,
                   seconds = seconds_->value()](const std::stop_token& stop) -> Result<Delivery> {
                    auto judged = asked(*checker, pair, next.question, seconds, stop);
                    if (!judged) return std::move(judged).error();
                    return Delivery([this, number = next.pair, judged = *std::move(judged)] {
                      running_.reset();
                      checks_.told(number, judged);
                      told();
                      ask_next();
                    });
                  });
}

void VerdictsPage::jobs_changed() {
  if (!running_) return;
  const auto jobs = jobs_.list();
  const auto job = std::ranges::find(jobs, *running_, &Job::id);
  if (job != jobs.end() && job->state == JobState::Running) return;
  if (job != jobs.end() && job->state == JobState::Done) return;
  running_.reset();
  checks_.want_nothing();
  told();
}

void VerdictsPage::plant_errors() {
  const auto row = selected_row();
  if (!row) return;
  const CheckedPair& pair = checks_.pairs()[row->pair];
  done_->clear();
  jobs_.start("plant", "planting errors in " + pair.name,
              [this, pair, checker = checker_,
               seed = plantings_++](const std::stop_token& stop) -> Result<Delivery> {
                auto planted =
                    checker->plant(*pair.original, *pair.mutant, pair.moves, kErrors, seed, stop);
                if (!planted) return std::move(planted).error();
                return Delivery([this, name = pair.name, planted = *std::move(planted)] {
                  plant(planted, name);
                });
              });
}

void VerdictsPage::plant(const std::vector<PlantedPair>& planted, const std::string& name) {
  for (const PlantedPair& one : planted)
    checks_.want(checks_.add({name, one.original, one.broken, {}, one.what, {}, false}));
  told();
  ask_next();
}

void VerdictsPage::reproduce() {
  if (!selected_row()) return;
  auto* dialog = new QFileDialog(this, tr("Write the pair as a case"), "reproduce.txt",
                                 tr("Cases (*.txt);;All files (*)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  connect(dialog, &QFileDialog::fileSelected, this,
          [this](const QString& chosen) { reproduce_to(chosen.toStdString()); });
  dialog->open();
}

// Of what was looked at on a small twin the twin: there the engines have something to say.
void VerdictsPage::reproduce_to(const std::filesystem::path& path) {
  const auto row = selected_row();
  if (!row) return;
  const CheckedPair& pair = checks_.pairs()[row->pair];
  const auto& twin = pair.judged.check.twin;
  const bool is_twin = twin && twin->ok();
  auto original = is_twin ? (*twin)->original : pair.original;
  auto mutant = is_twin ? (*twin)->mutant : pair.mutant;
  jobs_.start("reproduce", "writing " + path.string(),
              [this, original, mutant, path, is_twin,
               checker = checker_](const std::stop_token& stop) -> Result<Delivery> {
                const auto made = checker->reproduce(*original, *mutant, stop);
                if (!made) return made.error();
                if (auto written = write(path, made->case_text); !written)
                  return std::move(written).error();
                return Delivery([this, line = command_line(*made, path.string()), is_twin] {
                  const QString command = QString::fromStdString(line);
                  QApplication::clipboard()->setText(command);
                  done_->setText((is_twin ? tr("Written at the sizes of the small twin; in the "
                                               "clipboard: %1")
                                          : tr("Written; in the clipboard: %1"))
                                     .arg(command));
                  Q_EMIT changed();
                });
              });
}

void VerdictsPage::told() {
  const CheckCounts counts = checks_.counts();
  headline_->setText(QString::fromStdString(headline_of(counts)));
  QFont font = headline_->font();
  font.setBold(counts.disagree + counts.missed > 0);
  headline_->setFont(font);
  counts_->setText(QString::fromStdString(in_words(counts)));
  rows_->refresh();
  table_->resizeColumnsToContents();
  constexpr int kWidest = 150;
  if (table_->columnWidth(0) > kWidest) table_->setColumnWidth(0, kWidest);
  tell_selected();
  Q_EMIT changed();
}

std::optional<VerdictTable::Row> VerdictsPage::selected_row() const {
  const QModelIndex now = table_->currentIndex();
  if (!now.isValid()) return std::nullopt;
  return rows_->row(now.row());
}

void VerdictsPage::select(const VerdictTable::Row& row) {
  table_->setCurrentIndex(rows_->index(rows_->number_of(row), 0));
}

void VerdictsPage::tell_selected() {
  const auto row = selected_row();
  if (!row || !isVisible()) return;
  const CheckedPair& pair = checks_.pairs()[row->pair];
  std::string words = pair.name + "\n";
  if (!pair.planted.empty()) words += "planted: " + pair.planted + "\n";
  words += "\n" + details_in_words(pair.judged.check, pair.judged.agreed[row->output], row->output);
  Q_EMIT selected(QString::fromStdString(words));
}

}  // namespace pet::viz
