// The log of the search as a list of what happened, with its cursor: what lies below the cursor is
// what the pages show.
#pragma once

#include <QWidget>

#include "viz/models/event_table.h"
#include "viz/views/search_control.h"

class QLabel;
class QSlider;
class QTableView;

namespace pet::viz {

class Timeline final : public QWidget {
  Q_OBJECT

 public:
  explicit Timeline(SearchControl& search, QWidget* parent = nullptr);

 private:
  void move();

  SearchControl& search_;
  EventTable model_;
  QSlider* slider_ = nullptr;
  QLabel* where_ = nullptr;
  QTableView* table_ = nullptr;
};

}  // namespace pet::viz
