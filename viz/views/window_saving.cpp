// MainWindow: the page in front as a file.
#include <QFileDialog>

#include "core/util/printable.h"
#include "viz/views/graph_page.h"
#include "viz/views/main_window.h"
#include "viz/views/outline.h"
#include "viz/views/page_files.h"

namespace pet::viz {

Status MainWindow::write_page(const std::filesystem::path& path, double scale) const {
  std::vector<NamedTable> tables = tables_of(page());
  // What the graph's picture shows the outline says in words.
  if (&page() == graph_) tables.push_back({"Outline", outline_->model()});
  const Theme& theme = is_dark_ ? Theme::dark() : Theme::light();
  return viz::write_page({scene(), theme, std::move(tables), state(),
                          &page() == graph_ ? graph_->dot() : std::string(), page()},
                         path, scale);
}

void MainWindow::write_page_by_dialog() {
  const QString name = in_front().title().toLower();
  auto* dialog = new QFileDialog(
      this, tr("Save this page"), name + ".svg",
      tr("Pictures (*.svg *.png);;Tables (*.csv *.json);;Graphs (*.dot);;All files (*)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& chosen) {
    const auto written = write_page(chosen.toStdString());
    tell(written ? tr("The page is written as %1")
                       .arg(QString::fromStdString(printable(chosen.toStdString())))
                 : QString::fromStdString(written.error().message));
  });
  dialog->open();
}

}  // namespace pet::viz
