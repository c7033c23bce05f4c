#include "viz/views/regions_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QResizeEvent>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/program/region_words.h"
#include "viz/geometry/inspected.h"
#include "viz/geometry/region_facts.h"
#include "viz/geometry/truth.h"
#include "viz/session/jobs.h"
#include "viz/views/actions.h"
#include "viz/views/page_parts.h"
#include "viz/views/scene_view.h"
#include "viz/words/axis_names.h"

namespace pet::viz {
namespace {

// A position of a box that is typical of it: its middle, by axis.
Shape middle_of(const Box& box, const DigitBasis& basis) {
  Shape out;
  std::size_t digit = 0;
  for (const Shape& digits : basis.digits) {
    Dim at = 0;
    for (const Dim extent : digits) {
      at = at * extent + (box.low[digit] + box.high[digit] - 1) / 2;
      ++digit;
    }
    out.push_back(at);
  }
  return out;
}

}  // namespace

RegionsPage::RegionsPage(const WindowPorts& ports, Jobs& jobs, QWidget* parent)
    : Page(parent), ports_(ports), jobs_(jobs) {
  build();
}

void RegionsPage::add_actions(Actions& actions) {
  actions_ = &actions;
  actions.add({"regions.next", tr("&Next wrong box"),
               tr("Select the next box in which the programs differ"), QKeySequence("N")},
              *this, [this] { next_wrong(); });
  actions.add({"regions.previous", tr("&Previous wrong box"),
               tr("Select the box before it in which the programs differ"), QKeySequence("P")},
              *this, [this] { previous_wrong(); });
  actions.add(
      {"regions.scale", tr("Schematic or &true scale"),
       tr("Draw every interval wide enough to be read, or as long as it is"), QKeySequence("T")},
      *this, [this] { toggle_scale(); });
  actions.add({"regions.swap", tr("S&wap the axes of the plane"), tr("What goes down goes across"),
               QKeySequence("X")},
              *this, [this] { swap_plane(); });
  actions.add({"regions.truth", tr("Check every &element"),
               tr("Hold the boxes against a check that looks at every element of the output"),
               QKeySequence("G")},
              *this, [this] { ask_for_truth(); });
}

void RegionsPage::refresh() {
  if (opened().pair)
    show_outputs(opened().pair->outputs);
  else
    show_reason(tr("Regions are of two programs: open a case, or choose a mutant of a search"));
}

void RegionsPage::build() {
  headline_ = words_label({}, kHeadline);
  counts_ = words_label();
  truth_words_ = words_label();
  truth_words_->hide();
  next_ = words_label();

  auto* line = new QHBoxLayout;
  output_ = add_choice(*line, tr("Output"));
  shape_ = add_choice(*line, tr("Shape"));
  shape_->setToolTip(tr("In which factors of the shape the output is looked at"));
  rows_ = add_choice(*line, tr("Down"));
  columns_ = add_choice(*line, tr("Across"));
  scale_ = add_choice(*line, tr("Scale"));
  scale_->addItems({tr("schematic"), tr("true")});
  line->addStretch();

  view_ = new SceneView;
  view_->setAccessibleName(tr("Where the programs differ; the table below says the same"));
  auto* scroll = scrolled(view_);
  scroll->viewport()->installEventFilter(this);
  boxes_ = new BoxTable(this);
  table_ = table_of(boxes_, tr("Boxes of the output"));
  auto* both = new QSplitter(Qt::Vertical);
  both->addWidget(scroll);
  both->addWidget(table_);
  both->setStretchFactor(0, 3);
  both->setStretchFactor(1, 1);

  auto* all = new QVBoxLayout(this);
  all->addWidget(headline_);
  all->addWidget(counts_);
  all->addWidget(truth_words_);
  all->addWidget(next_);
  all->addLayout(line);
  all->addWidget(both, 1);

  connect(output_, &QComboBox::currentIndexChanged, this, &RegionsPage::choose_output);
  connect(shape_, &QComboBox::currentIndexChanged, this, &RegionsPage::choose_lens);
  connect(rows_, &QComboBox::currentIndexChanged, this, &RegionsPage::choose_plane);
  connect(columns_, &QComboBox::currentIndexChanged, this, &RegionsPage::choose_plane);
  connect(scale_, &QComboBox::currentIndexChanged, this, [this](int index) {
    drawing_.scale = index == 0 ? RegionDrawing::Scale::Schematic : RegionDrawing::Scale::True;
    draw();
  });
  connect(view_, &SceneView::chosen, this, [this](const QString& id) {
    if (id.startsWith("box:"))
      select(id.mid(4).toULongLong());
    else
      select(std::nullopt);
  });
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& now) {
            if (now.isValid()) select(boxes_->box_of(now.row()));
          });
}

void RegionsPage::show_outputs(std::vector<InspectedOutput> outputs) {
  outputs_ = std::move(outputs);
  truth_.clear();
  {
    const QSignalBlocker quiet(output_);
    output_->clear();
    for (const InspectedOutput& output : outputs_)
      output_->addItem(QString::fromStdString(output.name));
  }
  // The first one that is not equal everywhere.
  const auto wrong = std::ranges::find_if(
      outputs_, [](const InspectedOutput& o) { return !o.reason.empty() || !o.wrong.empty(); });
  say_what_is_next(wrong != outputs_.end());
  const auto number = wrong == outputs_.end() ? 0 : wrong - outputs_.begin();
  output_->setCurrentIndex(static_cast<int>(number));
  choose_output(static_cast<int>(number));
}

// The pages that go on from here, by their keys. Those have them once all pages are made.
void RegionsPage::say_what_is_next(bool is_wrong) {
  if (actions_ == nullptr) return;
  const auto key = [this](const char* id) {
    return actions_->at(id)->shortcut().toString(QKeySequence::NativeText);
  };
  next_->setText(is_wrong
                     ? tr("%1: the next wrong box and its terms · %2: its correction · "
                          "%3: check it in several ways")
                           .arg(key("regions.next"), key("page.correction"), key("page.verdicts"))
                     : tr("%1: check it in several ways · %2: what it is worth")
                           .arg(key("page.verdicts"), key("page.profile")));
}

Region RegionsPage::repaired() const { return opened().pair ? opened().pair->repaired : Region(); }

void RegionsPage::show_reason(const QString& why) {
  shown_.reset();
  headline_->setText(why);
  counts_->clear();
  next_->clear();
  boxes_->show_boxes(QuotientGrid({}, {}), {});
  view_->show_scene({});
}

void RegionsPage::show_output(const QString& name) {
  output_->setCurrentIndex(output_->findText(name));
}

void RegionsPage::choose_output(int number) {
  if (number < 0 || static_cast<std::size_t>(number) >= outputs_.size()) return;
  const InspectedOutput& output = outputs_[static_cast<std::size_t>(number)];
  if (!output.reason.empty())
    return show_reason(tr("Nothing is known here: %1").arg(QString::fromStdString(output.reason)));
  headline_->setText(QString::fromStdString(viz::headline(
      grid_of(output, repaired()), output.wrong.boxes.size(), where_in_words(output.wrong))));
  fill_lens_choices(grid_of(output, repaired()));
  choose_lens(0);
}

// The usual one first, then all digits, then whole axes; of those that come to the same the first.
void RegionsPage::fill_lens_choices(const QuotientGrid& grid) {
  const QSignalBlocker quiet(shape_);
  const std::size_t rank = grid.basis().digits.size();
  shape_->clear();
  lenses_.clear();
  std::vector<DigitBasis> known;
  for (const Lens& lens : {usual_lens(grid), Lens(rank, true), Lens(rank, false)}) {
    const DigitBasis basis = through(grid, lens).basis();
    if (std::ranges::find(known, basis) != known.end()) continue;
    known.push_back(basis);
    lenses_.push_back(lens);
    shape_->addItem(QString::fromStdString(shape_in_words(basis)));
  }
}

void RegionsPage::choose_lens(int number) {
  const int output = output_->currentIndex();
  if (number < 0 || output < 0) return;
  show_grid(through(grid_of(outputs_[static_cast<std::size_t>(output)], repaired()),
                    lenses_[static_cast<std::size_t>(number)]));
}

void RegionsPage::show_grid(QuotientGrid grid) {
  drawing_.names = digit_names(grid.basis());
  drawing_.selected.reset();
  drawing_.findings.clear();
  counts_->setText(QString::fromStdString(counts_in_words(grid)));
  boxes_->show_boxes(grid, drawing_.names);
  table_->resizeColumnsToContents();
  tell_truth(grid);
  const Plane plane = usual_plane(grid);
  shown_.emplace(Shown{grid, drawing_.names, slices_of(grid, plane)});
  fill_plane(*rows_, *columns_, plane, shown_->names);
  draw();
}

void RegionsPage::choose_plane() {
  if (shown_) show_plane(chosen_plane(*rows_, *columns_));
}

void RegionsPage::swap_plane() {
  if (shown_) show_plane({shown_->slices.plane.columns, shown_->slices.plane.rows});
}

void RegionsPage::show_plane(const Plane& plane) {
  shown_->slices = slices_of(shown_->grid, plane);
  fill_plane(*rows_, *columns_, plane, shown_->names);
  draw();
}

void RegionsPage::toggle_scale() { scale_->setCurrentIndex(1 - scale_->currentIndex()); }

void RegionsPage::select(std::optional<std::size_t> box) {
  if (!shown_ || drawing_.selected == box) return;
  drawing_.selected = box;
  if (box) {
    table_->setCurrentIndex(boxes_->index(boxes_->row_of(*box), 0));
    const StatedBox& stated = shown_->grid.boxes()[*box];
    QString words;
    for (std::size_t digit = 0; digit < shown_->names.size(); ++digit)
      words += QString("%1  %2\n")
                   .arg(QString::fromStdString(shown_->names[digit]),
                        QString::fromStdString(
                            range_in_words(stated.box.low[digit], stated.box.high[digit])));
    Q_EMIT selected(words + QString::fromStdString(grouped(stated.box.volume(), "element")));
    Q_EMIT position_chosen(static_cast<std::size_t>(output_->currentIndex()),
                           middle_of(stated.box, shown_->grid.basis()));
  } else {
    table_->clearSelection();
  }
  draw();
}

void RegionsPage::step(int direction) {
  if (!shown_) return;
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < shown_->grid.boxes().size(); ++i)
    if (shown_->grid.boxes()[i].state != State::Equal) wrong.push_back(i);
  if (wrong.empty()) return;
  const auto at = drawing_.selected ? std::ranges::find(wrong, *drawing_.selected) : wrong.end();
  const auto size = static_cast<int>(wrong.size());
  const int now =
      at == wrong.end() ? (direction > 0 ? -1 : 0) : static_cast<int>(at - wrong.begin());
  select(wrong[static_cast<std::size_t>((now + direction + size) % size)]);
}

// ---- every element looked at

void RegionsPage::ask_for_truth() {
  const auto pair = opened().pair;
  const int output = output_->currentIndex();
  if (!pair || output < 0 || !ports_.truth) return;
  const auto number = static_cast<std::size_t>(output);
  jobs_.start("truth", "checking every element of " + pair->outputs[number].name,
              [this, pair, number](const std::stop_token& stop) -> Result<Delivery> {
                auto truth = ports_.truth(*pair, number, stop);
                if (!truth) return std::move(truth).error();
                return Delivery([this, pair, number, truth = *std::move(truth)] {
                  if (opened().pair != pair) return;
                  truth_[number] = truth;
                  if (shown_ && output_->currentIndex() == static_cast<int>(number)) {
                    tell_truth(shown_->grid);
                    draw();
                  }
                  Q_EMIT changed();
                });
              });
}

// What was found about the boxes of that grid; boxes that are wrong about it have a thick border.
void RegionsPage::tell_truth(const QuotientGrid& grid) {
  const auto known = truth_.find(static_cast<std::size_t>(output_->currentIndex()));
  const bool is_known =
      known != truth_.end() && static_cast<Dim>(known->second.equal_at.size()) == grid.elements();
  truth_words_->setVisible(is_known);
  drawing_.findings.clear();
  if (!is_known) return;
  const auto truth = truth_of(grid, known->second.equal_at);
  truth_words_->setText(tr("Every element, by %1: %2")
                            .arg(QString::fromStdString(known->second.by),
                                 QString::fromStdString(in_words(counts_of(grid, truth)))));
  for (std::size_t i = 0; i < truth.size(); ++i)
    drawing_.findings.push_back(finding_of(grid.boxes()[i], truth[i]));
}

// The picture is as wide as there is room for.
bool RegionsPage::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) {
    drawing_.width = static_cast<QResizeEvent*>(event)->size().width() - 2;
    draw();
  }
  return Page::eventFilter(watched, event);
}

void RegionsPage::draw() {
  if (shown_) view_->show_scene(region_scene(shown_->grid, shown_->slices, drawing_));
}

void RegionsPage::set_theme(const Theme& theme) { view_->set_theme(theme); }
const Scene& RegionsPage::scene() const { return view_->scene(); }
nlohmann::ordered_json RegionsPage::state() const {
  nlohmann::ordered_json basis;
  if (shown_) basis = shown_->grid.basis().digits;
  return {{"headline", headline().toStdString()},
          {"truth", truth().toStdString()},
          {"output", output_->currentText().toStdString()},
          {"digit_basis", std::move(basis)},
          {"scale", drawing_.scale == RegionDrawing::Scale::True ? "true" : "schematic"}};
}
QString RegionsPage::truth() const {
  return truth_words_->isHidden() ? QString() : truth_words_->text();
}
QString RegionsPage::headline() const { return headline_->text(); }

}  // namespace pet::viz
