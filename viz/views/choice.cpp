#include "viz/views/choice.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>

namespace pet::viz {

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

}  // namespace pet::viz
