// A choice with its title, in a line of such.
#pragma once

#include <QString>

class QComboBox;
class QHBoxLayout;

namespace pet::viz {

QComboBox* add_choice(QHBoxLayout& line, const QString& title);

}  // namespace pet::viz
