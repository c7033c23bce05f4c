#include "viz/views/boxes_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QResizeEvent>
#include <QScrollArea>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "viz/geometry/inspected.h"
#include "viz/models/summation_table.h"
#include "viz/views/actions.h"
#include "viz/views/page_parts.h"
#include "viz/views/scene_view.h"
#include "viz/words/causes.h"

namespace pet::viz {
namespace {

QString text(const std::string& words) { return QString::fromStdString(words); }

}  // namespace

BoxesPage::BoxesPage(const WindowPorts& ports, Jobs& jobs, QWidget* parent)
    : Page(parent), ports_(ports), jobs_(jobs) {
  build();
  connect_all();
}

void BoxesPage::add_actions(Actions& actions) {
  actions.add({"boxes.next", tr("&Next operator"),
               tr("Look at the value that the next operator yields"), QKeySequence("Alt+Down")},
              *this, [this] { step_value(1); });
  actions.add({"boxes.previous", tr("&Previous operator"),
               tr("Look at the value that the operator before it yields"), QKeySequence("Alt+Up")},
              *this, [this] { step_value(-1); });
  actions.add(
      {"boxes.next_cut", tr("Next &cut"),
       tr("Trace the next cut of the value back to where it begins"), QKeySequence("Alt+Right")},
      *this, [this] { step_cut(1); });
  actions.add({"boxes.previous_cut", tr("Previous c&ut"),
               tr("Trace the cut before it back to where it begins"), QKeySequence("Alt+Left")},
              *this, [this] { step_cut(-1); });
  actions.add(
      {"boxes.picture", tr("&Cuts by operator or boxes of the value"),
       tr("Show how cuts come about, or what the value is in each box"), QKeySequence("Alt+B")},
      *this, [this] { picture_->setCurrentIndex(1 - picture_->currentIndex()); });
}

void BoxesPage::build() {
  headline_ = words_label({}, kHeadline);
  counts_ = words_label();
  auto* line = new QHBoxLayout;
  picture_ = add_choice(*line, tr("Show"));
  picture_->addItems({tr("cuts, operator by operator"), tr("boxes of the value")});
  value_ = add_choice(*line, tr("Value"));
  value_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  value_->setMinimumContentsLength(11);
  rows_ = add_choice(*line, tr("Down"));
  columns_ = add_choice(*line, tr("Across"));
  scale_ = add_choice(*line, tr("Scale"));
  scale_->addItems({tr("schematic"), tr("true")});
  line->addStretch();
  view_ = new SceneView;
  view_->setAccessibleName(
      tr("Cuts by operator, or boxes; the table below says what the value is in each"));
  scroll_ = scrolled(view_);
  scroll_->viewport()->installEventFilter(this);
  boxes_ = new SummationTable(this);
  table_ = table_of(boxes_, tr("Boxes of the value, and what it is in each"));
  auto* both = new QSplitter(Qt::Vertical);
  both->addWidget(scroll_);
  both->addWidget(table_);
  both->setStretchFactor(0, 3);
  both->setStretchFactor(1, 1);
  both->setSizes({360, 160});
  auto* all = new QVBoxLayout(this);
  all->addWidget(headline_);
  all->addWidget(counts_);
  all->addLayout(line);
  all->addWidget(both, 1);
}

void BoxesPage::connect_all() {
  connect(picture_, &QComboBox::currentIndexChanged, this, [this] { draw(); });
  connect(scale_, &QComboBox::currentIndexChanged, this, [this] { draw(); });
  connect(value_, &QComboBox::currentIndexChanged, this, &BoxesPage::look_at);
  connect(rows_, &QComboBox::currentIndexChanged, this, &BoxesPage::choose_plane);
  connect(columns_, &QComboBox::currentIndexChanged, this, &BoxesPage::choose_plane);
  connect(view_, &SceneView::chosen, this, &BoxesPage::choose);
  connect(view_, &SceneView::hovered, this, &BoxesPage::hover);
  connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
          [this](const QModelIndex& now) {
            if (now.isValid()) select_box(static_cast<std::size_t>(now.row()));
          });
}

// ---- what is chosen

void BoxesPage::step_value(int direction) {
  const int number = value_->count();
  if (number > 0) value_->setCurrentIndex((value_->currentIndex() + direction + number) % number);
  bring_into_view();
  Q_EMIT changed();
}

// The row of what is looked at.
void BoxesPage::bring_into_view() {
  if (shows_boxes() || looked() == nullptr) return;
  const std::string id = looked()->value ? id_of(*looked()->value) : "pair";
  for (const Item& item : view_->scene().items) {
    const auto* area = std::get_if<Area>(&item.shape);
    if (area == nullptr || item.id != id) continue;
    // The layout that makes the view as large as its scene runs later.
    view_->resize(view_->size().expandedTo(view_->minimumSize()));
    return scroll_->ensureVisible(0, static_cast<int>(area->at.y + area->at.height / 2), 0, 100);
  }
}

void BoxesPage::step_cut(int direction) {
  const auto all = pair();
  if (!all || looked() == nullptr || !looked()->value) return;
  const ValueOfPair value = *looked()->value;
  const auto& cuts = all->at(value).cuts;
  if (cuts.empty()) return;
  const auto at = std::ranges::find_if(cuts, [&](const InspectedCut& cut) {
    return traced_ == CutOfValue{value, cut.digit, cut.at};
  });
  const auto size = std::ssize(cuts);
  const auto now = at == cuts.end() ? (direction > 0 ? -1 : 0) : at - cuts.begin();
  const InspectedCut& next = cuts[static_cast<std::size_t>((now + direction + size) % size)];
  trace({value, next.digit, next.at});
}

void BoxesPage::trace(const CutOfValue& cut) {
  traced_ = cut;
  Q_EMIT selected(text(cut_in_words(*pair(), cut)));
  draw();
  bring_into_view();
  Q_EMIT changed();
}

void BoxesPage::choose(const QString& id) {
  if (id.startsWith("box:")) return select_box(id.mid(4).toULongLong());
  if (shows_boxes()) return select_box(std::nullopt);
  const std::string name = id.toStdString();
  const auto value = value_of(name);
  const auto row = std::ranges::find_if(values_, [&](const Looked& one) {
    return value ? one.value == value : id == "pair" && !one.value;
  });
  if (row == values_.end()) return;
  const auto cut = cut_of(name);
  if (cut) traced_ = *cut;
  value_->setCurrentIndex(static_cast<int>(row - values_.begin()));
  if (cut) trace(*cut);
}

void BoxesPage::select_box(std::optional<std::size_t> box) {
  if (!shown_ || box_ == box) return;
  box_ = box;
  formula_.reset();
  if (box) {
    formula_ = shown_->summation.boxes[*box].formula;
    table_->setCurrentIndex(boxes_->index(static_cast<int>(*box), 0));
    Q_EMIT selected(text(box_in_words(shown_->summation, *box, shown_->names)));
  } else {
    table_->clearSelection();
    table_->setCurrentIndex({});
  }
  if (shows_boxes()) draw();
  Q_EMIT changed();
}

// All boxes of the same sum light up.
void BoxesPage::hover(const QString& id) {
  if (!shown_ || !shows_boxes()) return;
  auto formula = box_ ? std::optional(shown_->summation.boxes[*box_].formula) : std::nullopt;
  if (id.startsWith("box:")) formula = shown_->summation.boxes[id.mid(4).toULongLong()].formula;
  if (formula_ == formula) return;
  formula_ = formula;
  draw();
}

// ---- the picture

bool BoxesPage::shows_boxes() const { return picture_->currentIndex() == 1; }

void BoxesPage::draw() {
  for (QWidget* of_boxes : {rows_, columns_, scale_}) of_boxes->setEnabled(shows_boxes());
  if (!splits_) return;
  if (shows_boxes()) return draw_boxes();
  SplitsDrawing how;
  how.width = width_;
  how.traced = traced_;
  const auto& outputs = opened().pair->outputs;
  std::size_t output = 0;
  if (const Looked* now = looked()) {
    how.selected = now->value;
    how.is_output_selected = !now->value;
    output = now->output;
  }
  std::optional<OutputOfPair> last;
  if (output < outputs.size()) last.emplace(OutputOfPair{output, outputs[output]});
  view_->show_scene(splits_scene(*pair(), last, how));
}

void BoxesPage::draw_boxes() {
  if (!shown_) return view_->show_scene({});
  BoxesDrawing how;
  how.scale =
      scale_->currentIndex() == 0 ? RegionDrawing::Scale::Schematic : RegionDrawing::Scale::True;
  how.selected = box_;
  how.formula = formula_;
  how.width = width_;
  how.names = shown_->names;
  view_->show_scene(boxes_scene(shown_->summation, shown_->grid, shown_->slices, how));
}

bool BoxesPage::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize) {
    width_ = std::max(480, static_cast<QResizeEvent*>(event)->size().width() - 2);
    draw();
  }
  return Page::eventFilter(watched, event);
}

void BoxesPage::set_theme(const Theme& theme) { view_->set_theme(theme); }
const Scene& BoxesPage::scene() const { return view_->scene(); }

nlohmann::ordered_json BoxesPage::state() const {
  nlohmann::ordered_json out{{"headline", headline_->text().toStdString()},
                             {"counts", counts_->text().toStdString()},
                             {"picture", shows_boxes() ? "boxes" : "cuts"}};
  if (shown_) {
    out["boxes"] = shown_->summation.boxes.size();
    out["sums"] = shown_->summation.formulas;
  }
  if (box_) out["box"] = *box_;
  if (traced_ && pair()) out["cut"] = cut_in_words(*pair(), *traced_);
  return out;
}

}  // namespace pet::viz
