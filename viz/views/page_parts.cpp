#include "viz/views/page_parts.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QTableView>

#include "viz/geometry/slices.h"
#include "viz/views/scene_view.h"

namespace pet::viz {
namespace {

void fill_digits(QComboBox& box, std::optional<std::size_t> digit,
                 const std::vector<std::string>& names) {
  const QSignalBlocker quiet(box);
  box.clear();
  box.addItem(QObject::tr("none"));
  for (const std::string& name : names) box.addItem(QString::fromStdString(name));
  box.setCurrentIndex(digit ? static_cast<int>(*digit) + 1 : 0);
}

std::optional<std::size_t> chosen_digit(const QComboBox& box) {
  if (box.currentIndex() <= 0) return std::nullopt;
  return static_cast<std::size_t>(box.currentIndex()) - 1;
}

}  // namespace

QLabel* words_label(const QString& words, int pixels) {
  auto* out = new QLabel(words);
  out->setTextFormat(Qt::PlainText);
  out->setWordWrap(true);
  out->setTextInteractionFlags(Qt::TextSelectableByMouse);
  if (pixels > 0) {
    QFont font = out->font();
    font.setPixelSize(pixels);
    out->setFont(font);
  }
  return out;
}

QComboBox* add_choice(QHBoxLayout& line, const QString& title) {
  auto* label = new QLabel(title);
  auto* box = new QComboBox;
  box->setAccessibleName(title);
  box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  label->setBuddy(box);
  line.addWidget(label);
  line.addWidget(box);
  return box;
}

void fill_plane(QComboBox& rows, QComboBox& columns, const Plane& plane,
                const std::vector<std::string>& names) {
  fill_digits(rows, plane.rows, names);
  fill_digits(columns, plane.columns, names);
}

Plane chosen_plane(const QComboBox& rows, const QComboBox& columns) {
  Plane out{chosen_digit(rows), chosen_digit(columns)};
  if (out.rows == out.columns) out.rows.reset();
  return out;
}

QScrollArea* scrolled(SceneView* view) {
  auto* out = new QScrollArea;
  out->setWidget(view);
  out->setWidgetResizable(true);
  out->setFrameShape(QFrame::NoFrame);
  out->setFocusPolicy(Qt::NoFocus);  // the view in it has the focus, and a name
  return out;
}

QTableView* table_of(QAbstractItemModel* model, const QString& name) {
  auto* out = new QTableView;
  // Names begin alike: what tells them apart stands at both ends.
  out->setWordWrap(false);
  out->setTextElideMode(Qt::ElideMiddle);
  out->setModel(model);
  out->setAccessibleName(name);
  out->setSelectionBehavior(QAbstractItemView::SelectRows);
  out->setSelectionMode(QAbstractItemView::SingleSelection);
  out->verticalHeader()->setDefaultSectionSize(22);
  return out;
}

}  // namespace pet::viz
