// The window with all of its engines, held against what the command line says of the same files.
#include <QImageReader>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "app/pet-workbench/opening.h"
#include "core/ir/box.h"
#include "tests/support/scratch_folder.h"
#include "tests/viz/views/wait_until_idle.h"
#include "viz/views/main_window.h"
#include "viz/views/page_files.h"
#include "viz/views/qt_theme.h"
#include "viz/views/regions_page.h"

namespace pet::app {
namespace {

using Json = nlohmann::json;

// What is known of each position of an output, row-major; '=' equal, 'x' different, '?' unknown.
using Points = std::string;

Json read_json(const std::filesystem::path& path) {
  std::ifstream in(path);
  return Json::parse(in);
}

void mark(Points& points, const DigitBasis& basis, const Shape& low, const Shape& high, char as) {
  const std::vector<char> inside = Region{basis, {{low, high}}}.points();
  points.resize(inside.size(), '?');
  for (std::size_t i = 0; i < inside.size(); ++i)
    if (inside[i] != 0) points[i] = as;
}

// A report names what is wrong; everything else of an output that has no unknown element is equal.
Points points_of_report(const Json& output) {
  const DigitBasis basis{output["digit_basis"].get<std::vector<Shape>>()};
  Points out;
  const Shape flat = basis.flat();
  mark(out, basis, Shape(flat.size(), 0), flat, '=');
  for (const Json& box : output["wrong_boxes"])
    mark(out, basis, box["low"].get<Shape>(), box["high"].get<Shape>(), 'x');
  return out;
}

// A page that was written as a file: its table has a row for each box.
Points points_of_page(const Json& page) {
  const DigitBasis basis{page["digit_basis"].get<std::vector<Shape>>()};
  const std::size_t digits = basis.flat().size();
  const Json& table = page["tables"][0];
  Points out;
  for (const Json& row : table["rows"]) {
    Shape low, high;
    for (std::size_t i = 0; i < digits; ++i) {
      low.push_back(row[1 + i][0]);
      high.push_back(row[1 + i][1]);
    }
    const std::string state = row[0];
    mark(out, basis, low, high, state == "equal" ? '=' : state == "different" ? 'x' : '?');
  }
  return out;
}

// By path.
std::map<std::string, Json> reports_of(const std::string& folders,
                                       const std::filesystem::path& scratch) {
  const auto file = scratch / "reports.jsonl";
  const std::string command = std::string(PET_VERIFY) + " --format json " + folders + " > '" +
                              file.string() + "' 2> '" + file.string() + ".err'";
  const int status = std::system(command.c_str());
  REQUIRE(WEXITSTATUS(status) <= 2);  // cases that are not equal end with another code
  std::map<std::string, Json> out;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    Json report = Json::parse(line);
    if (report.contains("outputs")) out.emplace(report["files"][0], std::move(report));
  }
  return out;
}

struct Tally {
  std::size_t outputs = 0;  // that pet-verify decides everywhere
  std::size_t decided = 0;  // of them, by the window, too
};

// Every position of every output, as far as both know it.
void compare(viz::MainWindow& window, const Json& report, const std::filesystem::path& scratch,
             Tally& tally) {
  for (const Json& output : report["outputs"]) {
    if (output.value("unknown", 1) != 0) continue;
    ++tally.outputs;
    window.regions().show_output(QString::fromStdString(output["name"]));
    const auto file = scratch / "page.json";
    REQUIRE(window.write_page(file).ok());
    const Json page = read_json(file);
    REQUIRE(page["output"] == output["name"]);
    if (page["digit_basis"].is_null()) continue;  // "nothing is known here", and why
    const Points shown = points_of_page(page);
    if (shown.find('?') != std::string::npos) continue;
    ++tally.decided;
    CHECK(shown == points_of_report(output));
  }
}

TEST_CASE("Every region that is shown is the one that pet-verify reports, position by position") {
  const testing::ScratchFolder scratch;
  const auto reports =
      reports_of(std::string(PET_CASES) + "/mutants " + PET_CASES + "/ops", scratch.path());
  REQUIRE(reports.size() > 140);
  viz::MainWindow window(ports({}));
  window.show();
  Tally tally;
  for (const auto& [path, report] : reports) {
    INFO(path);
    window.open_file(path);
    wait_until_idle(window);
    compare(window, report, scratch.path(), tally);
  }
  CAPTURE(tally.outputs, tally.decided);
  CHECK(tally.outputs > 200);
  CHECK(tally.decided >= tally.outputs * 9 / 10);
}

TEST_CASE("A page is written by the end of the name, and what it is not is said") {
  const testing::ScratchFolder scratch;
  viz::MainWindow window(ports({}));
  window.show();
  const auto write = [&](const char* name) { return window.write_page(scratch / name); };
  const auto nothing = write("start.svg");
  REQUIRE_FALSE(nothing.ok());
  CHECK(nothing.error().kind == ErrorKind::Unsupported);
  CHECK(write("start.png").ok());
  CHECK_FALSE(write("start.txt").ok());
  window.open_file(std::string(PET_CASES) + "/mutants/figure_1.txt");
  wait_until_idle(window);
  for (const char* name : {"r.svg", "r.png", "r.csv", "r.json"}) CHECK(write(name).ok());
  CHECK(scratch.files() == 5);
  std::ifstream table(scratch / "r.csv");
  std::string title, first;
  std::getline(table, title);
  std::getline(table, first);
  CHECK(title == "is,n_out,n_in,c,h,w,elements,share\r");
  CHECK(first.starts_with("different,0..7,0,0..1,55,0..55,896,0.0089"));
}

// A folder that only grows pictures: 1.6 GB of memory.
TEST_CASE("The far corner of a picture of 20,000 by 20,000 pixels is right", "[.huge]") {
  const testing::ScratchFolder scratch;
  viz::Scene scene{5000, 5000, {{viz::Area{{4990, 4990, 10, 10}, viz::Role::Wrong}, {}, {}}}};
  const QWidget none;
  const auto& theme = viz::Theme::light();
  const viz::PageContent page{scene, theme, {}, "{}", {}, none};
  REQUIRE(viz::write_page(page, scratch / "huge.png", 4).ok());
  QImageReader::setAllocationLimit(0);
  const QImage image((scratch / "huge.png").c_str());
  REQUIRE(image.size() == QSize(20'000, 20'000));
  CHECK(image.pixelColor(19'999, 19'999) == viz::to_qt(theme[viz::Role::Wrong]));
  CHECK(image.pixelColor(19'940, 19'940) == viz::to_qt(theme[viz::Role::Background]));
  CHECK_FALSE(viz::write_page(page, scratch / "larger.png", 5).ok());
}

}  // namespace
}  // namespace pet::app
