#include "viz/views/left_list.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "viz/views/page_parts.h"

namespace pet::viz {
namespace {

constexpr std::size_t kMostShown = 3;

QString words_of(const LeftSession& left) {
  if (!left.session)
    return LeftList::tr(
               "A window was ended without being closed, and what it kept cannot be "
               "read: %1")
        .arg(QString::fromStdString(left.session.error().message));
  return LeftList::tr("A window was ended without being closed: %1")
      .arg(QString::fromStdString(in_words(*left.session)));
}

}  // namespace

LeftList::LeftList(QWidget* parent) : QWidget(parent) {
  lines_ = new QVBoxLayout(this);
  lines_->setContentsMargins(0, 8, 0, 0);
  hide();
}

void LeftList::show_sessions(const std::vector<LeftSession>& sessions) {
  words_.clear();
  for (QWidget* line : findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
    line->hide();
    line->deleteLater();  // one of its buttons may be what was clicked
  }
  const std::size_t shown = std::min(sessions.size(), kMostShown);
  for (std::size_t i = 0; i < shown; ++i) add(words_of(sessions[i]), sessions[i]);
  if (shown < sessions.size()) {
    words_ << tr("%1 of %2 are shown, the newest").arg(shown).arg(sessions.size());
    lines_->addWidget(words_label(words_.back()));
  }
  setVisible(!sessions.empty());
}

void LeftList::add(const QString& words, const LeftSession& session) {
  words_ << words;
  auto* line = new QWidget;
  auto* all = new QHBoxLayout(line);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(words_label(words), 1);
  const auto button = [&](const QString& title, const QString& tooltip) {
    auto* out = new QPushButton(title);
    out->setToolTip(tooltip);
    out->setAccessibleName(tr("%1: %2").arg(title, words));
    all->addWidget(out);
    return out;
  };
  const QString file = QString::fromStdString(session.file.string());
  if (session.session)
    connect(button(tr("Restore"), tr("Open what it had open, as it was looked at")),
            &QPushButton::clicked, this, [this, file] { Q_EMIT wanted(file); });
  connect(button(tr("Forget"), tr("Remove what it kept, for good")), &QPushButton::clicked, this,
          [this, file] { Q_EMIT unwanted(file); });
  lines_->addWidget(line);
}

}  // namespace pet::viz
