// pet-workbench [FILE]: the window. --render OUT.svg|png FILE writes the page that the file opens
// on, without one.
#include <CLI/CLI.hpp>
#include <QApplication>
#include <QPixmap>
#include <cstdio>
#include <fstream>

#include "app/pet-workbench/opening.h"
#include "viz/geometry/svg.h"

namespace {

struct Options {
  std::string file;
  std::string render;
  std::vector<std::string> workers;
  bool tell = false;
};

// Qt would end the program by a crash.
bool has_display() {
  return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
         qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

// Writes what the page shows once nothing runs any more; the exit code.
int render(pet::viz::MainWindow& window, const std::string& path) {
  const pet::viz::Scene& scene = window.scene();
  if (scene.items.empty()) {
    std::fprintf(stderr, "pet-workbench: nothing to draw: %s\n", window.last_words().c_str());
    return 4;
  }
  bool is_written = false;
  if (path.ends_with(".svg")) {
    std::ofstream out(path);
    out << pet::viz::to_svg(scene, pet::viz::Theme::light());
    is_written = static_cast<bool>(out.flush());
  } else {
    is_written = window.grab().save(QString::fromStdString(path));
  }
  if (!is_written) std::fprintf(stderr, "pet-workbench: cannot write %s\n", path.c_str());
  return is_written ? 0 : 3;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App command(
      "The PET workbench: where a mutant is wrong, why, and what it costs to repair it.",
      "pet-workbench");
  Options options;
  auto* file = command.add_option("file", options.file,
                                  "a model (.onnx), or a case: two programs in one text file");
  command
      .add_option("--render", options.render,
                  "write the page that FILE opens on to a .svg or .png, and end; needs no display")
      ->needs(file);
  command.add_option("--worker", options.workers,
                     "a command that starts another measuring worker, on this or another host: a "
                     "target of the Profile page");
  command.add_flag("--tell", options.tell,
                   "print what is shown, one JSON object a line, whenever it changes");
  try {
    command.parse(argc, argv);
  } catch (const CLI::ParseError& wrong) {
    return command.exit(wrong) == 0 ? 0 : 2;
  }
  if (!options.render.empty()) qputenv("QT_QPA_PLATFORM", "offscreen");
  if (!has_display()) {
    std::fprintf(stderr,
                 "pet-workbench: there is no display (DISPLAY and WAYLAND_DISPLAY are not set); "
                 "--render needs none\n");
    return 3;
  }
  const QApplication application(argc, argv);
  QApplication::setApplicationName("pet-workbench");
  QApplication::setStyle("Fusion");
  pet::viz::MainWindow window(pet::app::ports(options.workers));
  if (options.tell) {
    QObject::connect(&window, &pet::viz::MainWindow::changed, [&window] {
      std::printf("%s\n", window.state().c_str());
      std::fflush(stdout);
    });
  }
  int code = 0;
  if (options.render.empty()) {
    window.show();
  } else {
    QObject::connect(
        &window, &pet::viz::MainWindow::idle, &window,
        [&] {
          code = render(window, options.render);
          QApplication::exit(code);
        },
        Qt::QueuedConnection);
  }
  if (!options.file.empty()) window.open_file(options.file);
  return QApplication::exec();
}
