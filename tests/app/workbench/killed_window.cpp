#include "tests/app/workbench/killed_window.h"

#include <QApplication>
#include <cstdio>

#include "app/pet-workbench/opening.h"
#include "datasets/models/models.h"
#include "tests/app/workbench/visitor.h"
#include "viz/views/actions.h"

namespace pet::app {

int run_until_killed(const std::string& folder) {
  const std::filesystem::path root(folder);
  const auto model = root / "resnet18.onnx";
  if (!datasets::build_model({.name = "resnet18", .tiny = true}, model)) return 1;
  auto its_ports = ports({});
  its_ports.recent = root / "recent.json";
  its_ports.kept = root / "windows";
  Visitor visitor(std::move(its_ports));
  viz::MainWindow& window = visitor.window();
  QObject::connect(&window, &viz::MainWindow::changed, [&window] {
    const viz::Session now = window.session();
    if (now.source.kind != viz::SourceKind::Journal) return;
    std::printf("%zu\n", now.cursor);
    std::fflush(stdout);
  });
  visitor.opens(model);
  visitor.starts_search();
  return QApplication::exec();
}

}  // namespace pet::app
