#include "viz/views/profile_page.h"

#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QResizeEvent>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/util/printable.h"
#include "viz/models/stored_table.h"
#include "viz/views/actions.h"
#include "viz/views/page_parts.h"
#include "viz/views/scene_view.h"

namespace pet::viz {
namespace {

QString text_of(const std::string& words) { return QString::fromStdString(words); }

}  // namespace

ProfilePage::ProfilePage(Jobs& jobs, ProfilePorts ports, QWidget* parent)
    : Page(parent), jobs_(jobs), ports_(std::move(ports)) {
  build();
}

void ProfilePage::build() {
  headline_ = words_label({}, kHeadline);
  target_line_ = words_label();
  build_controls();

  view_ = new SceneView;
  view_->setAccessibleName(tr("Times as bars; the table below says the same"));
  auto* scroll = scrolled(view_);
  scroll->viewport()->installEventFilter(this);
  times_ = new ProfileTable(this);
  comparisons_ = new TextTable(this);
  table_ = table_of(times_, tr("Times, a bar a line"));
  table_->setTextElideMode(Qt::ElideMiddle);
  auto* both = new QSplitter(Qt::Vertical);
  both->addWidget(scroll);
  both->addWidget(table_);
  both->setStretchFactor(0, 1);
  both->setSizes({400, 150});

  auto* all = new QVBoxLayout(this);
  all->addWidget(headline_);
  all->addWidget(target_line_);
  all->addWidget(controls_box_);
  all->addWidget(both, 1);
  connect(view_, &SceneView::chosen, this,
          [this](const QString& id) { select(viz::place_of(id.toStdString())); });
  use_table(times_);
}

void ProfilePage::use_table(QAbstractItemModel* model) {
  table_->setModel(model);
  table_->setAccessibleName(model == times_ ? tr("Times, a bar a line")
                                            : tr("Stored comparisons, one a line"));
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& now) {
            if (now.isValid()) choose_row(now.row());
          });
}

void ProfilePage::build_controls() {
  controls_box_ = new QWidget;
  controls_ = new QHBoxLayout(controls_box_);
  controls_->setContentsMargins({});
  QStringList targets;
  for (const std::string& target : ports_.targets) targets.append(text_of(target));
  targets_ = add_choice(*controls_, tr("On"));
  targets_->addItems(targets);
  targets_->setMaximumWidth(240);
  targets_->setToolTip(tr("The runtime that measures"));
  grouping_ = add_choice(*controls_, tr("Operators"));
  grouping_->addItems({tr("by type"), tr("one by one")});
  shown_ = add_choice(*controls_, tr("Times"));
  shown_->addItems({tr("modelled"), tr("measured")});
  controls_->addStretch();
  connect(targets_, &QComboBox::currentIndexChanged, this, [this] {
    forget_measurements(tr("not measured on this target yet"));
    rebuild();
  });
  for (QComboBox* box : {grouping_, shown_})
    connect(box, &QComboBox::currentIndexChanged, this, &ProfilePage::rebuild);
}

void ProfilePage::add_actions(Actions& actions) {
  const auto button = [this](QAction* action) {
    auto* out = new QToolButton;
    out->setDefaultAction(action);
    controls_->addWidget(out);
  };
  button(actions.add({"profile.measure", tr("&Measure"),
                      tr("Time whole runs, of two programs in turn until it is decided which is "
                         "faster; what an earlier run measured counts"),
                      QKeySequence("Ctrl+M")},
                     *this, [this] { measure(Memory::Asked); }));
  button(actions.add(
      {"profile.operators", tr("&Profile by operator"),
       tr("Ask the runtime how long each operator takes"), QKeySequence("Ctrl+Shift+M")},
      *this, [this] { record(); }));
  actions.add({"profile.afresh", tr("Measure &afresh"),
               tr("Time whole runs again, whatever an earlier run measured")},
              *this, [this] { measure(Memory::Ignored); });
  actions.add({"profile.other", tr("&Compare with a file …Time against a file …"),
               tr("Choose the file that the open model is compared with: an exported one, say")},
              *this, [this] { choose_other(); });
}

void ProfilePage::refresh() {
  other_.clear();
  QAbstractItemModel* lines = is_stored() ? static_cast<QAbstractItemModel*>(comparisons_) : times_;
  if (table_->model() != lines) use_table(lines);
  controls_box_->setVisible(!is_stored());
  prepare();
}

void ProfilePage::compare_with(const std::filesystem::path& other) {
  other_ = other;
  prepare();
}

void ProfilePage::choose_other() {
  if (!opened().model) return;
  auto* dialog = new QFileDialog(this, tr("Time against a file"), {}, tr("Models (*.onnx)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this,
          [this](const QString& chosen) { compare_with(chosen.toStdString()); });
  dialog->open();
}

void ProfilePage::forget_measurements(const QString& why) {
  ++generation_;
  target_.clear();
  facts_.whole.reset();
  facts_.recorded.clear();
  facts_.why_no_whole = facts_.why_not_recorded = why.toStdString();
}

// Files and estimates: nothing is run.
void ProfilePage::prepare() {
  facts_ = {};
  prepared_ = {};
  forget_measurements(tr("not measured yet"));
  reason_ = opened().model || opened().pair ? tr("estimating …")
                                            : tr("Open a model or a case: its times come here; "
                                                 "or a stored profile: what it holds");
  rebuild();
  if (!opened().model && !opened().pair) return;
  jobs_.start("profile", "estimating times",
              [this, generation = generation_, ask = ports_.prepare, what = opened(),
               other = other_](const std::stop_token& stop) -> Result<Delivery> {
                auto prepared = ask(what, other, stop);
                const auto shared = std::make_shared<Result<PreparedPrograms>>(std::move(prepared));
                const auto show = [this, generation, shared] {
                  if (generation != generation_) return;
                  if (*shared) {
                    prepared_ = **shared;
                    facts_.programs = prepared_.programs;
                    reason_.clear();
                  } else {
                    reason_ =
                        tr("Nothing can be measured: %1").arg(text_of(shared->error().message));
                  }
                  rebuild();
                };
                if (*shared) return Delivery(show);
                QMetaObject::invokeMethod(this, show, Qt::QueuedConnection);
                return shared->error();
              });
}

template <class Answer>
void ProfilePage::start(const std::string& title,
                        std::function<Result<Answer>(const std::stop_token&)> ask,
                        std::function<void(Answer)> show, std::string ProfileFacts::*why) {
  if (facts_.programs.empty()) return;
  facts_.*why = tr("being measured").toStdString();
  rebuild();
  jobs_.start("profile " + title, title,
              [this, generation = generation_, ask = std::move(ask), show = std::move(show),
               why](const std::stop_token& stop) -> Result<Delivery> {
                auto answer = ask(stop);
                if (answer) {
                  return Delivery([this, generation, show, answer = *std::move(answer)] {
                    if (generation != generation_) return;
                    show(answer);
                    rebuild();
                  });
                }
                const auto told = [this, generation, why, error = answer.error()] {
                  if (generation != generation_) return;
                  facts_.*why = error.kind == ErrorKind::Stopped ? tr("stopped").toStdString()
                                                                 : printable(error.message);
                  rebuild();
                };
                QMetaObject::invokeMethod(this, told, Qt::QueuedConnection);
                return answer.error();
              });
}

void ProfilePage::measure(Memory memory) {
  bring_up();  // never what was open before
  facts_.whole.reset();
  start<MeasuredWhole>(
      "measuring whole runs",
      [ask = ports_.measure, prepared = prepared_, memory,
       target = targets_->currentText().toStdString()](const std::stop_token& stop) {
        return ask(prepared, target, memory, stop);
      },
      [this](const MeasuredWhole& answer) {
        facts_.whole = answer.times;
        target_ = text_of(answer.target);
      },
      &ProfileFacts::why_no_whole);
}

void ProfilePage::record() {
  bring_up();  // never what was open before
  facts_.recorded.clear();
  shown_->setCurrentIndex(1);
  start<MeasuredOperators>(
      "profiling by operator",
      [ask = ports_.record, prepared = prepared_, target = targets_->currentText().toStdString()](
          const std::stop_token& stop) { return ask(prepared, target, stop); },
      [this](const MeasuredOperators& answer) {
        facts_.recorded = answer.programs;
        target_ = text_of(answer.target);
      },
      &ProfileFacts::why_not_recorded);
}

// What is known goes into bars and lines.
void ProfilePage::rebuild() {
  if (is_stored()) return rebuild_stored();
  const auto grouping = grouping_->currentIndex() == 0 ? Grouping::ByType : Grouping::ByOperator;
  chart_ = profile_chart(facts_, grouping,
                         shown_->currentIndex() == 0 ? Shown::Modelled : Shown::Measured);
  drawing_.selected.reset();
  times_->show_chart(chart_);
  table_->resizeColumnsToContents();
  constexpr int kWidest = 240;
  for (int column = 0; column < times_->columnCount(); ++column)
    table_->setColumnWidth(column, std::min(table_->columnWidth(column), kWidest));
  headline_->setText(reason_.isEmpty() ? text_of(viz::headline(facts_)) : reason_);
  target_line_->setText(provenance());
  draw();
  Q_EMIT changed();
}

// Where the numbers come from, and why others are missing.
QString ProfilePage::provenance() const {
  if (facts_.programs.empty()) return {};
  QStringList out;
  out.append(target_.isEmpty() ? tr("Estimates of the analytic model")
                               : tr("Measured by %1").arg(target_));
  if (!facts_.whole) out.append(tr("Whole runs: %1").arg(text_of(facts_.why_no_whole)));
  if (facts_.recorded.empty())
    out.append(tr("Operators: %1").arg(text_of(facts_.why_not_recorded)));
  return out.join("\n");
}

void ProfilePage::rebuild_stored() {
  const StoredProfile& profile = *opened().profile;
  stored_ = stored_chart(profile);
  chart_ = stored_.bars;
  drawing_.selected.reset();
  show_comparisons(*comparisons_, profile, stored_);
  constexpr int kWidths[] = {185, 185, 105, 120, 90, 115, 130, 60, 160, 200, 200};
  for (int column = 0; column < comparisons_->columnCount(); ++column)
    table_->setColumnWidth(column, kWidths[column]);
  headline_->setText(text_of(viz::headline(profile)));
  target_line_->setText(text_of(facts_of(profile, stored_)));
  draw();
  Q_EMIT changed();
}

std::optional<BarPlace> ProfilePage::place_of(int row) const {
  if (is_stored()) return stored_.place_of(static_cast<std::size_t>(row));
  return times_->place_of(row);
}

int ProfilePage::row_of(const BarPlace& place) const {
  if (is_stored()) return static_cast<int>(stored_.number_of(place));
  return times_->row_of(place);
}

void ProfilePage::tell_of(const BarPlace& place) {
  const BarRow& row = chart_.groups[place.group].rows[place.row];
  QString words = text_of(row.label + "\n" + row.note + "\n");
  for (std::size_t i = 0; i < row.bars.size(); ++i)
    words += QString("\n%1\n  %2\n").arg(text_of(chart_.series[i]), text_of(in_words(row.bars[i])));
  Q_EMIT selected(words);
}

// Of a stored profile more is known than is drawn, and of more comparisons.
void ProfilePage::choose_row(int row) {
  if (!is_stored()) return select(place_of(row));
  const std::size_t line = stored_.lines[static_cast<std::size_t>(row)];
  Q_EMIT selected(text_of(in_words(opened().profile->lines()[line])));
  drawing_.selected = place_of(row);
  draw();
  Q_EMIT changed();
}

void ProfilePage::select(std::optional<BarPlace> place) {
  if (drawing_.selected == place) return;
  drawing_.selected = place;
  if (place) {
    if (!is_stored()) tell_of(*place);
    const QModelIndex now = table_->currentIndex();
    if (!now.isValid() || place_of(now.row()) != place)
      table_->setCurrentIndex(table_->model()->index(row_of(*place), 0));
  } else {
    table_->clearSelection();
  }
  draw();
  Q_EMIT changed();
}

// The picture is as wide as there is room for.
bool ProfilePage::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) {
    drawing_.width = static_cast<QResizeEvent*>(event)->size().width() - 2;
    draw();
  }
  return QWidget::eventFilter(watched, event);
}

void ProfilePage::draw() {
  view_->show_scene(chart_.series.empty() ? Scene{} : bars_scene(chart_, drawing_));
}

void ProfilePage::set_theme(const Theme& theme) { view_->set_theme(theme); }
const Scene& ProfilePage::scene() const { return view_->scene(); }

nlohmann::ordered_json ProfilePage::state() const {
  if (is_stored())
    return {{"headline", headline_->text().toStdString()},
            {"facts", target_line_->text().toStdString()},
            {"lines", comparisons_->rowCount()}};
  const auto source = [](bool is_there, const std::string& why) {
    return is_there ? std::string("measured") : "missing: " + why;
  };
  return {{"headline", headline_->text().toStdString()},
          {"target", target_.toStdString()},
          {"programs", facts_.programs.size()},
          {"whole", facts_.whole && facts_.whole->is_remembered
                        ? std::string("remembered")
                        : source(facts_.whole.has_value(), facts_.why_no_whole)},
          {"operators", source(!facts_.recorded.empty(), facts_.why_not_recorded)},
          {"lines", times_->rowCount()}};
}

}  // namespace pet::viz
