// A network to be built: which, how large, where to.
#pragma once

#include <QDialog>

#include "viz/views/ports.h"

class QCheckBox;
class QLineEdit;
class QTableWidget;

namespace pet::viz {

class BuildDialog final : public QDialog {
  Q_OBJECT

 public:
  BuildDialog(const std::vector<NetworkChoice>& networks, const std::filesystem::path& folder,
              QWidget* parent);

  NetworkRequest request() const;

 private:
  void fill(const std::vector<NetworkChoice>& networks);
  void choose_folder();

  QTableWidget* networks_ = nullptr;
  QCheckBox* is_tiny_ = nullptr;
  QLineEdit* folder_ = nullptr;
};

}  // namespace pet::viz
