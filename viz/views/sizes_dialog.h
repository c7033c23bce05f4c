// The sizes that a file leaves open: asked for before it is opened.
#pragma once

#include <QDialog>
#include <map>
#include <string>
#include <vector>

#include "core/ir/shape.h"

class QSpinBox;

namespace pet::viz {

class SizesDialog final : public QDialog {
  Q_OBJECT

 public:
  SizesDialog(const QString& file, const std::vector<std::string>& dimensions, QWidget* parent);

  std::map<std::string, Dim> sizes() const;

 private:
  std::vector<std::pair<std::string, QSpinBox*>> boxes_;
};

}  // namespace pet::viz
