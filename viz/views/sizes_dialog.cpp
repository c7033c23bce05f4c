#include "viz/views/sizes_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QVBoxLayout>

namespace pet::viz {
namespace {

constexpr int kLargest = 1 << 20;

QLabel* plain(const QString& text) {
  auto* out = new QLabel(text);
  out->setTextFormat(Qt::PlainText);
  out->setWordWrap(true);
  return out;
}

}  // namespace

SizesDialog::SizesDialog(const QString& file, const std::vector<std::string>& dimensions,
                         QWidget* parent)
    : QDialog(parent) {
  setWindowTitle(tr("Sizes that the file leaves open"));
  auto* rows = new QWidget;
  auto* form = new QFormLayout(rows);
  for (const std::string& name : dimensions) {
    auto* box = new QSpinBox;
    box->setRange(1, kLargest);
    box->setAccessibleName(tr("Size of %1").arg(QString::fromStdString(name)));
    form->addRow(plain(QString::fromStdString(name)), box);
    boxes_.emplace_back(name, box);
  }
  auto* scroll = new QScrollArea;
  scroll->setWidget(rows);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  buttons->button(QDialogButtonBox::Ok)->setText(tr("Open"));
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* all = new QVBoxLayout(this);
  all->addWidget(plain(tr("%1 does not say how large these dimensions are. The model is opened, "
                          "searched and measured at the sizes given here.")
                           .arg(file)));
  all->addWidget(scroll, 1);
  all->addWidget(buttons);
  resize(440, 160 + 36 * static_cast<int>(std::min<std::size_t>(dimensions.size(), 8)));
  if (!boxes_.empty()) boxes_.front().second->setFocus();
}

std::map<std::string, Dim> SizesDialog::sizes() const {
  std::map<std::string, Dim> out;
  for (const auto& [name, box] : boxes_) out[name] = box->value();
  return out;
}

}  // namespace pet::viz
