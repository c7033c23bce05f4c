// Paired bars: times on an axis that begins at zero, a bar for each program, with bounds where they
// are known. Every bar says where its number comes from, and one that is missing is hatched: it is
// never drawn as nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "viz/geometry/scene.h"

namespace pet::viz {

enum class Source {
  Measured,
  Remembered,  // measured in an earlier run
  Modelled,    // estimated, nothing was run
  Missing,     // not known
  None         // there is nothing: the program has no such operator
};

std::string_view in_words(Source source);

struct Bounds {
  double low = 0;
  double high = 0;
};

struct Bar {
  Source source = Source::Missing;
  double ms = 0;
  std::optional<Bounds> bounds{};
  std::size_t samples = 0;
  std::optional<double> share{};  // of a whole run
  int calls = 0;                  // a run; 0: not told
  std::string why{};              // it is missing
};

struct BarRow {
  std::string label;
  std::string note;       // in small letters below the label
  std::vector<Bar> bars;  // one a series
};

struct BarGroup {  // on one axis
  std::string title;
  std::vector<BarRow> rows;
};

struct BarChart {
  std::vector<std::string> series;  // the programs
  std::vector<BarGroup> groups;
};

struct BarPlace {
  std::size_t group = 0;
  std::size_t row = 0;
  bool operator==(const BarPlace&) const = default;
};

struct BarDrawing {
  double width = 800;
  std::size_t most_rows = 64;  // of a group; the scene says of how many
  std::optional<BarPlace> selected{};
};

// "0.375 ms".
std::string ms_in_words(double ms);
// "0.375 ms (0.371 to 0.38), measured, n = 64": n samples; "missing: not measured yet".
std::string in_words(const Bar& bar);

// Items of a row have the id "row:GROUP:ROW".
Scene bars_scene(const BarChart& chart, const BarDrawing& drawing);
std::optional<BarPlace> place_of(const std::string& id);

}  // namespace pet::viz
