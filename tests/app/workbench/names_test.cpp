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
#include <fstream>
#include <set>

#include "tests/app/workbench/visitor.h"
#include "viz/geometry/theme.h"
#include "viz/views/actions.h"
#include "viz/views/graph_view.h"
#include "viz/views/page.h"
#include "viz/views/palette.h"
#include "viz/views/post_opt_page.h"
#include "viz/views/scene_view.h"
#include "viz/views/sizes_dialog.h"

namespace pet::app {
namespace {

// A mutant of a model that is wrong in part: most pages have something to show.
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

// A report of a run, which is a page of its own.
void open_report(Visitor& visitor) {
  const auto file = scratch() / "run.json";
  std::ofstream(file) << R"({"model": "m.onnx", "changed": true,
    "original_ms": {"median": 3, "low": 3, "high": 3}, "optimized_ms": {"median": 2, "low": 2, "high": 2},
    "speedup": {"median": 1.5}, "chosen": [
      {"place": "a", "subprogram": 0, "mutant": 1, "ratio": {"median": 1.2}, "saved_ms": 0.5},
      {"place": "b", "subprogram": 1, "mutant": 2, "ratio": {"median": 1.1}, "saved_ms": 0.25}]})";
  visitor.opens(file);
}

// What one chooses in: a scene by itself, or one that is zoomed.
struct Picture {
  std::function<const viz::Scene&()> scene;
  std::function<void(const QString&)> click;
};
std::vector<Picture> pictures_of(const QWidget& page) {
  std::vector<Picture> out;
  for (auto* view : page.findChildren<viz::SceneView*>())
    out.push_back({[view]() -> const viz::Scene& { return view->scene(); },
                   [view](const QString& id) { Q_EMIT view->chosen(id); }});
  for (auto* view : page.findChildren<viz::GraphView*>())
    out.push_back({[view]() -> const viz::Scene& { return view->scene(); },
                   [view](const QString& id) { Q_EMIT view->chosen(id); }});
  return out;
}

// Those that are read as such, not the lists of choices.
std::vector<QAbstractItemView*> tables_of(const QWidget& page) {
  std::vector<QAbstractItemView*> out;
  for (auto* view : page.findChildren<QAbstractItemView*>())
    if (!view->accessibleName().isEmpty()) out.push_back(view);
  return out;
}

// Rows of a table, or of a tree with what is below.
void add_rows(const QAbstractItemModel& model, const QModelIndex& parent,
              std::vector<QModelIndex>& out) {
  constexpr std::size_t kMost = 40;
  for (int row = 0; row < model.rowCount(parent) && out.size() < kMost; ++row) {
    const QModelIndex index = model.index(row, 0, parent);  // `out` moves what it holds
    out.push_back(index);
    add_rows(model, index, out);
  }
}

// Where what is selected stands, in words.
std::string selection(const viz::Scene& scene) {
  std::string out;
  for (const viz::Item& item : scene.items) {
    const auto* outline = std::get_if<viz::Outline>(&item.shape);
    if (outline != nullptr && outline->role == viz::Role::Selected)
      out += std::to_string(outline->at.x) + " " + std::to_string(outline->at.y) + "\n";
  }
  return out;
}

// What is chosen in the table is framed in the picture, each row in a place of its own or of its
// kind, and what is clicked in the picture is chosen in the table.
bool are_twins(Visitor& visitor, const Picture& picture, QAbstractItemView& table) {
  std::vector<QModelIndex> all;
  add_rows(*table.model(), {}, all);
  const std::vector<QPersistentModelIndex> rows(all.begin(), all.end());
  std::set<std::string> framed;
  for (const QPersistentModelIndex& row : rows) {
    visitor.later([&] { table.setCurrentIndex(row); });
    visitor.waits();
    framed.insert(selection(picture.scene()));
  }
  framed.erase("");  // sums are of no place
  std::set<std::string> ids;
  for (const viz::Item& item : picture.scene().items)
    if (!item.id.empty() && !item.id.starts_with("interval:")) ids.insert(item.id);
  std::set<QPersistentModelIndex> chosen;
  for (const std::string& id : ids) {
    visitor.later([&] { picture.click(QString::fromStdString(id)); });
    visitor.waits();
    if (table.currentIndex().isValid()) chosen.insert(table.currentIndex().siblingAtColumn(0));
  }
  const std::size_t several = std::min<std::size_t>(2, rows.size());
  return several > 0 && framed.size() >= several && chosen.size() >= several;
}

// There is something to choose in each. What is drawn of nothing is no picture.
bool are_drawn(const std::vector<Picture>& pictures) {
  return std::ranges::all_of(pictures, [](const Picture& picture) {
    return std::ranges::any_of(picture.scene().items,
                               [](const viz::Item& item) { return !item.id.empty(); });
  });
}

std::set<std::string> pages_with_pictures(Visitor& visitor) {
  std::set<std::string> out;
  for (const QString& page : visitor.window().page_names()) {
    visitor.does("page." + page.toStdString());
    if (!pictures_of(visitor.window().page()).empty()) out.insert(page.toStdString());
  }
  CHECK(out.size() >= 10);
  return out;
}

// To its end; what is best of it, passes change.
void finish_search(Visitor& visitor) {
  visitor.does("search.run");
  visitor.does("page.post-opt");
  visitor.later([&] {
    visitor.the<viz::PostOptPage>().choose({{"Passes over", "the best so far of the search"}});
  });
  visitor.waits();
  CHECK_THAT(visitor.tells("headline"),
             Catch::EndsWith("the best so far of the search: 2 places of the model changed"));
}

// `without`: the pages whose pictures are not known to have twins.
void check_twins(Visitor& visitor, std::set<std::string>& without) {
  for (const std::string& page : std::set(without)) {
    visitor.does("page." + page);
    const QWidget& shown = visitor.window().page();
    const auto pictures = pictures_of(shown);
    if (!are_drawn(pictures)) continue;
    without.erase(page);
    const auto tables = tables_of(shown);
    for (const Picture& picture : pictures) {
      INFO(page);
      CHECK(std::ranges::any_of(
          tables, [&](QAbstractItemView* table) { return are_twins(visitor, picture, *table); }));
    }
  }
}

TEST_CASE("Every page with a picture has a table with the same selection") {
  Visitor visitor;
  open_all(visitor);
  std::set<std::string> never_drawn = pages_with_pictures(visitor);
  visitor.does("page.boxes");
  visitor.does("boxes.picture");  // of the boxes: those are the rows of its table
  check_twins(visitor, never_drawn);
  finish_search(visitor);
  check_twins(visitor, never_drawn);
  open_report(visitor);
  check_twins(visitor, never_drawn);
  CHECK(never_drawn == std::set<std::string>{});
  visitor.opens(PET_PROFILE);
  std::set<std::string> with_lines{"profile"};
  check_twins(visitor, with_lines);
  CHECK(with_lines == std::set<std::string>{});
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

// How many labels there are.
std::size_t check_contrast(const viz::Scene& scene) {
  std::size_t labels = 0;
  for (std::size_t i = 0; i < scene.items.size(); ++i) {
    const auto drawn = drawn_of(scene.items[i]);
    if (!drawn) continue;
    if (drawn->is_text) ++labels;
    const viz::Role ground = ground_of(scene.items, i, drawn->at);
    INFO("role " << static_cast<int>(drawn->role) << " on " << static_cast<int>(ground));
    for (const viz::Theme* theme : {&viz::Theme::light(), &viz::Theme::dark()})
      CHECK(viz::contrast((*theme)[drawn->role], (*theme)[ground]) >= (drawn->is_text ? 4.5 : 3.0));
  }
  return labels;
}

TEST_CASE("Text of every picture is read at 4.5 to 1, lines are seen at 3 to 1, light and dark") {
  Visitor visitor;
  open_all(visitor);
  const std::set<std::string> pages = pages_with_pictures(visitor);
  std::set<std::string> never_drawn = pages;  // an empty page proves nothing
  std::size_t labels = 0;
  const auto look = [&] {
    for (const std::string& page : pages) {
      visitor.does("page." + page);
      INFO(page);
      const auto pictures = pictures_of(visitor.window().page());
      if (are_drawn(pictures)) never_drawn.erase(page);
      for (const Picture& picture : pictures) labels += check_contrast(picture.scene());
    }
  };
  look();
  finish_search(visitor);
  look();
  open_report(visitor);
  look();
  visitor.opens(PET_PROFILE);
  look();
  CHECK(labels > 100);
  CHECK(never_drawn == std::set<std::string>{});
}

}  // namespace
}  // namespace pet::app
