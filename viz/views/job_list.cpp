#include "viz/views/job_list.h"

#include <QHeaderView>

#include "viz/views/plain_text.h"

namespace pet::viz {
namespace {

enum Column { kTitle, kState, kSeconds };
constexpr int kTick = 500;  // ms

}  // namespace

QString state_in_words(const Job& job) {
  switch (job.state) {
    case JobState::Running:
      return JobList::tr("running");
    case JobState::Cancelled:
      return JobList::tr("cancelled");
    case JobState::Done:
      return JobList::tr("done");
    case JobState::Failed:
      return JobList::tr("failed: %1").arg(QString::fromStdString(job.said));
  }
  return {};
}

JobList::JobList(const Jobs& jobs, QWidget* parent) : QTreeWidget(parent), jobs_(jobs) {
  setHeaderLabels({tr("job"), tr("state"), tr("seconds")});
  setRootIsDecorated(false);
  setUniformRowHeights(true);
  setAccessibleName(tr("Jobs"));
  header()->setStretchLastSection(false);
  header()->setSectionResizeMode(kTitle, QHeaderView::Interactive);
  header()->setSectionResizeMode(kState, QHeaderView::Stretch);
  header()->setSectionResizeMode(kSeconds, QHeaderView::ResizeToContents);
  header()->resizeSection(kTitle, 460);
  tick_.setInterval(kTick);
  connect(&tick_, &QTimer::timeout, this, &JobList::refresh);
}

// Rows stay in their places, so that what is selected stays selected.
void JobList::refresh() {
  const std::vector<Job> jobs = jobs_.list();
  const std::optional<JobId> before = selected();
  headerItem()->setText(kTitle,
                        jobs.size() == jobs_.started()
                            ? tr("job")
                            : tr("job: the last %1 of %2").arg(jobs.size()).arg(jobs_.started()));
  while (topLevelItemCount() > static_cast<int>(jobs.size())) delete topLevelItem(0);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    auto* item = topLevelItem(static_cast<int>(i));
    if (item == nullptr) item = new QTreeWidgetItem(this);
    fill(*item, jobs[i]);
    if (before == jobs[i].id) setCurrentItem(item);
  }
  if (jobs_.is_idle())
    tick_.stop();
  else if (!tick_.isActive())
    tick_.start();
}

void JobList::fill(QTreeWidgetItem& item, const Job& job) const {
  const QString title = QString::fromStdString(job.title), state = state_in_words(job);
  item.setText(kTitle, title);
  item.setToolTip(kTitle, as_tooltip(title));
  item.setText(kState, state);
  item.setToolTip(kState, as_tooltip(state));
  item.setText(kSeconds, QString::number(job.seconds, 'f', 1));
  item.setTextAlignment(kSeconds, Qt::AlignRight | Qt::AlignVCenter);
  item.setData(kTitle, Qt::UserRole, QVariant::fromValue<qulonglong>(job.id.index()));
}

std::optional<JobId> JobList::selected() const {
  const QTreeWidgetItem* item = currentItem();
  if (item == nullptr) return std::nullopt;
  return JobId(item->data(kTitle, Qt::UserRole).toULongLong());
}

}  // namespace pet::viz
