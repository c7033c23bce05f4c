// How long programs take: whole runs against each other, and by operator, as bars and as a table.
// What was not measured yet is estimated and says so. Of a stored profile that is open, what it
// holds, in the same picture and a table of its own lines.
#pragma once

#include "viz/geometry/stored_chart.h"
#include "viz/models/profile_table.h"
#include "viz/models/text_table.h"
#include "viz/session/jobs.h"
#include "viz/views/page.h"
#include "viz/views/profile_ports.h"

class QAbstractItemModel;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QTableView;

namespace pet::viz {

class SceneView;

class ProfilePage final : public Page {
  Q_OBJECT

 public:
  ProfilePage(Jobs& jobs, ProfilePorts ports, QWidget* parent = nullptr);

  QString title() const override { return tr("Profile"); }
  void add_actions(Actions& actions) override;
  void set_theme(const Theme& theme) override;
  const Scene& scene() const override;
  nlohmann::ordered_json state() const override;

  // A model is compared with this file from now on.
  void compare_with(const std::filesystem::path& other);

 protected:
  void refresh() override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void build();
  void build_controls();
  void prepare();
  void measure(Memory memory);
  void record();
  void choose_other();
  void forget_measurements(const QString& why);
  // `ask` runs in a job; what it answers is shown, unless something else is open by then. Why it
  // fails stands in `why`, too.
  template <class Answer>
  void start(const std::string& title, std::function<Result<Answer>(const std::stop_token&)> ask,
             std::function<void(Answer)> show, std::string ProfileFacts::*why);
  QString provenance() const;
  bool is_stored() const { return opened().profile != nullptr; }
  // Rows of the table that is shown; -1: none.
  std::optional<BarPlace> place_of(int row) const;
  int row_of(const BarPlace& place) const;
  void use_table(QAbstractItemModel* model);
  void tell_of(const BarPlace& place);
  void choose_row(int row);
  void select(std::optional<BarPlace> place);
  void draw();
  void rebuild();
  void rebuild_stored();

  Jobs& jobs_;
  const ProfilePorts ports_;
  std::filesystem::path other_;
  PreparedPrograms prepared_;
  std::size_t generation_ = 0;  // of what is prepared; answers for an older one come too late
  ProfileFacts facts_;
  BarChart chart_;
  StoredChart stored_;
  BarDrawing drawing_;
  QString reason_;  // nothing can be shown
  QString target_;
  QLabel* headline_ = nullptr;
  QLabel* target_line_ = nullptr;
  QWidget* controls_box_ = nullptr;
  QHBoxLayout* controls_ = nullptr;  // in it
  QComboBox* targets_ = nullptr;
  QComboBox* grouping_ = nullptr;
  QComboBox* shown_ = nullptr;
  SceneView* view_ = nullptr;
  QTableView* table_ = nullptr;
  ProfileTable* times_ = nullptr;
  TextTable* comparisons_ = nullptr;
};

}  // namespace pet::viz
