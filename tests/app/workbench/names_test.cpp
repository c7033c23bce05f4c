// What those find who do not see the window, or see it badly: names, commands, tables beside
// pictures, and contrast. On all pages, with something open on each.
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAccessible>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QTabBar>
#include <QTableView>
#include <catch2/catch.hpp>
#include <set>

#include "tests/app/workbench/visitor.h"
#include "viz/geometry/theme.h"
#include "viz/views/actions.h"
#include "viz/views/page.h"
#include "viz/views/palette.h"
#include "viz/views/scene_view.h"
#include "viz/views/sizes_dialog.h"

namespace pet::app {
namespace {

// A mutant of a model that is wrong in part: every page has something to show.
void open_all(Visitor& visitor) {
  visitor.opens_example("pair");
  visitor.does("search.partial");
  visitor.does("mutants.open");
  visitor.does("page.export");
}

// Parts of a widget of Qt's, which speaks for them.
bool is_a_part(const QWidget& widget) {
  for (const QWidget* above = widget.parentWidget(); above != nullptr;
       above = above->parentWidget()) {
    if (qobject_cast<const QComboBox*>(above) != nullptr) return true;
    if (qobject_cast<const QAbstractSpinBox*>(above) != nullptr) return true;
    if (qobject_cast<const QFileDialog*>(above) != nullptr) return true;
  }
  return widget.objectName().startsWith("qt_") ||
         qobject_cast<const QHeaderView*>(&widget) != nullptr;
}

std::vector<std::string> nameless(const QWidget& root) {
  std::vector<std::string> out;
  for (QWidget* widget : root.findChildren<QWidget*>()) {
    if (widget->focusPolicy() == Qt::NoFocus || is_a_part(*widget)) continue;
    // Bars of panes that Qt keeps for later.
    if (qobject_cast<const QTabBar*>(widget) != nullptr && widget->isHidden()) continue;
    const auto* label = qobject_cast<const QLabel*>(widget);
    if (label != nullptr && label->text().isEmpty()) continue;  // it says nothing yet
    const auto* heard = QAccessible::queryAccessibleInterface(widget);
    if (heard != nullptr && !heard->text(QAccessible::Name).trimmed().isEmpty()) continue;
    out.push_back(std::string(widget->metaObject()->className()) + " in " +
                  widget->parentWidget()->metaObject()->className());
  }
  return out;
}

TEST_CASE("What takes the focus has a name, on all pages, docks and dialogs") {
  Visitor visitor;
  open_all(visitor);
  CHECK(nameless(visitor.window()) == std::vector<std::string>{});
  for (const char* opens : {"search.new", "file.build", "help.commands"}) {
    visitor.does(opens);
    INFO(opens);
    CHECK(nameless(visitor.window()) == std::vector<std::string>{});
    visitor.closes_dialogs();
  }
  const viz::SizesDialog sizes("m.onnx", {"batch"}, nullptr);
  CHECK(nameless(sizes) == std::vector<std::string>{});
}

// ---- commands

void add_actions(const QMenu& menu, std::vector<QAction*>& out) {
  for (QAction* action : menu.actions()) {
    if (action->menu() != nullptr)
      add_actions(*action->menu(), out);
    else if (!action->isSeparator())
      out.push_back(action);
  }
}

TEST_CASE("Every command of a menu is in the palette, with a text and a tooltip of its own") {
  Visitor visitor;
  std::vector<QAction*> all;
  for (const QAction* menu : visitor.window().menuBar()->actions()) add_actions(*menu->menu(), all);
  CHECK(all.size() > 50);
  visitor.does("help.commands");
  std::set<QString> listed;
  auto& palette = visitor.the<viz::Palette>();
  auto* list = palette.findChild<QListWidget*>();
  for (int i = 0; i < list->count(); ++i) listed.insert(list->item(i)->text().section('\t', 0, 0));
  for (const QAction* action : all) {
    const QString text = action->text().remove('&');
    INFO(text.toStdString());
    CHECK(listed.contains(text));
    CHECK(action->toolTip() != text);  // what Qt makes up
    CHECK_FALSE(action->toolTip().isEmpty());
  }
  CHECK(listed.size() == static_cast<std::size_t>(visitor.window().actions().all().size()));
}

// ---- tables beside pictures

viz::SceneView* picture_of(const QWidget& page) { return page.findChild<viz::SceneView*>(); }
QAbstractItemView* table_of(const QWidget& page) {
  auto* table = page.findChild<QTableView*>();
  return table != nullptr ? table : page.findChild<QAbstractItemView*>();
}

bool has_selection(const viz::Scene& scene) {
  return std::ranges::any_of(scene.items, [](const viz::Item& item) {
    const auto* outline = std::get_if<viz::Outline>(&item.shape);
    return outline != nullptr && outline->role == viz::Role::Selected;
  });
}

TEST_CASE("Every page with a picture has a table with the same selection") {
  Visitor visitor;
  open_all(visitor);
  for (const char* page : {"regions", "boxes", "correction", "profile"}) {
    visitor.does("page." + std::string(page));
    if (page == std::string("boxes")) visitor.does("boxes.picture");
    INFO(page);
    QWidget& shown = visitor.window().page();
    REQUIRE(picture_of(shown) != nullptr);
    QAbstractItemView* table = table_of(shown);
    REQUIRE(table != nullptr);
    const auto select = [&](int row) {
      visitor.later([table, row] { table->setCurrentIndex(table->model()->index(row, 0)); });
      visitor.waits();
    };
    REQUIRE(table->model()->rowCount() > 1);
    select(0);
    CHECK(has_selection(picture_of(shown)->scene()));
    // What is clicked in the picture is chosen in the table, whatever was before.
    std::set<int> rows;
    std::set<std::string> ids;
    for (const viz::Item& item : picture_of(shown)->scene().items)
      if (!item.id.empty() && !item.id.starts_with("interval:")) ids.insert(item.id);
    REQUIRE(ids.size() > 1);
    for (const std::string& id : ids) {
      visitor.later([&] { Q_EMIT picture_of(shown)->chosen(QString::fromStdString(id)); });
      visitor.waits();
      if (table->currentIndex().isValid()) rows.insert(table->currentIndex().row());
    }
    CHECK(rows.size() > 1);
  }
}

// ---- contrast

// What an item stands on: the last area that was painted there before it.
viz::Role ground_of(const std::vector<viz::Item>& items, std::size_t number, viz::Point at) {
  for (std::size_t i = number; i-- > 0;) {
    const auto* area = std::get_if<viz::Area>(&items[i].shape);
    if (area != nullptr && area->at.x <= at.x && at.x <= area->at.right() && area->at.y <= at.y &&
        at.y <= area->at.bottom())
      return area->role;
  }
  return viz::Role::Background;
}

// What has to be told from what it stands on; areas have a frame, or a pattern, or words.
struct DrawnThere {
  viz::Role role;
  viz::Point at;
  bool is_text = false;
};
std::optional<DrawnThere> drawn_of(const viz::Item& item) {
  if (const auto* label = std::get_if<viz::Label>(&item.shape))
    return DrawnThere{label->role, label->at, true};
  if (const auto* line = std::get_if<viz::Segment>(&item.shape))
    return DrawnThere{line->role,
                      {(line->from.x + line->to.x) / 2, (line->from.y + line->to.y) / 2}};
  if (const auto* frame = std::get_if<viz::Outline>(&item.shape))
    return DrawnThere{frame->role, {frame->at.x - 1, frame->at.y - 1}};  // outside of it
  return std::nullopt;
}

TEST_CASE("Text of every picture is read at 4.5 to 1, lines are seen at 3 to 1, light and dark") {
  Visitor visitor;
  open_all(visitor);
  std::size_t labels = 0;
  for (const char* page : {"graph", "search", "regions", "boxes", "correction", "profile"}) {
    visitor.does("page." + std::string(page));
    const viz::Scene& scene = visitor.window().scene();
    INFO(page);
    CHECK_FALSE(scene.items.empty());
    for (std::size_t i = 0; i < scene.items.size(); ++i) {
      const auto drawn = drawn_of(scene.items[i]);
      if (!drawn) continue;
      if (drawn->is_text) ++labels;
      const viz::Role ground = ground_of(scene.items, i, drawn->at);
      INFO("role " << static_cast<int>(drawn->role) << " on " << static_cast<int>(ground));
      for (const viz::Theme* theme : {&viz::Theme::light(), &viz::Theme::dark()})
        CHECK(viz::contrast((*theme)[drawn->role], (*theme)[ground]) >=
              (drawn->is_text ? 4.5 : 3.0));
    }
  }
  CHECK(labels > 100);
}

}  // namespace
}  // namespace pet::app
