// What a newcomer sees first: examples as cards with a picture each, and ways in.
#pragma once

#include "viz/views/page.h"
#include "viz/views/ports.h"

class QAbstractButton;

namespace pet::viz {

class StartPage final : public Page {
  Q_OBJECT

 public:
  StartPage(const std::vector<ExampleCard>& cards, const Actions& actions,
            QWidget* parent = nullptr);
  QString title() const override { return tr("Start"); }
  void set_theme(const Theme& /*theme*/) override {}
  nlohmann::ordered_json state() const override;
  void focus_first();

 Q_SIGNALS:
  void example_chosen(const QString& id);

 protected:
  void refresh() override {}

 private:
  QAbstractButton* first_ = nullptr;
};

}  // namespace pet::viz
