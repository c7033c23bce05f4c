#include "viz/views/compare_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <nlohmann/json.hpp>

#include "core/util/printable.h"
#include "viz/views/actions.h"
#include "viz/views/compare_view.h"
#include "viz/views/page_parts.h"

namespace pet::viz {
namespace {

constexpr int kPair = 0, kFiles = 1;  // what is compared

QString text(const std::string& words) { return QString::fromStdString(words); }

std::shared_ptr<const SideBySide> compared(ComparedProgram here, ComparedProgram there,
                                           std::string known) {
  auto found = counterparts(*here.graph, *there.graph);
  return std::make_shared<const SideBySide>(
      SideBySide{std::move(here), std::move(there), std::move(found), std::move(known)});
}

// How the pair's other program was made, as far as that is known.
std::string moves_of(const OpenedPair& pair) {
  std::string out;
  for (const Move& move : pair.moves)
    out += (out.empty() ? "Made by: " : ", ") + pet::in_words(move);
  return out;
}

// What the other file says of itself.
std::string origin_of(const Model& model, const Model& other) {
  const auto source = other.metadata.find("pet.source");
  if (source == other.metadata.end()) return {};
  return source->second == model.digest.hex()
             ? "The file says that PET wrote it, and of this original."
             : "The file says that PET wrote it, but of another original.";
}

}  // namespace

ComparePage::ComparePage(OpenModel open_model, Jobs& jobs, QWidget* parent)
    : Page(parent), open_model_(std::move(open_model)), jobs_(jobs) {
  build();
  connect(choice_, &QComboBox::activated, this, [this] { begin(); });
  connect(fold_, &QCheckBox::toggled, view_, &CompareView::set_folded);
  connect(view_, &CompareView::selected, this, &Page::selected);
  connect(view_, &CompareView::changed, this, &Page::changed);
}

void ComparePage::build() {
  headline_ = words_label({}, kHeadline);
  note_ = words_label();
  auto* line = new QHBoxLayout;
  choice_ = add_choice(*line, tr("Compared"));
  file_ = new QPushButton(tr("With a file …"));
  file_->setAccessibleName(tr("Compare the open model with a file"));
  fold_ = new QCheckBox(tr("Fold what is unchanged"));
  fold_->setChecked(true);
  line->addWidget(file_);
  line->addWidget(fold_);
  line->addStretch();
  view_ = new CompareView;
  auto* all = new QVBoxLayout(this);
  all->addWidget(headline_);
  all->addWidget(note_);
  all->addLayout(line);
  all->addWidget(view_, 1);
  setFocusProxy(view_);
}

void ComparePage::add_actions(Actions& actions) {
  const QAction* file =
      actions.add({"compare.file", tr("Compare with a &file …"),
                   tr("Show the open model beside another one: what was replaced by what"),
                   QKeySequence("Ctrl+D")},
                  *this, [this] { choose_file(); });
  file_->setToolTip(file->toolTip());
  connect(file_, &QPushButton::clicked, file, &QAction::trigger);
  actions.add({"compare.next", tr("&Next difference"),
               tr("The next place at which both programs differ"), QKeySequence("F7")},
              *this, [this] { view_->step(1); });
  actions.add({"compare.previous", tr("&Previous difference"),
               tr("The place before at which both programs differ"), QKeySequence("Shift+F7")},
              *this, [this] { view_->step(-1); });
  actions.add(
      {"compare.fold", tr("F&old what is unchanged"),
       tr("Draw runs of unchanged nodes as one node, or every node"), QKeySequence("Alt+F7")},
      *this, [this] { fold_->toggle(); });
  actions.add(
      {"compare.larger", tr("&Larger, both"), tr("Zoom both graphs in"), QKeySequence("Alt++")},
      *this, [this] { view_->zoom_in(); });
  actions.add(
      {"compare.smaller", tr("&Smaller, both"), tr("Zoom both graphs out"), QKeySequence("Alt+-")},
      *this, [this] { view_->zoom_out(); });
  actions.add({"compare.fit", tr("Fi&t both"), tr("All of both graphs"), QKeySequence("Alt+0")},
              *this, [this] { view_->fit(); });
}

void ComparePage::choose_file() {
  if (!opened().model) return say(tr("Open a model first: it is what the file is compared with"));
  auto* dialog = new QFileDialog(this, tr("Compare with a file"), {}, tr("Models (*.onnx)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this,
          [this](const QString& chosen) { offer(chosen.toStdString()); });
  dialog->open();
}

void ComparePage::offer(const std::filesystem::path& file, const std::string& known) {
  other_ = file;
  known_ = known;
  model_ = opened().model;
  show_opened(opened());
  if (isVisible()) bring_up();
}

std::filesystem::path ComparePage::other() const {
  return model_ == opened().model ? other_ : std::filesystem::path();
}

void ComparePage::refresh() {
  if (model_ != opened().model) other_.clear();
  const bool has_pair = opened().pair && opened().pair->original && opened().pair->mutant;
  choice_->clear();
  if (has_pair) choice_->addItem(text(printable(opened().pair->name)), kPair);
  if (opened().model && !other_.empty())
    choice_->addItem(tr("%1 and %2")
                         .arg(text(printable(opened().model->model->path.filename().string())),
                              text(printable(other_.filename().string()))),
                     kFiles);
  choice_->setCurrentIndex(choice_->count() - 1);
  choice_->setEnabled(choice_->count() > 1);
  file_->setEnabled(opened().model != nullptr);
  begin();
}

void ComparePage::begin() {
  deliver(nullptr);
  if (choice_->count() == 0)
    return say(opened().model
                   ? tr("Nothing to compare with yet: choose a file (Ctrl+D), open a mutant, or "
                        "write an optimised model under Export")
                   : tr("Nothing is open: open a model or a case"));
  say(tr("comparing …"));
  if (choice_->currentData().toInt() == kPair)
    compare_pair();
  else
    compare_files();
}

void ComparePage::compare_pair() {
  jobs_.start("compare", "comparing " + opened().pair->name,
              [this, pair = opened().pair](const std::stop_token&) -> Result<Delivery> {
                const char* changed = pair->repaired.boxes.empty() ? "mutant" : "corrected";
                auto made = compared({"original", pair->original}, {changed, pair->mutant},
                                     moves_of(*pair));
                return Delivery([this, made] { deliver(made); });
              });
}

void ComparePage::compare_files() {
  jobs_.start(
      "compare", "comparing with " + other_.string(),
      [this, open = open_model_, model = opened().model->model, file = other_,
       known = known_](const std::stop_token& stop) -> Result<Delivery> {
        auto other = open(file, model->dimensions, stop);
        if (!other) {
          const std::string why = printable(other.error().message);
          QMetaObject::invokeMethod(
              this,
              [this, file, why] {
                if (other_ == file) say(text(why));
              },
              Qt::QueuedConnection);
          return std::move(other).error();
        }
        const auto program = [](const std::shared_ptr<const Model>& one) {
          return ComparedProgram{printable(one->path.filename().string()), {one, &one->graph}};
        };
        std::string said = origin_of(*model, *other->model);
        if (!known.empty()) said += (said.empty() ? "" : " ") + known;
        auto made = compared(program(model), program(other->model), std::move(said));
        return Delivery([this, made] { deliver(made); });
      });
}

void ComparePage::deliver(const std::shared_ptr<const SideBySide>& comparison) {
  view_->show_comparison(comparison);
  note_->setText(comparison ? text(printable(comparison->known)) : QString());
  note_->setVisible(!note_->text().isEmpty());
  if (comparison) say(text(headline_of(*comparison)));
}

void ComparePage::say(const QString& headline) {
  headline_->setText(headline);
  Q_EMIT changed();
}

nlohmann::ordered_json ComparePage::state() const {
  nlohmann::ordered_json out{{"headline", headline_->text().toStdString()},
                             {"known", note_->text().toStdString()},
                             {"folded", fold_->isChecked()}};
  out.update(view_->state());
  return out;
}

void ComparePage::set_theme(const Theme& theme) { view_->set_theme(theme); }
const Scene& ComparePage::scene() const { return view_->scene(); }

}  // namespace pet::viz
