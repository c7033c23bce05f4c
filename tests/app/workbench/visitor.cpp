#include "tests/app/workbench/visitor.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QDialog>
#include <QEventLoop>
#include <QMetaObject>
#include <QTimer>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "app/pet-workbench/opening.h"
#include "datasets/models/models.h"
#include "tests/support/scratch_folder.h"
#include "viz/views/actions.h"
#include "viz/views/run_dialog.h"
#include "viz/views/search_control.h"
#include "viz/views/start_page.h"

namespace pet::app {

const std::filesystem::path& scratch() {
  static const testing::ScratchFolder folder;
  return folder.path();
}

viz::WindowPorts visited_ports() {
  static const viz::WindowPorts all = [] {
    auto out = ports({});
    out.recent = scratch() / "recent.json";
    out.kept.clear();
    return out;
  }();
  return all;
}

const std::filesystem::path& built(const std::string& network, bool is_tiny) {
  static std::map<std::pair<std::string, bool>, std::filesystem::path> all;
  auto& file = all[{network, is_tiny}];
  if (!file.empty()) return file;
  file = scratch() / (network + (is_tiny ? "_tiny.onnx" : ".onnx"));
  if (const auto made = datasets::build_model({.name = network, .tiny = is_tiny}, file); !made)
    throw std::runtime_error(made.error().message);
  return file;
}

Visitor::Visitor(viz::WindowPorts ports) : window_(std::move(ports)) {
  window_.show();
  waits();
}

void Visitor::later(std::function<void()> what) {
  QMetaObject::invokeMethod(&window_, std::move(what), Qt::QueuedConnection);
}

void Visitor::starts(const std::string& action) {
  later([this, action] { window_.actions().at(QString::fromStdString(action))->trigger(); });
}

void Visitor::does(const std::string& action) {
  starts(action);
  waits();
}

void Visitor::opens(const std::filesystem::path& file) {
  later([this, file] { window_.open_file(file); });
  waits();
}

void Visitor::opens_example(const std::string& id) {
  later([this, id] { Q_EMIT the<viz::StartPage>().example_chosen(QString::fromStdString(id)); });
  waits();
}

void Visitor::lets_pass(int ms) {
  QEventLoop loop;
  QTimer::singleShot(ms, Qt::PreciseTimer, &loop, &QEventLoop::quit);
  loop.exec();
}

void Visitor::starts_search() {
  starts("search.new");
  later([this] {
    auto& dialog = the<viz::RunDialog>();
    dialog.findChild<QCheckBox*>()->setChecked(true);
    dialog.accept();
  });
}

// What was posted comes first.
void Visitor::waits() {
  constexpr int kTooLong = 60'000;  // ms
  QEventLoop loop;
  bool is_asked = false;
  QObject::connect(&window_, &viz::MainWindow::idle, &loop, [&] {
    if (is_asked && window_.is_idle()) loop.quit();
  });
  QTimer::singleShot(kTooLong, &loop, [&] { loop.exit(1); });
  later([&] {
    is_asked = true;
    window_.tell_when_idle();
  });
  if (loop.exec() != 0)
    throw std::runtime_error("never idle: " + window_.search().status().toStdString() +
                             window_.state());
}

std::string Visitor::tells(const std::string& key) const {
  const auto state = nlohmann::json::parse(window_.state());
  const auto found = state.find(key);
  if (found == state.end()) return {};
  return found->is_string() ? found->get<std::string>() : found->dump();
}

void Visitor::closes_dialogs() {
  for (QDialog* dialog : window_.findChildren<QDialog*>())
    if (dialog->isVisible()) later([dialog] { dialog->reject(); });
  waits();
}

}  // namespace pet::app
