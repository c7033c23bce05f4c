#include "viz/views/timeline.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QTableView>
#include <QVBoxLayout>

#include "viz/views/page_parts.h"

namespace pet::viz {

Timeline::Timeline(SearchControl& search, QWidget* parent)
    : QWidget(parent), search_(search), model_(search.log()) {
  slider_ = new QSlider(Qt::Horizontal);
  slider_->setAccessibleName(tr("Cursor of the log"));
  where_ = new QLabel(tr("nothing happened yet"));
  table_ = table_of(&model_, tr("What happened"));
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(20);
  table_->horizontalHeader()->setSectionResizeMode(EventTable::What, QHeaderView::Stretch);
  auto* line = new QHBoxLayout;
  line->addWidget(slider_, 1);
  line->addWidget(where_);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(4, 4, 4, 4);
  all->addLayout(line);
  all->addWidget(table_, 1);
  connect(slider_, &QSlider::valueChanged, this,
          [this](int to) { search_.move_cursor(static_cast<std::size_t>(to)); });
  connect(table_, &QTableView::clicked, this, [this](const QModelIndex& at) {
    search_.move_cursor(static_cast<std::size_t>(at.row()) + 1);
  });
  connect(&search_, &SearchControl::replaced, this, [this] {
    model_.show();
    move();
  });
  connect(&search_, &SearchControl::moved, this, [this] {
    model_.grow();
    move();
  });
}

void Timeline::move() {
  model_.move_to(search_.cursor());
  const QSignalBlocker quiet(slider_);
  slider_->setMaximum(static_cast<int>(search_.log().size()));
  slider_->setValue(static_cast<int>(search_.cursor()));
  where_->setText(tr("%1 of %2").arg(search_.cursor()).arg(search_.log().size()));
  if (search_.cursor() == 0) return;
  const QModelIndex at = model_.index(static_cast<int>(search_.cursor()) - 1, 0);
  table_->setCurrentIndex(at);
  table_->scrollTo(at);
}

}  // namespace pet::viz
