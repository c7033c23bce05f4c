#include "viz/views/export_page.h"

#include <QFileDialog>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMetaObject>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>
#include <nlohmann/json.hpp>

#include "core/util/plural.h"
#include "core/util/printable.h"
#include "viz/views/actions.h"
#include "viz/views/page_parts.h"
#include "viz/views/search_control.h"
#include "viz/words/events.h"

namespace pet::viz {
namespace {

QString text(const std::string& words) { return QString::fromStdString(words); }

// One of the two things that can be written.
QGroupBox* choice(const QString& title, QLabel* words, QPushButton* button) {
  auto* out = new QGroupBox(title);
  auto* line = new QHBoxLayout(out);
  line->addWidget(words, 1);
  line->addWidget(button, 0, Qt::AlignTop);
  return out;
}

QString bytes_in_words(std::uintmax_t bytes) {
  return ExportPage::tr("%L1 bytes").arg(static_cast<qulonglong>(bytes));
}

}  // namespace

ExportPage::ExportPage(ExportPorts ports, Jobs& jobs, SearchControl& search, QWidget* parent)
    : Page(parent), ports_(std::move(ports)), jobs_(jobs), search_(search) {
  build();
  connect(&search_, &SearchControl::status_changed, this, &ExportPage::judge);
  connect(&search_, &SearchControl::exported, this, &ExportPage::finish);
  connect(&search_, &SearchControl::moved, this, [this] {
    if (search_.is_exporting() && search_.log().size() > 0)
      if (const Event* event = search_.log().event(search_.log().size() - 1))
        progress_->setText(text(in_words(*event)));
  });
}

void ExportPage::build() {
  headline_ = words_label({}, kHeadline);
  progress_ = words_label();
  this_words_ = words_label();
  best_words_ = words_label();
  this_button_ = new QPushButton(tr("Write this one …"));
  best_button_ = new QPushButton(tr("Write the best …"));
  compare_ = new QPushButton(tr("Compare with the original"));
  changes_ = new QPushButton(tr("See what changed"));
  compare_->hide();
  changes_->hide();
  for (QPushButton* button : {this_button_, best_button_, compare_, changes_})
    button->setAccessibleName(button->text());
  facts_ = new QTableWidget(0, 2);
  facts_->setHorizontalHeaderLabels({tr("original"), tr("written")});
  facts_->setAccessibleName(tr("The written file beside the original"));
  facts_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  facts_->setWordWrap(true);
  facts_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  facts_->hide();
  auto* result = new QHBoxLayout;
  result->addWidget(progress_, 1);
  result->addWidget(changes_);
  result->addWidget(compare_);
  headline_->setText(tr("Nothing has been written yet"));
  judge();
  auto* all = new QVBoxLayout(this);
  all->addWidget(headline_);
  all->addWidget(choice(tr("This one: proved, not measured"), this_words_, this_button_));
  all->addWidget(choice(tr("Best so far"), best_words_, best_button_));
  all->addLayout(result);
  all->addWidget(facts_, 1);
  all->addStretch();
  connect(changes_, &QPushButton::clicked, this, &ExportPage::changes_wanted);
  connect(compare_, &QPushButton::clicked, this, [this] {
    if (written_) Q_EMIT comparison_wanted(written_->written.path);
  });
}

void ExportPage::add_actions(Actions& actions) {
  const auto add = [&](const Actions::What& what, QPushButton* button, std::function<void()> run) {
    const QAction* action = actions.add(what, *this, std::move(run));
    button->setToolTip(action->toolTip());
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
  };
  add({"export.this", tr("Write &this one …"),
       tr("Put the open mutant in its places of the model, prove the file, and write it"),
       QKeySequence("Ctrl+T")},
      this_button_, [this] {
        if (this_button_->isEnabled())
          ask_where(tr("changed"), [this](const auto& target) { export_this(target); });
      });
  add({"export.best", tr("Write the &best so far …"),
       tr("Measure, prove and write the best of what the search has found"),
       QKeySequence("Ctrl+Shift+T")},
      best_button_, [this] {
        if (best_button_->isEnabled())
          ask_where(tr("optimized"), [this](const auto& target) { export_best(target); });
      });
  actions.add({"export.compare", tr("&Compare with the original"),
               tr("Show times of the written file beside those of the original")},
              *this, [this] {
                if (written_) Q_EMIT comparison_wanted(written_->written.path);
              });
}

void ExportPage::refresh() {
  written_.reset();
  facts_->hide();
  compare_->hide();
  changes_->hide();
  progress_->clear();
  headline_->setText(tr("Nothing has been written yet"));
  judge();
}

void ExportPage::judge() {
  const Opened& open = opened();
  QString why;
  if (!open.model)
    why = tr("No model is open: what is written is a model with the mutant in its places.");
  else if (!open.pair)
    why = tr("No mutant is open: choose one under Search or Mutants (Ctrl+Enter).");
  else if (!open.pair->places)
    why = tr("What is open is no mutant of the open model.");
  this_button_->setEnabled(why.isEmpty());
  this_words_->setText(!why.isEmpty()
                           ? why
                           : tr("%1, in %2 of the model. The file is proved "
                                "against the original before it is kept; nobody "
                                "measures whether it is faster.")
                                 .arg(text(printable(open.pair->name)),
                                      text(plural(open.pair->places->places.size(), "place"))));
  QString why_not_best;
  if (!open.model)
    why_not_best = tr("No model is open.");
  else if (!search_.is_live())
    why_not_best = tr("No search runs: Ctrl+R starts one.");
  else if (search_.is_running())
    why_not_best = tr("The search is at work: pause it first (F6).");
  else if (!search_.can_export())
    why_not_best = tr("The search failed.");
  best_button_->setEnabled(why_not_best.isEmpty());
  if (why_not_best.isEmpty())
    why_not_best =
        search_.request().target == kEstimates
            ? tr("What the search has found so far by estimates: proved, not measured.")
            : tr("What the search has found so far: measured as a whole, proved, run against the "
                 "original, and measured again, as pet optimize does.");
  best_words_->setText(why_not_best);
  Q_EMIT changed();
}

void ExportPage::ask_where(const QString& suffix,
                           std::function<void(const std::filesystem::path&)> then) {
  auto path = opened().model->model->path;
  path.replace_filename(path.stem().string() + "." + suffix.toStdString() + ".onnx");
  auto* dialog =
      new QFileDialog(this, tr("Write the model"), text(path.string()), tr("Models (*.onnx)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix("onnx");
  connect(dialog, &QFileDialog::fileSelected, this,
          [then = std::move(then)](const QString& chosen) { then(chosen.toStdString()); });
  dialog->open();
}

void ExportPage::begin(const std::filesystem::path& target) {
  written_.reset();
  facts_->hide();
  compare_->hide();
  changes_->hide();
  headline_->setText(tr("Writing %1 …").arg(text(printable(target.filename().string()))));
  progress_->setText(tr("Ctrl+. cancels"));
  Q_EMIT changed();
}

void ExportPage::export_this(const std::filesystem::path& target) {
  if (!this_button_->isEnabled()) return;
  begin(target);
  // Stages come from the thread of the job.
  const EventSink events = [this](const Event& event) {
    QMetaObject::invokeMethod(
        this, [this, words = in_words(event)] { progress_->setText(text(words)); },
        Qt::QueuedConnection);
  };
  jobs_.start("export", "writing " + target.string(),
              [this, ask = ports_.this_one, open = opened(), target,
               events](const std::stop_token& stop) -> Result<Delivery> {
                auto file = ask(open, target, events, stop);
                const auto done = [this, file] { finish(file); };
                if (file) return Delivery(done);
                QMetaObject::invokeMethod(this, done, Qt::QueuedConnection);
                return file.error();
              });
}

void ExportPage::export_best(const std::filesystem::path& target) {
  if (!best_button_->isEnabled()) return;
  begin(target);
  search_.export_best(target);
}

void ExportPage::finish(const Result<ExportedFile>& what) {
  if (what) {
    written_ = *what;
    headline_->setText(text(in_words(*what)));
    progress_->setText(
        what->certificate.empty()
            ? tr("No certificate: %1").arg(text(printable(what->why_no_certificate)))
            : tr("Certificate: %1").arg(text(printable(what->certificate.string()))));
    fill(*what);
    Q_EMIT written(*what);
  } else if (what.error().kind == ErrorKind::Stopped) {
    headline_->setText(tr("Cancelled: nothing was written"));
    progress_->clear();
  } else {
    headline_->setText(tr("Nothing was written"));
    progress_->setText(text(printable(what.error().message)));
  }
  judge();
}

void ExportPage::fill(const ExportedFile& file) {
  struct Row {
    QString name, original, written;
  };
  const auto operators = [](const FileFacts& facts) {
    std::size_t out = 0;
    for (const auto& [name, count] : facts.operators) out += count;
    return QString::number(out);
  };
  const std::vector<Row> rows = {
      {tr("file"), text(printable(file.original.path.string())),
       text(printable(file.written.path.string()))},
      {tr("size"), bytes_in_words(file.original.bytes), bytes_in_words(file.written.bytes)},
      {tr("operators"), operators(file.original), operators(file.written)},
      {tr("what changed"), QString(), text(changes_of(file.original, file.written))},
      {tr("proof"), QString(),
       tr("%1; wrong with a chance of 2^%2 at most")
           .arg(text(std::string(pet::to_string(file.verdict.outcome))))
           .arg(file.verdict.log2_error, 0, 'f', 0)},
      {tr("time"), QString(), file.measured ? text(label_of(file)) : tr("not measured")}};
  facts_->setRowCount(static_cast<int>(rows.size()));
  for (int i = 0; i < facts_->rowCount(); ++i) {
    const Row& row = rows[static_cast<std::size_t>(i)];
    facts_->setVerticalHeaderItem(i, new QTableWidgetItem(row.name));
    facts_->setItem(i, 0, new QTableWidgetItem(row.original));
    facts_->setItem(i, 1, new QTableWidgetItem(row.written));
  }
  facts_->resizeRowsToContents();
  facts_->show();
  compare_->show();
  changes_->show();
}

nlohmann::ordered_json ExportPage::state() const {
  return {{"headline", headline_->text().toStdString()},
          {"progress", progress_->text().toStdString()},
          {"this", this_button_->isEnabled()},
          {"best", best_button_->isEnabled()}};
}

}  // namespace pet::viz
