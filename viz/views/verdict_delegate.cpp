#include "viz/views/verdict_delegate.h"

#include "viz/models/verdict_table.h"
#include "viz/views/qt_theme.h"
#include "viz/words/verdicts.h"

namespace pet::viz {
namespace {

QColor between(Colour a, Colour b, double share) {
  const auto mixed = [share](std::uint8_t x, std::uint8_t y) {
    return static_cast<int>(x * (1 - share) + y * share);
  };
  return {mixed(a.red, b.red), mixed(a.green, b.green), mixed(a.blue, b.blue)};
}

Role role_of(Said said) {
  switch (said) {
    case Said::Equal:
      return Role::Corrected;
    case Said::Wrong:
      return Role::Wrong;
    case Said::Unknown:
      return Role::Unknown;
    case Said::NotAsked:
      break;
  }
  return Role::Text;
}

}  // namespace

void VerdictDelegate::initStyleOption(QStyleOptionViewItem* option,
                                      const QModelIndex& index) const {
  QStyledItemDelegate::initStyleOption(option, index);
  constexpr double kTint = 0.25;
  const Theme& theme = *theme_;
  const bool is_alarm = index.data(VerdictTable::kIsAlarm).toBool();
  const bool is_flagged = index.data(VerdictTable::kIsFlagged).toBool();
  if (is_flagged || is_alarm)  // text stays as it is: it is to be read on this
    option->backgroundBrush = between(theme[Role::Background], theme[Role::Wrong], kTint);
  option->font.setBold(is_alarm);
  const QVariant said = index.data(VerdictTable::kSaid);
  if (!said.isValid() || is_flagged || is_alarm) return;
  const QColor colour = to_qt(theme[role_of(static_cast<Said>(said.toInt()))]);
  option->palette.setColor(QPalette::Text, colour);
}

}  // namespace pet::viz
