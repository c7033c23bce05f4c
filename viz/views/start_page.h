// What a newcomer sees first: examples as cards with a picture each, and ways in.
#pragma once

#include <QWidget>
#include <vector>

#include "viz/geometry/scene.h"

class QAbstractButton;
class QGridLayout;

namespace pet::viz {

class Actions;

class StartPage final : public QWidget {
  Q_OBJECT

 public:
  struct Card {
    QString id;
    QString title;
    QString text;
    Scene picture;
  };
  StartPage(const std::vector<Card>& cards, const Actions& actions, QWidget* parent = nullptr);
  void focus_first();

 Q_SIGNALS:
  void example_chosen(const QString& id);

 private:
  QAbstractButton* first_ = nullptr;
};

}  // namespace pet::viz
