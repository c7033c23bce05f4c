#include "viz/views/start_page.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPixmap>
#include <QPushButton>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>
#include <nlohmann/json.hpp>

#include "viz/views/actions.h"
#include "viz/views/scene_view.h"

namespace pet::viz {
namespace {

constexpr QSize kPicture(232, 140);
constexpr qsizetype kLine = 34;  // characters under a picture

QPixmap picture_of(const Scene& scene) {
  SceneView view;
  view.show_scene(scene);
  view.resize(static_cast<int>(scene.width), static_cast<int>(scene.height));
  QPixmap whole(view.size());
  view.render(&whole);
  return whole.scaled(kPicture, Qt::KeepAspectRatio, Qt::SmoothTransformation);
}

// In lines that fit under a picture: a button wraps nothing.
QString wrapped(const QString& words) {
  QString out, line;
  for (const QString& word : words.split(' ')) {
    if (!line.isEmpty() && line.size() + 1 + word.size() > kLine) {
      out += line + "\n";
      line.clear();
    }
    line += line.isEmpty() ? word : " " + word;
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
    auto* button = new QToolButton;
    button->setToolButtonStyle(Qt::ToolButtonTextUnderIcon);
    button->setText(wrapped(card.title) + "\n" + wrapped(card.text));
    button->setToolTip(card.text);
    button->setAccessibleName(card.title);
    button->setIcon(QIcon(picture_of(card.picture)));
    button->setIconSize(kPicture);
    button->setFixedSize(kPicture.width() + 24, kPicture.height() + 100);
    connect(button, &QToolButton::clicked, this,
            [this, id = card.id] { Q_EMIT example_chosen(id); });
    // A tool button listens to the space bar alone.
    for (const auto key : {Qt::Key_Return, Qt::Key_Enter}) {
      auto* enter = new QShortcut(key, button, nullptr, nullptr, Qt::WidgetShortcut);
      connect(enter, &QShortcut::activated, button, &QToolButton::click);
    }
    if (first_ == nullptr) first_ = button;
    examples->addWidget(button);
  }
  examples->addStretch();
  auto* open = new QPushButton(tr("Open a file …"));
  connect(open, &QPushButton::clicked, actions.at("file.open"), &QAction::trigger);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(24, 32, 24, 32);
  all->addWidget(title);
  all->addSpacing(12);
  all->addLayout(examples);
  all->addSpacing(12);
  all->addWidget(open, 0, Qt::AlignLeft);
  all->addStretch();
}

nlohmann::ordered_json StartPage::state() const { return nlohmann::ordered_json::object(); }

void StartPage::focus_first() {
  if (first_ != nullptr) first_->setFocus();
}

}  // namespace pet::viz
