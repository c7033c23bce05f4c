// What a search is to be like: asked before it begins.
#pragma once

#include <QDialog>
#include <filesystem>
#include <vector>

#include "viz/views/ports.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLineEdit;
class QSpinBox;

namespace pet::viz {

class RunDialog final : public QDialog {
  Q_OBJECT

 public:
  // `before`: as it was asked the last time. `journal`: where it is kept unless a person says
  // otherwise.
  RunDialog(const std::vector<TargetChoice>& targets, const RunRequest& before,
            const std::filesystem::path& journal, QWidget* parent);

  RunRequest request() const;
  bool goes_on() const;  // it is not to stand at its first node

 private:
  QSpinBox* number(QFormLayout& form, const QString& title, const QString& tooltip, int low,
                   int high, std::size_t value);

  const RunRequest before_;
  QComboBox* target_ = nullptr;
  QSpinBox* threads_ = nullptr;
  QDoubleSpinBox* budget_ = nullptr;
  QSpinBox* depth_ = nullptr;
  QSpinBox* moves_ = nullptr;
  QSpinBox* rounds_ = nullptr;
  QSpinBox* heap_ = nullptr;
  QComboBox* only_ = nullptr;
  QLineEdit* seed_ = nullptr;
  QLineEdit* exclude_ = nullptr;
  QLineEdit* journal_ = nullptr;
  QCheckBox* goes_on_ = nullptr;
};

}  // namespace pet::viz
