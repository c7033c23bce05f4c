// A page of the window. It holds what is open and draws it anew only while it is the page in front.
#pragma once

#include <QWidget>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "viz/geometry/scene.h"
#include "viz/geometry/theme.h"
#include "viz/views/opened.h"

namespace pet::viz {

class Actions;

class Page : public QWidget {
  Q_OBJECT

 public:
  using QWidget::QWidget;

  virtual QString title() const = 0;
  // Called once. What is added in the name of this page stands in a menu of its own.
  virtual void add_actions(Actions& /*actions*/) {}
  virtual void set_theme(const Theme& theme) = 0;
  // What a file is written from; empty: nothing is drawn.
  virtual const Scene& scene() const;
  // What is shown, for whoever watches from outside: {"headline": ...}.
  virtual nlohmann::ordered_json state() const = 0;

  // The panes beside it keep their widths, whatever stands in a row of buttons here.
  QSize minimumSizeHint() const override { return {480, 240}; }

  // How it is looked at: what is chosen, by the name of the choice.
  std::map<std::string, std::string> choices() const;
  // As far as there are such choices, one after another.
  void choose(const std::map<std::string, std::string>& choices);

  // Something else is open.
  void show_opened(const Opened& opened);
  // It is in front now.
  void bring_up();

 Q_SIGNALS:
  void selected(const QString& words);  // what the inspector says of what was chosen
  void changed();                       // what state() tells

 protected:
  const Opened& opened() const { return opened_; }
  // What is open changed since the last time.
  virtual void refresh() = 0;

 private:
  Opened opened_;
  bool is_stale_ = false;
};

}  // namespace pet::viz
