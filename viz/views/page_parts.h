// What pages are put together of: lines of words, choices with a title, pictures that scroll,
// tables of rows.
#pragma once

#include <QString>
#include <string>
#include <vector>

class QAbstractItemModel;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QScrollArea;
class QTableView;

namespace pet::viz {

class SceneView;
struct Plane;

inline constexpr int kHeadline = 18;  // pixels

// Plain text that can be selected and wraps. `pixels`: of its font; 0: the usual one.
QLabel* words_label(const QString& words = {}, int pixels = 0);
// A choice with its title, in a line of such.
QComboBox* add_choice(QHBoxLayout& line, const QString& title);
// Offers the digits, called `names`, for rows and columns, and chooses those of the plane; nobody
// is told of it.
void fill_plane(QComboBox& rows, QComboBox& columns, const Plane& plane,
                const std::vector<std::string>& names);
// What is chosen there; of one digit twice the columns alone.
Plane chosen_plane(const QComboBox& rows, const QComboBox& columns);
QScrollArea* scrolled(SceneView* view);
// One row at a time is selected. `name`: for those who do not see it.
QTableView* table_of(QAbstractItemModel* model, const QString& name);

}  // namespace pet::viz
