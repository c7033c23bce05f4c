// Jobs as a table: what runs, how long, and why what failed did so. It counts seconds while one
// runs.
#pragma once

#include <QTimer>
#include <QTreeWidget>
#include <optional>

#include "viz/session/jobs.h"

namespace pet::viz {

QString state_in_words(const Job& job);

class JobList final : public QTreeWidget {
  Q_OBJECT

 public:
  explicit JobList(const Jobs& jobs, QWidget* parent = nullptr);

  void refresh();  // which there are, or how they stand, changed
  std::optional<JobId> selected() const;
  bool is_ticking() const { return tick_.isActive(); }

 private:
  void fill(QTreeWidgetItem& item, const Job& job) const;

  const Jobs& jobs_;
  QTimer tick_;
};

}  // namespace pet::viz
