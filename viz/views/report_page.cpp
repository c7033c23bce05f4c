#include "viz/views/report_page.h"

#include <fmt/format.h>

#include <QHeaderView>
#include <QLabel>
#include <QResizeEvent>
#include <QScrollArea>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/run/waterfall.h"
#include "core/util/plural.h"
#include "viz/views/page_parts.h"
#include "viz/views/scene_view.h"
#include "viz/words/report.h"

namespace pet::viz {
namespace {

QString text_of(const std::string& words) { return QString::fromStdString(words); }

FallingBar drawn(const Waterfall::Bar& bar, const std::vector<Alike>& groups) {
  using What = Waterfall::Bar::What;
  FallingBar out{FallingBar::Kind::Whole, "original", {}, bar.from_ms, bar.to_ms, {}};
  if (bar.what == What::Original) return out;
  if (bar.what == What::Optimized) {
    out.label = "optimised";
    return out;
  }
  if (bar.what == What::Together) {
    out.kind = FallingBar::Kind::Rest;
    out.label = "together, against their sum";
    out.tooltip =
        "Places are measured one by one among their neighbours, whole files as wholes: what these "
        "differ by";
    return out;
  }
  const Alike& group = groups[bar.group];
  const PlaceRecord& first = *group.places.front();
  out.kind = FallingBar::Kind::Saved;
  out.label = group.places.size() == 1
                  ? first.name
                  : fmt::format("{} and {} more", first.name, group.places.size() - 1);
  out.tooltip = pet::in_words(first.mutant.moves);
  out.id = fmt::format("group:{}", bar.group);
  return out;
}

TextTable::Row row_of(const PlaceRecord& place) {
  const QString corrected =
      place.correction ? ReportPage::tr("%1 %").arg(100 * place.correction->share, 0, 'f', 2)
                       : QString();
  return {{text_of(place.name)},
          {text_of(pet::in_words(place.mutant.moves))},
          {ReportPage::tr("%1 ms").arg(place.saved_ms, 0, 'g', 4), place.saved_ms},
          {text_of(in_words(place.ratio)), place.ratio.median},
          {corrected}};
}

TextTable::Row row_of(const ReportedPair& pair) {
  std::string engines;
  for (const std::string& engine : pair.engines) engines += (engines.empty() ? "" : ", ") + engine;
  const QString error =
      pair.log2_error ? QString("2^%1").arg(*pair.log2_error, 0, 'f', 0) : QString();
  const QString seconds = pair.seconds ? QString("%1 s").arg(*pair.seconds, 0, 'f', 2) : QString();
  const std::string said = pair.is_as_expected ? pair.verdict : pair.verdict + ", not expected";
  std::string why = pair.where;
  for (const std::string& more : {pair.reason, pair.deviation})
    if (!more.empty()) why += (why.empty() ? "" : "; ") + more;
  return {{text_of(said)},    {text_of(pair.name)},     {text_of(why)},
          {text_of(engines)}, {error, pair.log2_error}, {seconds, pair.seconds}};
}

}  // namespace

ReportPage::ReportPage(QWidget* parent) : Page(parent) { build(); }

void ReportPage::build() {
  headline_ = words_label(
      tr("Open a report: of pet optimize (--report FILE) or of pet-verify (--format json)"),
      kHeadline);
  facts_ = words_label();
  picture_ = new SceneView;
  picture_->setAccessibleName(tr("Where the time went; the table below says the same"));
  rows_ = new TextTable(this);
  table_ = table_of(rows_, tr("What the report says"));
  both_ = new QSplitter(Qt::Vertical);
  both_->addWidget(scrolled(picture_));
  both_->addWidget(table_);
  auto* all = new QVBoxLayout(this);
  all->addWidget(headline_);
  all->addWidget(facts_);
  all->addWidget(both_, 1);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& now) {
            if (now.isValid()) choose(now.row());
          });
  connect(table_, &QTableView::activated, this, [this](const QModelIndex& at) {
    const auto* batch = report_ ? std::get_if<VerifyReport>(&report_->what) : nullptr;
    if (batch == nullptr) return;
    QStringList files;
    for (const auto& file : batch->pairs[static_cast<std::size_t>(at.row())].files)
      files.append(text_of(file));
    Q_EMIT pair_wanted(files);
  });
  connect(picture_, &SceneView::chosen, this, [this](const QString& id) {
    if (!id.startsWith("group:")) return;
    const auto row = std::ranges::find(places_, id.mid(6).toULongLong(), &Place::group);
    if (row != places_.end()) table_->selectRow(static_cast<int>(row - places_.begin()));
  });
}

void ReportPage::show_report(const Report& report) {
  report_ = std::make_unique<const Report>(report);
  places_.clear();
  bars_.clear();
  std::visit([this](const auto& what) { show(what); }, report_->what);
  both_->widget(0)->setVisible(!bars_.empty());
  draw();
  // The picture has the room that it needs, up to a half.
  const int all = both_->height();
  const int picture = std::min(static_cast<int>(scene().height) + 4, all / 2);
  both_->setSizes({picture, all - picture});
  Q_EMIT changed();
}

void ReportPage::show(const VerifyReport& report) {
  QStringList counts;
  for (const auto& [verdict, count] : report.counts())
    counts.append(QString("%1 %2").arg(count).arg(text_of(verdict)));
  const auto unexpected =
      std::ranges::count_if(report.pairs, [](const ReportedPair& p) { return !p.is_as_expected; });
  headline_->setText(
      tr("%1: %2").arg(text_of(plural(report.pairs.size(), "pair")), counts.join(", ")));
  QString facts = unexpected == 0 ? tr("Every pair is as its case expects, where one says")
                                  : tr("%1 not as their case expects").arg(unexpected);
  if (report.broken > 0)
    facts +=
        tr("; %1 no report of a pair and left out")
            .arg(text_of(plural(report.broken, "line") + (report.broken == 1 ? " is" : " are")));
  facts_->setText(facts + tr(". Enter opens a pair."));
  std::vector<TextTable::Row> rows;
  for (const ReportedPair& pair : report.pairs) rows.push_back(row_of(pair));
  rows_->show({tr("verdict"), tr("pair"), tr("where, and why"), tr("engines"), tr("error at most"),
               tr("time")},
              std::move(rows));
  constexpr int kWidths[] = {150, 260, 260, 200, 90, 70};
  for (int column = 0; column < rows_->columnCount(); ++column)
    table_->setColumnWidth(column, kWidths[column]);
}

void ReportPage::show(const RunRecord& run) {
  headline_->setText(text_of(headline_of(run)));
  facts_->setText(text_of(target_of(run)));
  const Waterfall fall = waterfall_of(run);
  const auto groups = alike(run.places);
  for (const Waterfall::Bar& bar : fall.bars) bars_.push_back(drawn(bar, groups));
  std::vector<TextTable::Row> rows;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (const PlaceRecord* place : groups[i].places) {
      places_.push_back({place, i});
      rows.push_back(row_of(*place));
    }
  }
  rows_->show(
      {tr("place"), tr("how it came about"), tr("saves"), tr("times as fast"), tr("was wrong in")},
      std::move(rows));
  constexpr int kWidths[] = {200, 330, 80, 160, 90};
  for (int column = 0; column < rows_->columnCount(); ++column)
    table_->setColumnWidth(column, kWidths[column]);
}

void ReportPage::choose(int row) {
  if (!report_) return;
  if (const auto* batch = std::get_if<VerifyReport>(&report_->what)) {
    const ReportedPair& pair = batch->pairs[static_cast<std::size_t>(row)];
    std::string words = pair.name + "\n" + pair.verdict + "\n";
    for (const std::string& line : {pair.where, pair.reason, pair.deviation})
      if (!line.empty()) words += "\n" + line + "\n";
    for (const std::string& engine : pair.engines) words += "\n" + engine;
    for (const std::string& file : pair.files) words += "\n" + file;
    Q_EMIT selected(text_of(words));
  } else {
    Q_EMIT selected(text_of(in_words(*places_[static_cast<std::size_t>(row)].what)));
  }
  draw();
}

void ReportPage::draw() {
  const auto row = static_cast<std::size_t>(table_->currentIndex().row());
  const std::string selected =
      row < places_.size() ? fmt::format("group:{}", places_[row].group) : std::string();
  picture_->show_scene(waterfall_scene(bars_, std::max(480, width() - 40), selected));
  picture_->setMinimumWidth(0);  // the page may become narrower again
}

void ReportPage::resizeEvent(QResizeEvent* event) {
  Page::resizeEvent(event);
  draw();
}

void ReportPage::set_theme(const Theme& theme) { picture_->set_theme(theme); }
const Scene& ReportPage::scene() const { return picture_->scene(); }
nlohmann::ordered_json ReportPage::state() const {
  return {{"headline", headline_->text().toStdString()}, {"rows", rows_->rowCount()}};
}

}  // namespace pet::viz
