#include "viz/views/build_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

namespace pet::viz {

BuildDialog::BuildDialog(const std::vector<NetworkChoice>& networks,
                         const std::filesystem::path& folder, QWidget* parent)
    : QDialog(parent) {
  setWindowTitle(tr("Build a network"));
  fill(networks);
  is_tiny_ = new QCheckBox(tr("&Tiny: the same structure with few channels and small images"));
  is_tiny_->setChecked(true);
  folder_ = new QLineEdit(QString::fromStdString(folder.string()));
  folder_->setAccessibleName(tr("Folder"));
  folder_->setToolTip(tr("The file is written there; one of the same name is replaced"));
  auto* label = new QLabel(tr("&Folder"));
  label->setBuddy(folder_);
  auto* browse = new QPushButton(tr("&Choose …"));
  connect(browse, &QPushButton::clicked, this, &BuildDialog::choose_folder);
  auto* where = new QHBoxLayout;
  where->addWidget(label);
  where->addWidget(folder_, 1);
  where->addWidget(browse);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  buttons->button(QDialogButtonBox::Ok)->setText(tr("Build and open"));
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(networks_, &QTableWidget::itemActivated, this, &QDialog::accept);
  auto* all = new QVBoxLayout(this);
  all->addWidget(networks_, 1);
  all->addWidget(is_tiny_);
  all->addLayout(where);
  all->addWidget(buttons);
  resize(760, 460);
  networks_->setFocus();
}

void BuildDialog::fill(const std::vector<NetworkChoice>& networks) {
  networks_ = new QTableWidget(static_cast<int>(networks.size()), 2);
  networks_->setHorizontalHeaderLabels(
      {tr("network"), tr("what it is; weights are drawn from a seed")});
  networks_->setAccessibleName(tr("Networks"));
  networks_->setSelectionBehavior(QAbstractItemView::SelectRows);
  networks_->setSelectionMode(QAbstractItemView::SingleSelection);
  networks_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  networks_->setTabKeyNavigation(false);
  networks_->verticalHeader()->hide();
  networks_->verticalHeader()->setDefaultSectionSize(24);
  for (int row = 0; row < networks_->rowCount(); ++row) {
    const NetworkChoice& one = networks[static_cast<std::size_t>(row)];
    networks_->setItem(row, 0, new QTableWidgetItem(QString::fromStdString(one.name)));
    auto* summary = new QTableWidgetItem(QString::fromStdString(one.summary));
    summary->setToolTip(QString::fromStdString(one.summary));
    networks_->setItem(row, 1, summary);
  }
  networks_->resizeColumnToContents(0);
  networks_->horizontalHeader()->setStretchLastSection(true);
  networks_->selectRow(0);
}

void BuildDialog::choose_folder() {
  auto* dialog = new QFileDialog(this, tr("Where to write the network"), folder_->text());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::Directory);
  dialog->setOption(QFileDialog::ShowDirsOnly);
  connect(dialog, &QFileDialog::fileSelected, folder_, &QLineEdit::setText);
  dialog->open();
}

NetworkRequest BuildDialog::request() const {
  const int row = networks_->currentRow();
  return {row < 0 ? std::string() : networks_->item(row, 0)->text().toStdString(),
          is_tiny_->isChecked(), folder_->text().trimmed().toStdString()};
}

}  // namespace pet::viz
