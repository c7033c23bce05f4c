// How verdicts are painted: what is wrong, equal or not known in its colour beside its sign and its
// word; what should not be in bold; rows of planted errors that were noticed on red.
#pragma once

#include <QStyledItemDelegate>

#include "viz/geometry/theme.h"

namespace pet::viz {

class VerdictDelegate final : public QStyledItemDelegate {
  Q_OBJECT

 public:
  using QStyledItemDelegate::QStyledItemDelegate;
  void set_theme(const Theme& theme) { theme_ = &theme; }

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;

 private:
  const Theme* theme_ = &Theme::light();
};

}  // namespace pet::viz
