// The palette: every action by its name, found by typing parts of it.
#pragma once

#include <QDialog>

class QLineEdit;
class QListWidget;

namespace pet::viz {

class Actions;

class Palette final : public QDialog {
  Q_OBJECT

 public:
  Palette(const Actions& actions, QWidget* parent);

  void open_fresh();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void filter(const QString& typed);
  void run_chosen();

  const Actions& actions_;
  QLineEdit* typed_ = nullptr;
  QListWidget* list_ = nullptr;
};

}  // namespace pet::viz
