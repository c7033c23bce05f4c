#include "viz/views/start_page.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPainter>
#include <QPixmap>
#include <QPushButton>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>
#include <nlohmann/json.hpp>

#include "viz/views/actions.h"
#include "viz/views/left_list.h"
#include "viz/views/plain_text.h"
#include "viz/views/scene_view.h"

namespace pet::viz {
namespace {

constexpr QSize kPicture(228, 150);
constexpr int kLines = 90;  // pixels for the words under it

QPixmap picture_of(const Scene& scene, const Theme& theme) {
  SceneView view;
  view.set_theme(theme);
  view.show_scene(scene);
  view.resize(static_cast<int>(scene.width), static_cast<int>(scene.height));
  QPixmap whole(view.size());
  view.render(&whole);
  return whole.scaled(kPicture, Qt::KeepAspectRatio, Qt::SmoothTransformation);
}

// Cut between words into lines that fit; buttons cut their texts off.
QString in_lines(const QString& text, const QFontMetrics& font, int width) {
  QString out, line;
  for (const QString& word : text.split(' ')) {
    const QString longer = line.isEmpty() ? word : line + " " + word;
    if (!line.isEmpty() && font.horizontalAdvance(longer) > width) {
      out += line + "\n";
      line = word;
    } else {
      line = longer;
    }
  }
  return out + line;
}

}  // namespace

StartPage::StartPage(const std::vector<ExampleCard>& cards, const Actions& actions, QWidget* parent)
    : Page(parent) {
  auto* title =
      new QLabel(tr("Where is a faster program wrong, and what does it cost to repair it?"));
  QFont large = title->font();
  large.setPixelSize(20);
  title->setFont(large);
  auto* examples = new QHBoxLayout;
  for (const ExampleCard& card : cards) {
    cards_.emplace_back(make_card(card), card.picture);
    examples->addWidget(cards_.back().first);
  }
  examples->addStretch();
  left_ = new LeftList;
  connect(left_, &LeftList::wanted, this, &StartPage::left_wanted);
  connect(left_, &LeftList::unwanted, this, &StartPage::left_unwanted);
  auto* below = new QHBoxLayout;
  below->addLayout(make_ways_in(actions));
  below->addSpacing(24);
  below->addLayout(make_recent(), 1);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(24, 24, 24, 24);
  all->addWidget(title);
  all->addWidget(left_);
  all->addSpacing(12);
  all->addLayout(examples);
  all->addSpacing(16);
  all->addLayout(below, 1);
}

QAbstractButton* StartPage::make_card(const ExampleCard& card) {
  auto* button = new QToolButton;
  button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
  const auto lines = [&](const QString& text) {
    return in_lines(text, button->fontMetrics(), kPicture.width() + 8);
  };
  button->setText(lines(card.title) + "\n\n" + lines(card.text));
  button->setToolTip(card.text);
  button->setAccessibleName(card.title);
  button->setIconSize(kPicture);
  button->setFixedSize(kPicture.width() + 24, kPicture.height() + kLines);
  connect(button, &QToolButton::clicked, this, [this, id = card.id] { Q_EMIT example_chosen(id); });
  // A tool button listens to the space bar alone.
  for (const auto key : {Qt::Key_Return, Qt::Key_Enter}) {
    auto* enter = new QShortcut(key, button, nullptr, nullptr, Qt::WidgetShortcut);
    connect(enter, &QShortcut::activated, button, &QToolButton::click);
  }
  return button;
}

QBoxLayout* StartPage::make_ways_in(const Actions& actions) {
  auto* out = new QVBoxLayout;
  for (const char* id : {"file.open", "file.run", "file.build"}) {
    const QAction* action = actions.at(id);
    auto* button = new QPushButton(action->text());
    button->setToolTip(action->toolTip());
    button->setMinimumHeight(32);
    connect(button, &QPushButton::clicked, action, &QAction::trigger);
    out->addWidget(button);
  }
  out->addStretch();
  return out;
}

QBoxLayout* StartPage::make_recent() {
  auto* label = new QLabel(tr("&Recent"));
  recent_ = new QListWidget;
  recent_->setAccessibleName(tr("Recent files"));
  recent_->setFrameShape(QFrame::NoFrame);
  recent_->setTextElideMode(Qt::ElideMiddle);
  label->setBuddy(recent_);
  const auto open = [this](const QListWidgetItem* item) {
    if (item->flags().testFlag(Qt::ItemIsEnabled))
      Q_EMIT file_chosen(item->data(Qt::UserRole).toString());
  };
  connect(recent_, &QListWidget::itemActivated, this, open);
  auto* out = new QVBoxLayout;
  out->addWidget(label);
  out->addWidget(recent_, 1);
  return out;
}

void StartPage::show_recent(const RecentFiles& files) {
  files_ = files;
  list_recent();
}

// Whether they are there is looked at again each time.
void StartPage::showEvent(QShowEvent* event) {
  Page::showEvent(event);
  list_recent();
}

void StartPage::list_recent() {
  recent_->clear();
  for (const auto& file : files_) {
    std::error_code failed;
    const bool is_there = std::filesystem::exists(file, failed);
    const QString path = QString::fromStdString(file.string());
    const QString name = QString::fromStdString(file.filename().string());
    const QString folder = QString::fromStdString(file.parent_path().string());
    auto* item = new QListWidgetItem(is_there ? tr("%1    in %2").arg(name, folder)
                                              : tr("%1    is not in %2 any more").arg(name, folder),
                                     recent_);
    item->setData(Qt::UserRole, path);
    item->setToolTip(as_tooltip(path));
    if (!is_there) item->setFlags(Qt::NoItemFlags);
  }
  if (files_.empty()) {
    auto* none = new QListWidgetItem(tr("none yet"), recent_);
    none->setFlags(Qt::NoItemFlags);
  }
}

void StartPage::show_left(const std::vector<LeftSession>& sessions) {
  left_->show_sessions(sessions);
}

nlohmann::ordered_json StartPage::state() const {
  return {{"recent", files_.size()}, {"left", left_->in_words().toStdString()}};
}

void StartPage::set_theme(const Theme& theme) {
  for (const auto& [button, picture] : cards_) button->setIcon(QIcon(picture_of(picture, theme)));
}

void StartPage::focus_first() {
  if (!cards_.empty()) cards_.front().first->setFocus();
}

}  // namespace pet::viz
