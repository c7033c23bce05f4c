// What a newcomer sees first: examples as cards with a picture each, and ways in.
#pragma once

#include "viz/session/kept_session.h"
#include "viz/session/recent_files.h"
#include "viz/views/page.h"
#include "viz/views/ports.h"

class QAbstractButton;
class QBoxLayout;
class QListWidget;

namespace pet::viz {

class LeftList;

class StartPage final : public Page {
  Q_OBJECT

 public:
  StartPage(const std::vector<ExampleCard>& cards, const Actions& actions,
            QWidget* parent = nullptr);
  QString title() const override { return tr("Start"); }
  void set_theme(const Theme& theme) override;
  nlohmann::ordered_json state() const override;
  void focus_first();
  void show_recent(const RecentFiles& files);
  // What windows had open that were ended without being closed.
  void show_left(const std::vector<LeftSession>& sessions);

 Q_SIGNALS:
  void example_chosen(const QString& id);
  void file_chosen(const QString& path);
  void left_wanted(const QString& file);
  void left_unwanted(const QString& file);

 protected:
  void refresh() override {}
  void showEvent(QShowEvent* event) override;

 private:
  QAbstractButton* make_card(const ExampleCard& card);
  QBoxLayout* make_ways_in(const Actions& actions);
  QBoxLayout* make_recent();
  void list_recent();

  std::vector<std::pair<QAbstractButton*, Scene>> cards_;  // with their pictures
  LeftList* left_ = nullptr;
  QListWidget* recent_ = nullptr;
  RecentFiles files_;
};

}  // namespace pet::viz
