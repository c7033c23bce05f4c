// A page as a file, by the end of its name: what is drawn as .svg or .png, what its tables say as
// .csv or .json, and a graph in the language of Graphviz as .dot.
#pragma once

#include <QAbstractItemModel>
#include <QWidget>
#include <filesystem>
#include <string>
#include <vector>

#include "core/util/result.h"
#include "viz/geometry/scene.h"
#include "viz/geometry/theme.h"

namespace pet::viz {

struct NamedTable {
  std::string name;
  const QAbstractItemModel* rows = nullptr;
};

// Those that a widget shows, in the order in which they were made.
std::vector<NamedTable> tables_of(const QWidget& widget);

struct PageContent {
  const Scene& scene;  // empty: it is no drawing
  const Theme& theme;
  std::vector<NamedTable> tables;
  std::string state;             // one object of JSON
  std::string dot;               // empty: it is no graph
  const QWidget& as_it_is_seen;  // the picture of a page that is no drawing
};

// Why a file of that name cannot be written of it; empty: it can.
std::string complaint_about(const std::filesystem::path& path);

// Whole or not at all. A drawing is written whole as well, however much of it a window shows:
// `scale` pixels of a .png for one of it. An Error of kind Unsupported: there is nothing of the
// kind on the page.
Status write_page(const PageContent& page, const std::filesystem::path& path, double scale = 1);

}  // namespace pet::viz
