// pet-workbench [FILE]: the window. --render PAGE -o OUT.svg|png|csv|json [FILE] writes a page of
// it, without one.
#include <CLI/CLI.hpp>
#include <QApplication>
#include <cstdio>

#include "app/common/command_line.h"
#include "app/common/shape_flags.h"
#include "app/pet-workbench/opening.h"
#include "app/pet-workbench/rendering.h"

namespace {

struct Options {
  std::string file;
  pet::app::Picture picture;
  std::string compared;
  pet::app::MoreTargets targets;
  std::vector<std::string> shapes;
  std::map<std::string, pet::Dim> sizes;  // what the shapes say
  bool tell = false;
};

void add_options(CLI::App& command, Options& options) {
  auto* file = command.add_option("file", options.file,
                                  "a model (.onnx), a journal of a search (.jsonl), a "
                                  "stored profile (.jsonl), a session (.petsession), or a case: "
                                  "two programs in one text file");
  command.add_option("--session", options.file, "the same")->excludes(file);
  auto* render = command.add_option(
      "--render", options.picture.page,
      "write this page (start, graph, regions, boxes ...; window: all that is seen) once the file "
      "is open, and end; needs no display");
  command
      .add_option("-o,--output", options.picture.file,
                  "what is drawn: .svg or .png; what the tables say: .csv or .json; a graph: .dot")
      ->needs(render);
  command.add_option("--scale", options.picture.scale, "pixels of a .png for one of the drawing")
      ->needs(render)
      ->check(CLI::Range(0.1, 16.0));
  command.add_option("--compare", options.compared,
                     "another model: both side by side on the page Compare");
  command.add_option("--worker", options.targets.workers,
                     "a command that starts another measuring worker, on this or another host: a "
                     "target of the Profile page");
  command.add_option("--profile", options.targets.profiles,
                     "stored times of a GPU that is elsewhere (datasets/profiles, pet --profile): "
                     "shown by themselves where no file is opened, else a target of the Profile "
                     "page");
  command
      .add_option("--shape", options.shapes,
                  "size of a dimension that the model leaves open, name=size; the window asks for "
                  "the others")
      ->allow_extra_args(false);
  command.add_flag("--tell", options.tell,
                   "print what is shown, one JSON object a line, whenever it changes");
}

// Qt would end the program by a crash.
bool has_display() {
  return qEnvironmentVariableIsSet("DISPLAY") || qEnvironmentVariableIsSet("WAYLAND_DISPLAY") ||
         qEnvironmentVariableIsSet("QT_QPA_PLATFORM");
}

void open(pet::viz::MainWindow& window, const Options& options) {
  if (!options.file.empty()) window.open_file(options.file, options.sizes);
  if (options.file.empty() && !options.targets.profiles.empty())
    window.open_profile(options.targets.profiles.back());
  if (!options.compared.empty()) window.compare_with(options.compared);
}

// Ends the program once the picture is written.
int write_picture(pet::viz::MainWindow& window, const Options& options) {
  if (const auto wrong = complaint_about(window, options.picture); !wrong.empty()) {
    std::fprintf(stderr, "pet-workbench: %s\n", wrong.c_str());
    return 2;
  }
  window.show();  // on no display: what is laid out has its sizes
  int code = 0;
  QObject::connect(
      &window, &pet::viz::MainWindow::idle, &window,
      [&] {
        if (!window.is_idle()) return;
        code = render(window, options.picture);
        QApplication::exit(code);
      },
      Qt::QueuedConnection);
  open(window, options);
  if (options.picture.page == pet::app::kWholeWindow)
    window.tell_when_idle();
  else
    window.show_page(QString::fromStdString(options.picture.page));
  QApplication::exec();
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App command(
      "The PET workbench: where a mutant is wrong, why, and what it costs to repair it.",
      "pet-workbench");
  Options options;
  add_options(command, options);
  try {
    command.parse(argc, argv);
  } catch (const CLI::ParseError& wrong) {
    return command.exit(wrong) == 0 ? 0 : 2;
  }
  const auto sizes = pet::app::parse_shapes({.shapes = options.shapes, .batch = {}});
  if (!sizes) return pet::app::fail("pet-workbench", sizes.error());
  if (!sizes->inputs.empty())
    return pet::app::fail(
        "pet-workbench",
        {"--shape: sizes are given by the names of dimensions here", pet::ErrorKind::Usage});
  options.sizes = sizes->dimensions;
  const bool renders = !options.picture.page.empty();
  if (renders) qputenv("QT_QPA_PLATFORM", "offscreen");
  if (!has_display()) {
    std::fprintf(stderr,
                 "pet-workbench: there is no display (DISPLAY and WAYLAND_DISPLAY are not set); "
                 "--render needs none\n");
    return 3;
  }
  const QApplication application(argc, argv);
  QApplication::setApplicationName("pet-workbench");
  QApplication::setStyle("Fusion");
  auto ports = pet::app::ports(options.targets);
  if (renders) {  // nobody works in it
    ports.kept.clear();
    ports.open_dimensions = {};
  }
  pet::viz::MainWindow window(std::move(ports));
  if (options.tell) {
    QObject::connect(&window, &pet::viz::MainWindow::changed, [&window] {
      std::printf("%s\n", window.state().c_str());
      std::fflush(stdout);
    });
  }
  if (renders) return write_picture(window, options);
  window.show();
  open(window, options);
  return QApplication::exec();
}
