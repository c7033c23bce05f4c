#include "viz/views/post_opt_page.h"

#include <fmt/format.h>

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMetaObject>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/program/passes/all_passes.h"
#include "core/util/plural.h"
#include "core/util/printable.h"
#include "viz/views/actions.h"
#include "viz/views/compare_view.h"
#include "viz/views/page_parts.h"
#include "viz/views/search_control.h"

namespace pet::viz {
namespace {

constexpr int kBest = 1;  // what the passes are over; else the open mutant

QString text(const std::string& words) { return QString::fromStdString(words); }

// Of a new part weights are drawn, too: what is done with them ahead of time is seen nowhere else.
PassRow row_of(const AppliedPass& applied) {
  auto before = std::make_shared<const Graph>(applied.before);
  auto after = std::make_shared<const Graph>(applied.after);
  auto found = counterparts(*before, *after, applied.became,
                            applied.part ? Constants::TakePart : Constants::Apart);
  return {std::string(applied.pass),
          applied.part ? fmt::format("new part {}", *applied.part + 1) : "whole program",
          std::make_shared<const SideBySide>(SideBySide{{"the program before", before},
                                                        {"the program after", after},
                                                        std::move(found),
                                                        std::string(applied.pass)})};
}

// Every pass, also where it changed nothing.
std::vector<PassRow> rows_of(const std::vector<AppliedPass>& applied) {
  std::vector<PassRow> out;
  for (const Pass* pass : all_passes()) {
    const std::size_t before = out.size();
    for (const AppliedPass& one : applied)
      if (one.pass == pass->name) out.push_back(row_of(one));
    if (out.size() == before)
      out.push_back({std::string(pass->name),
                     pass->stage == PassStage::Whole ? "whole program" : "every new part",
                     nullptr});
  }
  return out;
}

}  // namespace

PostOptPage::PostOptPage(const ExportPorts& ports, Jobs& jobs, SearchControl& search,
                         QWidget* parent)
    : Page(parent), ports_(ports), jobs_(jobs), search_(search) {
  build();
  connect(of_, &QComboBox::currentIndexChanged, this, &PostOptPage::refresh);
  connect(&search_, &SearchControl::status_changed, this, &PostOptPage::follow_search);
  connect(all_, &QCheckBox::toggled, this, &PostOptPage::list_passes);
  connect(view_, &CompareView::selected, this, &Page::selected);
  connect(view_, &CompareView::changed, this, &Page::changed);
  connect(list_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& now) {
            const auto row = static_cast<std::size_t>(now.row());
            view_->show_comparison(now.isValid() ? listed_[row].changed : nullptr);
          });
}

void PostOptPage::build() {
  headline_ = words_label({}, kHeadline);
  auto* line = new QHBoxLayout;
  of_ = add_choice(*line, tr("Passes over"));
  of_->addItems({tr("the open mutant in its places"), tr("the best so far of the search")});
  all_ = new QCheckBox(tr("Also passes that changed nothing"));
  line->addWidget(all_);
  line->addStretch();
  table_ = new TextTable(this);
  list_ = table_of(table_, tr("The passes, in order"));
  list_->horizontalHeader()->setStretchLastSection(true);
  view_ = new CompareView;
  auto* halves = new QSplitter(Qt::Vertical);
  halves->addWidget(list_);
  halves->addWidget(view_);
  halves->setStretchFactor(1, 1);
  halves->setSizes({80, 430});
  auto* all = new QVBoxLayout(this);
  all->addWidget(headline_);
  all->addLayout(line);
  all->addWidget(halves, 1);
  setFocusProxy(list_);
}

void PostOptPage::add_actions(Actions& actions) {
  actions.add({"post_opt.next", tr("&Next difference of this pass"),
               tr("The next place that this pass changed"), QKeySequence("F8")},
              *this, [this] { view_->step(1); });
  actions.add({"post_opt.previous", tr("&Previous difference of this pass"),
               tr("The place before that this pass changed"), QKeySequence("Shift+F8")},
              *this, [this] { view_->step(-1); });
  actions.add({"post_opt.of", tr("Passes over the &mutant or the best so far"),
               tr("Show the passes over the open mutant in its places, or over the best that the "
                  "search has found")},
              *this, [this] { of_->setCurrentIndex(1 - of_->currentIndex()); });
  actions.add({"post_opt.all", tr("&All passes"), tr("Also passes that changed nothing")}, *this,
              [this] { all_->toggle(); });
}

void PostOptPage::refresh() {
  ++asked_;
  plan_.reset();
  deliver({}, {});
  if (of_->currentIndex() == kBest)
    ask_of_best();
  else
    ask_of_mutant();
}

void PostOptPage::ask_of_mutant() {
  if (!opened().model || !opened().pair || !opened().pair->places || !ports_.passes)
    return say(
        tr("Open a mutant of the open model (Search or Mutants, Ctrl+Enter): the passes "
           "over the model with it in its places come here"));
  start(tr("the model with %1 in its places").arg(text(printable(opened().pair->name))),
        [ask = ports_.passes, open = opened()](const std::stop_token& stop) {
          return ask(open, stop);
        });
}

void PostOptPage::ask_of_best() {
  plan_ = search_.best();
  if (!search_.is_live())
    return say(
        tr("No search runs: open a model and start one (Ctrl+R); the passes over the best "
           "that it has found come here"));
  if (search_.is_running()) return say(tr("The search is at work: pause it first (F6)"));
  if (!plan_ || !opened().model || !ports_.passes_of_plan)
    return say(tr("The search has found nothing faster so far"));
  start(tr("the best so far of the search: %1 of the model changed")
            .arg(text(plural(plan_->choices.size(), "place"))),
        [ask = ports_.passes_of_plan, open = opened(), plan = plan_](const std::stop_token& stop) {
          return ask(open, *plan, stop);
        });
}

// What it has found is another thing once it stands still again.
void PostOptPage::follow_search() {
  if (!isVisible() || of_->currentIndex() != kBest || search_.is_running()) return;
  if (search_.best() != plan_ || !search_.is_live()) refresh();
}

void PostOptPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  follow_search();
}

void PostOptPage::start(const QString& of, Ask ask) {
  say(tr("applying the passes …"));
  jobs_.start("passes", "the passes over " + of.toStdString(),
              [this, of, ask = std::move(ask),
               number = asked_](const std::stop_token& stop) -> Result<Delivery> {
                const auto applied = ask(stop);
                if (!applied) {
                  const std::string why = printable(applied.error().message);
                  QMetaObject::invokeMethod(
                      this,
                      [this, number, why] {
                        if (number == asked_) say(text(why));
                      },
                      Qt::QueuedConnection);
                  return applied.error();
                }
                return Delivery([this, number, of, rows = rows_of(*applied)] {
                  if (number == asked_) deliver(rows, of);
                });
              });
}

void PostOptPage::deliver(const std::vector<PassRow>& rows, const QString& of) {
  rows_ = rows;
  list_passes();
  if (rows.empty()) return;
  const auto changed =
      std::ranges::count_if(rows, [](const PassRow& row) { return row.changed != nullptr; });
  if (changed == 0) return say(tr("No pass changed anything of %1").arg(of));
  say(tr("%1 by %2 over %3")
          .arg(text(plural(changed, "change")), changed == 1 ? tr("a pass") : tr("passes"), of));
}

void PostOptPage::list_passes() {
  listed_.clear();
  std::vector<TextTable::Row> words;
  for (const PassRow& row : rows_) {
    if (!row.changed && !all_->isChecked()) continue;
    listed_.push_back(row);
    words.push_back({{text(row.pass)},
                     {text(row.where)},
                     {row.changed ? text(headline_of(*row.changed)) : tr("changed nothing")}});
  }
  table_->show({tr("pass"), tr("where"), tr("what it changed")}, std::move(words));
  view_->show_comparison(nullptr);
  list_->resizeColumnToContents(0);
  if (!listed_.empty()) list_->selectRow(0);
}

void PostOptPage::say(const QString& headline) {
  headline_->setText(headline);
  Q_EMIT changed();
}

nlohmann::ordered_json PostOptPage::state() const {
  nlohmann::ordered_json out{{"headline", headline_->text().toStdString()},
                             {"passes", listed_.size()},
                             {"pass", list_->currentIndex().row() + 1}};
  out.update(view_->state());
  return out;
}

void PostOptPage::set_theme(const Theme& theme) { view_->set_theme(theme); }
const Scene& PostOptPage::scene() const { return view_->scene(); }

}  // namespace pet::viz
