// One line above a picture: what to find, how many there are, forward and back.
#pragma once

#include <QWidget>
#include <optional>

#include "viz/graph_layout/finder.h"

class QLabel;
class QLineEdit;

namespace pet::viz {

class FindBar final : public QWidget {
  Q_OBJECT

 public:
  explicit FindBar(QWidget* parent = nullptr);

  void show_nodes(std::vector<Findable> nodes);  // looks for what stands there among these
  void start();                                  // the next key goes there
  void step(int direction);
  std::string in_words() const { return finder_.in_words(); }

 Q_SIGNALS:
  void found(NodeId id);
  void changed();
  void left();  // by Escape

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void look();
  void say();

  Finder finder_;
  QLineEdit* text_ = nullptr;
  QLabel* words_ = nullptr;
};

}  // namespace pet::viz
