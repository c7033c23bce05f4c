#include "viz/geometry/svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "core/util/markup.h"
#include "core/util/overloaded.h"

namespace pet::viz {
namespace {

// XML 1.0 holds no control characters at all, however they are written.
std::string for_xml(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
  return escaped(text);
}

class Writer {
 public:
  explicit Writer(const Theme& theme) : theme_(theme) {}

  std::string whole(const Scene& scene) {
    write(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 "
        "{0:g} {1:g}\" "
        "font-family=\"DejaVu Sans, sans-serif\">\n",
        scene.width, scene.height);
    area({{0, 0, scene.width, scene.height}, Role::Background}, "");
    for (const Item& item : scene.items) add(item);
    return std::move(out_) + "</svg>\n";
  }

 private:
  template <class... Values>
  void write(fmt::format_string<Values...> text, Values&&... values) {
    fmt::format_to(std::back_inserter(out_), text, std::forward<Values>(values)...);
  }

  void add(const Item& item) {
    const std::string title =
        item.tooltip.empty() ? "" : "<title>" + for_xml(item.tooltip) + "</title>";
    std::visit(overloaded{[&](const Area& shape) { area(shape, title); },
                          [&](const Outline& shape) { outline(shape, title); },
                          [&](const Segment& shape) { segment(shape); },
                          [&](const Label& shape) { label(shape, title); }},
               item.shape);
  }

  void rect(const Rect& at) {
    write("<rect x=\"{:g}\" y=\"{:g}\" width=\"{:g}\" height=\"{:g}\"", at.x, at.y, at.width,
          at.height);
  }
  void area(const Area& shape, const std::string& title) {
    rect(shape.at);
    write(" fill=\"{}\">{}</rect>\n", to_string(theme_[shape.role]), title);
  }
  void outline(const Outline& shape, const std::string& title) {
    rect(shape.at);
    write(" fill=\"none\" stroke=\"{}\" stroke-width=\"{:g}\">{}</rect>\n",
          to_string(theme_[shape.role]), shape.thickness, title);
  }
  void segment(const Segment& s) {
    write("<path d=\"M{:g} {:g}L{:g} {:g}\" stroke=\"{}\"/>\n", s.from.x, s.from.y, s.to.x, s.to.y,
          to_string(theme_[s.role]));
  }
  void label(const Label& shape, const std::string& title) {
    static constexpr std::array<std::string_view, 3> kAnchors = {"start", "middle", "end"};
    write(
        "<text x=\"{:g}\" y=\"{:g}\" font-size=\"{:g}\" text-anchor=\"{}\" "
        "fill=\"{}\">{}{}</text>\n",
        shape.at.x, shape.at.y, shape.size, kAnchors[static_cast<std::size_t>(shape.align)],
        to_string(theme_[shape.role]), title, for_xml(shape.text));
  }

  const Theme& theme_;
  std::string out_;
};

}  // namespace

std::string to_svg(const Scene& scene, const Theme& theme) { return Writer(theme).whole(scene); }

}  // namespace pet::viz
