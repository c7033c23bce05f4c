#include "viz/views/page_parts.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QTableView>

#include "viz/views/scene_view.h"

namespace pet::viz {

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
