// What the window opens: files by dialog, by name or dropped, examples, networks that are built;
// what was opened lately.
#include <QFileDialog>
#include <QLabel>
#include <QPlainTextEdit>
#include <QStatusBar>
#include <algorithm>
#include <fstream>

#include "core/onnx/file_bytes.h"
#include "core/util/printable.h"
#include "viz/views/actions.h"
#include "viz/views/build_dialog.h"
#include "viz/views/main_window.h"
#include "viz/views/profile_page.h"
#include "viz/views/report_page.h"
#include "viz/views/search_control.h"
#include "viz/views/sizes_dialog.h"
#include "viz/views/start_page.h"

namespace pet::viz {

void MainWindow::make_file_actions() {
  actions_->add({"file.open", tr("&Open a file …"),
                 tr("Open a model (ONNX), a case (two programs in one text file), the journal "
                    "of a search, a report, a stored profile, or a session"),
                 QKeySequence::Open},
                [this] {
                  open_by_dialog(tr("Open a model, a case, a journal, a report or a session"),
                                 tr("Models, cases, journals, reports and sessions (*.onnx *.txt "
                                    "*.jsonl *.json *.petsession);;All files (*)"));
                });
  actions_->add(
      {"file.run", tr("Open a &run …"),
       tr("Open what was written before: the journal of a search, here or by pet optimize, "
          "its report, a report of pet-verify, or times of a GPU that is elsewhere"),
       QKeySequence("Ctrl+Shift+O")},
      [this] {
        open_by_dialog(tr("Open a journal, a report or a profile"),
                       tr("Journals, reports, profiles (*.jsonl *.json);;All files (*)"));
      });
  actions_->add({"file.build", tr("&Build a network …"),
                 tr("Write a network with weights from a seed as a model, and open it"),
                 QKeySequence("Ctrl+B")},
                [this] { ask_for_network(); });
}

void MainWindow::open_by_dialog(const QString& title, const QString& filter) {
  auto* dialog = new QFileDialog(this, title, {}, filter);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this,
          [this](const QString& chosen) { open_file(chosen.toStdString()); });
  dialog->open();
}

namespace {

// What has been read, to be known again; empty where that is not told by one file.
std::string digest_of(const OpenedModel& opened, const std::filesystem::path& /*path*/) {
  return opened.model->digest.hex();
}
std::string digest_of(const OpenedPair& /*opened*/, const std::filesystem::path& path) {
  const auto file = onnx_io::FileBytes::read(path);
  return file ? plain_digest(file->bytes()).hex() : std::string();
}
// A journal may grow, and knows its model by itself.
std::string digest_of(const OpenedJournal& /*opened*/, const std::filesystem::path& /*path*/) {
  return {};
}
std::string digest_of(const Report& /*opened*/, const std::filesystem::path& /*path*/) {
  return {};
}
std::string digest_of(const StoredProfile& /*opened*/, const std::filesystem::path& /*path*/) {
  return {};
}
std::string digest_of(const OpenedExample& /*opened*/, const std::filesystem::path& /*path*/) {
  return {};
}

std::string beginning_of(const std::filesystem::path& path) {
  std::error_code failed;  // a pipe would keep us waiting
  if (!std::filesystem::is_regular_file(path, failed)) return {};
  std::string out(std::size_t{1} << 16, '\0');
  std::ifstream in(path, std::ios::binary);
  in.read(out.data(), static_cast<std::streamsize>(out.size()));
  out.resize(static_cast<std::size_t>(in.gcount()));
  return out;
}

Result<StoredProfile> read_profile(const std::filesystem::path& path, const std::stop_token&) {
  auto out = StoredProfile::read(path, false);
  if (out && out->lines().empty())
    return Error{printable(path.string()) +
                 ": no line of it is a comparison of a stored profile (pet … --profile FILE)"};
  return out;
}

// Why something was not opened, and what can be done.
Error not_opened(Error error) {
  if (error.kind != ErrorKind::Stopped)
    error.message += "; what was open stays open: mend the file, or open another one";
  return error;
}

SourceKind kind_of(const std::filesystem::path& path) {
  if (path.extension() == ".onnx") return SourceKind::Model;
  if (path.extension() != ".jsonl" && path.extension() != ".json") return SourceKind::Case;
  const std::string beginning = beginning_of(path);
  if (StoredProfile::begins_like_one(beginning)) return SourceKind::Profile;
  const bool is_report = begins_like_a_report(beginning) || path.extension() == ".json";
  return is_report ? SourceKind::Report : SourceKind::Journal;
}

}  // namespace

template <class Opened>
void MainWindow::open(
    SessionSource source,
    std::function<Result<Opened>(const std::filesystem::path&, const std::stop_token&)> ask,
    void (MainWindow::*deliver)(const Opened&)) {
  std::string title = "opening " + source.name;
  jobs_->start(
      "open", std::move(title),
      [this, source = std::move(source), ask = std::move(ask),
       deliver](const std::stop_token& stop) mutable -> Result<Delivery> {
        auto opened = ask(source.name, stop);
        if (!opened) return not_opened(std::move(opened).error());
        auto digest = digest_of(*opened, source.name);
        if (!source.digest.empty() && source.digest != digest)
          return Error{printable(source.name) +
                       " is another file than the session was of: its content has changed; put "
                       "the old one back, or open it by itself"};
        source.digest = std::move(digest);
        return Delivery([this, deliver, source, opened = *std::move(opened)] {
          source_ = source;
          if (source.kind != SourceKind::Example) remember(source.name);
          mutant_.reset();
          (this->*deliver)(opened);
        });
      });
}

void MainWindow::open_source(const SessionSource& source) {
  switch (source.kind) {
    case SourceKind::Nothing:
      return;
    case SourceKind::Example:
      return open<OpenedExample>(
          source,
          [this](const std::filesystem::path& id, const std::stop_token& stop) {
            return ports_.open_example(id.string(), stop);
          },
          &MainWindow::show_example);
    case SourceKind::Model:
      return open_model(source);
    case SourceKind::Case:
      return open<OpenedPair>(source, ports_.open_case, &MainWindow::show_pair);
    case SourceKind::Journal:
      return open<OpenedJournal>(source, ports_.searching.open_journal, &MainWindow::show_journal);
    case SourceKind::Report:
      return open<Report>(source, read_report, &MainWindow::show_report);
    case SourceKind::Profile:
      return open<StoredProfile>(source, read_profile, &MainWindow::show_profile);
  }
}

void MainWindow::open_file(const std::filesystem::path& path,
                           const std::map<std::string, Dim>& sizes) {
  forget_session();
  if (path.extension() == kSessionSuffix) return restore(path);
  std::error_code ignored;
  const auto absolute = std::filesystem::absolute(path, ignored);
  open_source({kind_of(path), absolute.string(), {}, sizes});
}

void MainWindow::open_profile(const std::filesystem::path& path) {
  forget_session();
  std::error_code ignored;
  open_source({SourceKind::Profile, std::filesystem::absolute(path, ignored).string(), {}});
}

namespace {

// So many nobody fills in, and of a session nobody is asked: the message of reading the file names
// what is missing.
bool is_to_be_asked(const SessionSource& source, const std::vector<std::string>& open) {
  constexpr std::size_t kMostAsked = 64;
  return source.digest.empty() && open.size() <= kMostAsked &&
         std::ranges::any_of(open,
                             [&](const std::string& name) { return !source.sizes.contains(name); });
}

}  // namespace

// What the file leaves open is asked for first.
void MainWindow::open_model(const SessionSource& source) {
  if (!ports_.open_dimensions) return read_model(source);
  jobs_->start("open", "looking at the sizes of " + source.name,
               [this, source](const std::stop_token&) -> Result<Delivery> {
                 auto open = ports_.open_dimensions(source.name);
                 if (!open) return not_opened(std::move(open).error());
                 return Delivery([this, source, open = *std::move(open)] {
                   if (is_to_be_asked(source, open))
                     ask_for_sizes(source, open);
                   else
                     read_model(source);
                 });
               });
}

void MainWindow::read_model(const SessionSource& source) {
  open<OpenedModel>(
      source,
      [this, sizes = source.sizes](const std::filesystem::path& path, const std::stop_token& stop) {
        return ports_.open_model(path, sizes, stop);
      },
      &MainWindow::show_model);
}

void MainWindow::ask_for_sizes(const SessionSource& source, const std::vector<std::string>& open) {
  const auto name = std::filesystem::path(source.name).filename().string();
  auto* dialog = new SizesDialog(QString::fromStdString(name), open, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog, at_sizes = source]() mutable {
    at_sizes.sizes = dialog->sizes();
    read_model(at_sizes);
  });
  dialog->open();
}

void MainWindow::ask_for_network() {
  if (!ports_.networks.list) return tell(tr("There is no network that could be built"));
  auto* dialog = new BuildDialog(ports_.networks.list(), ports_.networks.folder, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] { build(dialog->request()); });
  dialog->open();
}

void MainWindow::build(const NetworkRequest& request) {
  jobs_->start("open", "building " + request.name,
               [this, request](const std::stop_token& stop) -> Result<Delivery> {
                 auto file = ports_.networks.build(request, stop);
                 if (!file) return std::move(file).error();
                 return Delivery([this, file = *std::move(file)] { open_file(file); });
               });
}

void MainWindow::load_recent() {
  if (!ports_.recent.empty()) {
    auto read = read_recent(ports_.recent);
    if (read)
      recent_ = *std::move(read);
    else
      note(QString::fromStdString(read.error().message));
  }
  start_->show_recent(recent_);
}

void MainWindow::remember(const std::filesystem::path& path) {
  std::error_code failed;
  const auto whole = std::filesystem::absolute(path, failed);
  recent_ = with(std::move(recent_), failed ? path : whole);
  start_->show_recent(recent_);
  if (ports_.recent.empty()) return;
  if (auto written = write_recent(recent_, ports_.recent); !written)
    note(QString::fromStdString(written.error().message));
}

void MainWindow::tell(const QString& words) {
  note(words);
  statusBar()->showMessage(words);
}

void MainWindow::open_example(const QString& id) {
  forget_session();
  open_source({SourceKind::Example, id.toStdString(), {}});
}

void MainWindow::show_report(const Report& report) {
  const QString name =
      QString::fromStdString(printable(std::filesystem::path(report.name).filename().string()));
  setWindowTitle(tr("%1 - PET workbench").arg(name));
  opened_ = {};
  search_->close();
  report_folder_ = report.folder;
  report_page_->show_report(report);
  show_opened(report_page_);
  status_->setText(name);
  tell(tr("%1: a report").arg(name));
}

void MainWindow::show_profile(const StoredProfile& profile) {
  const QString name = QString::fromStdString(printable(profile.file().filename().string()));
  setWindowTitle(tr("%1 - PET workbench").arg(name));
  opened_ = {};
  opened_.profile = std::make_shared<const StoredProfile>(profile);
  search_->close();
  show_opened(profile_page_);
  status_->setText(name);
  tell(tr("%1: a stored profile").arg(name));
}

// As it was named when it was checked, from wherever that was; else beside the report.
std::filesystem::path MainWindow::beside_report(const QString& file) const {
  const std::filesystem::path named = file.toStdString();
  std::error_code failed;
  return std::filesystem::exists(named, failed) ? named : report_folder_ / named;
}

void MainWindow::open_reported(const QStringList& files) {
  if (files.size() == 1) return open_file(beside_report(files[0]));
  if (files.size() != 2) return;
  open_file(beside_report(files[0]));
  compare_with(beside_report(files[1]));
}

void MainWindow::show_example(const OpenedExample& example) {
  if (example.pair) return show_pair(*example.pair);
  show_model(*example.model);
  begin_search(example.request, false);
}

}  // namespace pet::viz
