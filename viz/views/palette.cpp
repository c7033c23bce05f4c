#include "viz/views/palette.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "viz/views/actions.h"

namespace pet::viz {
namespace {

constexpr int kAction = Qt::UserRole;

bool holds_all(const QString& text, const QStringList& words) {
  return std::ranges::all_of(
      words, [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

}  // namespace

Palette::Palette(const Actions& actions, QWidget* parent) : QDialog(parent), actions_(actions) {
  setWindowTitle(tr("Commands"));
  resize(560, 420);
  typed_ = new QLineEdit;
  typed_->setPlaceholderText(tr("Type a part of a command's name"));
  typed_->setAccessibleName(tr("Command"));
  typed_->installEventFilter(this);
  list_ = new QListWidget;
  list_->setAccessibleName(tr("Commands that match"));
  auto* all = new QVBoxLayout(this);
  all->addWidget(typed_);
  all->addWidget(list_);
  connect(typed_, &QLineEdit::textChanged, this, &Palette::filter);
  connect(typed_, &QLineEdit::returnPressed, this, &Palette::run_chosen);
  connect(list_, &QListWidget::itemActivated, this, &Palette::run_chosen);
}

void Palette::open_fresh() {
  typed_->clear();
  filter({});
  open();
  typed_->setFocus();
}

void Palette::filter(const QString& typed) {
  const QStringList words = typed.split(' ', Qt::SkipEmptyParts);
  list_->clear();
  for (QAction* action : actions_.all()) {
    QString text = action->text();
    text.remove('&');
    if (!holds_all(text, words)) continue;
    const QString keys = action->shortcut().toString(QKeySequence::NativeText);
    auto* item = new QListWidgetItem(keys.isEmpty() ? text : text + "\t" + keys, list_);
    item->setToolTip(action->toolTip());
    item->setData(kAction, QVariant::fromValue(action));
    if (!action->isEnabled()) item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
  }
  list_->setCurrentRow(0);
}

void Palette::run_chosen() {
  const QListWidgetItem* item = list_->currentItem();
  if (item == nullptr || (item->flags() & Qt::ItemIsEnabled) == 0) return;
  auto* action = item->data(kAction).value<QAction*>();
  accept();
  action->trigger();
}

// Arrow keys go through the list while one types.
bool Palette::eventFilter(QObject* watched, QEvent* event) {
  if (watched == typed_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Up || key == Qt::Key_Down || key == Qt::Key_PageUp ||
        key == Qt::Key_PageDown) {
      QCoreApplication::sendEvent(list_, event);
      return true;
    }
  }
  return QDialog::eventFilter(watched, event);
}

}  // namespace pet::viz
