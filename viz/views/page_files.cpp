#include "viz/views/page_files.h"

#include <fmt/format.h>

#include <QAbstractItemView>
#include <QBuffer>
#include <QImage>
#include <QPainter>
#include <QPixmap>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "core/util/atomic_file.h"
#include "core/util/printable.h"
#include "viz/geometry/svg.h"
#include "viz/models/table_text.h"
#include "viz/views/qt_theme.h"
#include "viz/views/scene_painter.h"

namespace pet::viz {
namespace {

namespace fs = std::filesystem;

constexpr double kLongestSide = 20'000;  // pixels; the memory of such a square is 1.6 GB

Error nothing_of_the_kind(std::string why) { return {std::move(why), ErrorKind::Unsupported}; }

Status write_bytes(const fs::path& path, std::span<const std::byte> bytes) {
  return write_atomically(path, [&](int fd) { return write_all(fd, bytes); });
}
Status write_text(const fs::path& path, std::string_view text) {
  return write_bytes(path, std::as_bytes(std::span(text.data(), text.size())));
}

Status write_svg(const PageContent& page, const fs::path& path) {
  if (page.scene.items.empty())
    return nothing_of_the_kind(
        "the page is no drawing (tables and words, or nothing yet): write it as .png, .csv or "
        ".json");
  return write_text(path, to_svg(page.scene, page.theme));
}

Result<QImage> drawn(const Scene& scene, const Theme& theme, double scale) {
  const double width = std::ceil(scene.width * scale), height = std::ceil(scene.height * scale);
  if (width > kLongestSide || height > kLongestSide)
    return Error{
        fmt::format("a picture of {:.0f} by {:.0f} pixels is too large (at most {:.0f} a "
                    "side): write it as .svg, or fold what is not looked at",
                    width, height, kLongestSide)};
  QImage out(static_cast<int>(width), static_cast<int>(height), QImage::Format_RGB32);
  if (out.isNull()) return Error{"there is no memory for a picture of that size: write it as .svg"};
  out.fill(to_qt(theme[Role::Background]));
  QPainter painter(&out);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.scale(scale, scale);
  ScenePainter paint(painter, theme);
  for (const Item& item : scene.items) paint.paint(item);
  return out;
}

Status write_png(const PageContent& page, const fs::path& path, double scale) {
  // Asked of a widget that is shown, which draws itself: it is not changed by that.
  Result<QImage> image = page.scene.items.empty()
                             ? const_cast<QWidget&>(page.as_it_is_seen).grab().toImage()
                             : drawn(page.scene, page.theme, scale);
  if (!image) return std::move(image).error();
  QByteArray bytes;
  QBuffer buffer(&bytes);
  if (!image->save(&buffer, "PNG")) return Error{"the picture cannot be packed"};
  return write_bytes(
      path, std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
}

// Of several tables the first one: a file of this kind holds one.
Status write_csv(const PageContent& page, const fs::path& path) {
  if (page.tables.empty()) return nothing_of_the_kind("the page has no table");
  return write_text(path, to_csv(*page.tables.front().rows));
}

Status write_json(const PageContent& page, const fs::path& path) {
  auto out = nlohmann::ordered_json::parse(page.state);
  auto& tables = out["tables"] = nlohmann::ordered_json::array();
  for (const NamedTable& table : page.tables) {
    nlohmann::ordered_json one{{"name", table.name}};
    one.update(to_json(*table.rows));
    tables.push_back(std::move(one));
  }
  return write_text(path, out.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

}  // namespace

std::vector<NamedTable> tables_of(const QWidget& widget) {
  std::vector<NamedTable> out;
  for (const auto* view : widget.findChildren<QAbstractItemView*>())
    if (!view->accessibleName().isEmpty() &&
        view->model() != nullptr)  // else: the list of a choice
      out.push_back({view->accessibleName().toStdString(), view->model()});
  return out;
}

std::string complaint_about(const fs::path& path) {
  constexpr std::array kEnds = {".svg", ".png", ".csv", ".json", ".dot"};
  if (std::ranges::find(kEnds, path.extension().string()) != kEnds.end()) return {};
  return fmt::format(
      "{}: the end of a name says what is written: .svg or .png (what is drawn), .csv "
      "or .json (what the tables say), .dot (a graph, for Graphviz)",
      printable(path.string()));
}

Status write_page(const PageContent& page, const fs::path& path, double scale) {
  if (auto wrong = complaint_about(path); !wrong.empty()) return Error{std::move(wrong)};
  const std::string end = path.extension().string();
  if (end == ".svg") return write_svg(page, path);
  if (end == ".png") return write_png(page, path, scale);
  if (end == ".csv") return write_csv(page, path);
  if (end == ".json") return write_json(page, path);
  if (page.dot.empty()) return nothing_of_the_kind("the page is no graph, or nothing is open");
  return write_text(path, page.dot);
}

}  // namespace pet::viz
