// Original and optimised side by side: which nodes stand for which, what is unchanged, and what was
// replaced by what. The open pair of programs, or the open model and another file.
#pragma once

#include <filesystem>
#include <functional>
#include <map>

#include "viz/session/jobs.h"
#include "viz/views/page.h"
#include "viz/words/side_by_side.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;

namespace pet::viz {

class CompareView;

class ComparePage final : public Page {
  Q_OBJECT

 public:
  using OpenModel = std::function<Result<OpenedModel>(const std::filesystem::path&,
                                                      const std::map<std::string, Dim>& sizes,
                                                      const std::stop_token&)>;

  // REQUIRES: jobs outlives this
  ComparePage(OpenModel open_model, Jobs& jobs, QWidget* parent = nullptr);

  QString title() const override { return tr("Compare"); }
  void add_actions(Actions& actions) override;
  void set_theme(const Theme& theme) override;
  const Scene& scene() const override;
  nlohmann::ordered_json state() const override;

  // The open model with that file, once the page is in front. `known`: of how the file came about.
  void offer(const std::filesystem::path& file, const std::string& known = {});
  std::filesystem::path other() const;  // that it is compared with; empty: none

 protected:
  void refresh() override;

 private:
  void build();
  void choose_file();
  void list_choices();
  void begin();
  void compare_pair();
  void compare_files();
  void deliver(const std::shared_ptr<const SideBySide>& comparison);
  void say(const QString& headline);

  const OpenModel open_model_;
  Jobs& jobs_;
  std::shared_ptr<const OpenedModel> model_;  // that `other_` is compared with
  std::filesystem::path other_;
  std::string known_;  // of it
  QLabel* headline_ = nullptr;
  QLabel* note_ = nullptr;
  QComboBox* choice_ = nullptr;
  QPushButton* file_ = nullptr;
  QCheckBox* fold_ = nullptr;
  CompareView* view_ = nullptr;
};

}  // namespace pet::viz
