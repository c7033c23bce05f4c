// The mutants of the search up to its cursor, as a table that is sorted and filtered. One that is
// chosen is made again and looked at.
#pragma once

#include "viz/models/mutant_table.h"
#include "viz/views/page.h"
#include "viz/views/search_control.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QTableView;

namespace pet::viz {

class MutantFilter;

class MutantsPage final : public Page {
  Q_OBJECT

 public:
  explicit MutantsPage(SearchControl& search, QWidget* parent = nullptr);

  QString title() const override { return tr("Mutants"); }
  void add_actions(Actions& actions) override;
  void set_theme(const Theme& /*theme*/) override {}
  nlohmann::ordered_json state() const override;

 Q_SIGNALS:
  void wanted(std::size_t row);  // of the log: it is to be made again and looked at

 protected:
  void refresh() override {}

 private:
  void build();
  void count();
  void select(std::optional<std::size_t> row);
  QString words_of(std::size_t row) const;

  SearchControl& search_;
  MutantTable model_;
  MutantFilter* filter_ = nullptr;
  QLabel* counts_ = nullptr;
  QLineEdit* typed_ = nullptr;
  QComboBox* kind_ = nullptr;
  QTableView* table_ = nullptr;
};

}  // namespace pet::viz
