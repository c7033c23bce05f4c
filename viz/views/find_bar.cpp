#include "viz/views/find_bar.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>

namespace pet::viz {

FindBar::FindBar(QWidget* parent) : QWidget(parent) {
  text_ = new QLineEdit;
  text_->setPlaceholderText(tr("Find a node by name, operator or output (Ctrl+F)"));
  text_->setAccessibleName(tr("Find a node"));
  text_->setToolTip(tr("Enter: the next one; Shift+Enter: the one before; Escape: to the graph"));
  text_->setClearButtonEnabled(true);
  text_->setMaximumWidth(360);
  text_->installEventFilter(this);
  words_ = new QLabel;
  words_->setTextFormat(Qt::PlainText);
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(0, 0, 0, 0);
  line->addWidget(text_, 1);
  line->addWidget(words_);
  line->addStretch(1);
  connect(text_, &QLineEdit::textChanged, this, &FindBar::look);
}

void FindBar::show_nodes(std::vector<Findable> nodes) {
  finder_ = Finder(std::move(nodes));
  look();
}

void FindBar::start() {
  text_->setFocus();
  text_->selectAll();
}

void FindBar::look() {
  finder_.look_for(text_->text().toStdString());
  say();
}

void FindBar::step(int direction) {
  const auto node = finder_.step(direction);
  if (node) Q_EMIT found(*node);
  say();
}

void FindBar::say() {
  words_->setText(QString::fromStdString(finder_.in_words()));
  Q_EMIT changed();
}

bool FindBar::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  if (key->key() == Qt::Key_Escape) {
    Q_EMIT left();
    return true;
  }
  if (key->key() != Qt::Key_Return && key->key() != Qt::Key_Enter)
    return QWidget::eventFilter(watched, event);
  step((key->modifiers() & Qt::ShiftModifier) != 0 ? -1 : 1);
  return true;
}

}  // namespace pet::viz
