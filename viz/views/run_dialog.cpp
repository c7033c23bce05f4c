#include "viz/views/run_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpressionValidator>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

namespace pet::viz {
namespace {

constexpr std::array kKinds{Only::Both, Only::Equivalent, Only::Partial};

}  // namespace

RunDialog::RunDialog(const std::vector<TargetChoice>& targets, const RunRequest& before,
                     const std::filesystem::path& journal, QWidget* parent)
    : QDialog(parent), before_(before) {
  setWindowTitle(tr("New search"));
  auto* form = new QFormLayout;
  target_ = new QComboBox;
  for (const TargetChoice& target : targets) {
    target_->addItem(target.words, QString::fromStdString(target.id));
    if (target.id == before.target) target_->setCurrentIndex(target_->count() - 1);
  }
  target_->setToolTip(tr("What candidates are measured in"));
  target_->setAccessibleName(tr("Target"));
  form->addRow(tr("&Target"), target_);
  threads_ = number(*form, tr("T&hreads"), tr("Of the runtime"), 1, 1024,
                    static_cast<std::size_t>(before.threads));
  budget_ = new QDoubleSpinBox;
  budget_->setRange(1, 1e6);
  budget_->setDecimals(0);
  budget_->setSuffix(tr(" s"));
  budget_->setValue(before.budget_s);
  budget_->setToolTip(tr("Time for the search; it stands still while the search is paused"));
  budget_->setAccessibleName(tr("Budget"));
  form->addRow(tr("&Budget"), budget_);
  const SearchConfig& config = before.search;
  only_ = new QComboBox;
  only_->addItems({tr("all mutants"), tr("mutants equal everywhere"),
                   tr("mutants wrong in part, which are corrected")});
  only_->setCurrentIndex(static_cast<int>(std::ranges::find(kKinds, config.only) - kKinds.begin()));
  only_->setToolTip(tr("What kind of mutants is looked at"));
  only_->setAccessibleName(tr("Only"));
  form->addRow(tr("&Only"), only_);
  depth_ = number(*form, tr("&Depth"), tr("Activation operators of a mutant, at most"), 1, 8,
                  config.generator.depth);
  moves_ = number(*form, tr("&Moves"), tr("Moves on the way to a mutant, at most"), 1, 8,
                  config.generator.moves);
  rounds_ =
      number(*form, tr("&Rounds"), tr("Mutants of mutants, so many times"), 1, 16, config.rounds);
  heap_ =
      number(*form, tr("&Kept"), tr("Candidates of a subprogram that are kept and measured (K)"), 1,
             1000, config.heap);
  seed_ = new QLineEdit(QString::number(config.seed));
  seed_->setValidator(new QRegularExpressionValidator(QRegularExpression("[0-9]{1,18}"), this));
  seed_->setToolTip(tr("The same seed gives the same mutants in the same order"));
  seed_->setAccessibleName(tr("Seed"));
  form->addRow(tr("&Seed"), seed_);
  exclude_ = new QLineEdit;
  exclude_->setPlaceholderText(tr("layer4*, /fc/*"));
  exclude_->setToolTip(
      tr("Leave alone what computes values of such a name; * and ? stand for "
         "others, a comma between two names"));
  exclude_->setAccessibleName(tr("Exclude"));
  form->addRow(tr("&Exclude"), exclude_);
  journal_ = new QLineEdit(QString::fromStdString(journal.string()));
  journal_->setToolTip(tr("What happens is written there as it happens; empty: it is not kept"));
  journal_->setAccessibleName(tr("Journal"));
  form->addRow(tr("&Journal"), journal_);
  goes_on_ = new QCheckBox(tr("&Let it run at once; else it stands at its first node"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
  buttons->button(QDialogButtonBox::Ok)->setText(tr("Start"));
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* all = new QVBoxLayout(this);
  all->addLayout(form);
  all->addWidget(goes_on_);
  all->addWidget(buttons);
  resize(520, sizeHint().height());
}

QSpinBox* RunDialog::number(QFormLayout& form, const QString& title, const QString& tooltip,
                            int low, int high, std::size_t value) {
  auto* out = new QSpinBox;
  out->setRange(low, high);
  out->setValue(static_cast<int>(value));
  out->setToolTip(tooltip);
  out->setAccessibleName(QString(title).remove('&'));
  form.addRow(title, out);
  return out;
}

bool RunDialog::goes_on() const { return goes_on_->isChecked(); }

RunRequest RunDialog::request() const {
  RunRequest out = before_;
  out.target = target_->currentData().toString().toStdString();
  out.threads = threads_->value();
  out.budget_s = budget_->value();
  out.search.only = kKinds.at(static_cast<std::size_t>(only_->currentIndex()));
  out.search.generator.depth = static_cast<std::size_t>(depth_->value());
  out.search.generator.moves = static_cast<std::size_t>(moves_->value());
  out.search.rounds = static_cast<std::size_t>(rounds_->value());
  out.search.heap = static_cast<std::size_t>(heap_->value());
  out.search.seed = seed_->text().toULongLong();
  out.search.split.max_operators = out.search.generator.depth;  // PET, Algorithm 2: both are its d
  if (out.search.only == Only::Partial)
    out.search.worth_measuring = std::max(out.search.worth_measuring, kWorthMeasuringInPart);
  out.search.exclude.clear();
  for (const QString& one : exclude_->text().split(',', Qt::SkipEmptyParts))
    out.search.exclude.push_back(one.trimmed().toStdString());
  out.journal = journal_->text().trimmed().toStdString();
  return out;
}

}  // namespace pet::viz
