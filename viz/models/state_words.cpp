#include "viz/models/state_words.h"

#include <QCoreApplication>

namespace pet::viz {

QString state_in_words(State state) {
  switch (state) {
    case State::Equal:
      return QCoreApplication::translate("State", "equal");
    case State::Wrong:
      return QCoreApplication::translate("State", "different");
    case State::Unknown:
      return QCoreApplication::translate("State", "not known");
    case State::Corrected:
      return QCoreApplication::translate("State", "repaired");
  }
  return {};
}

}  // namespace pet::viz
