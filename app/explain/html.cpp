#include "app/explain/html.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/explain/drawing.h"
#include "app/explain/text.h"
#include "core/util/markup.h"

namespace pet::explain {
namespace {

class Page {
 public:
  std::string of(const Document& document) {
    out_ = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
        "'unsafe-inline'\">\n<title>PET: {0}</title>\n<style>{1}</style>\n</head>\n<body>\n"
        "<p class=\"kicker\">What PET made of it</p>\n<h1>{0}</h1>\n",
        escaped(document.title), kStyle);
    for (const Block& block : document.blocks) std::visit([&](const auto& b) { add(b); }, block);
    return std::move(out_) + "</body>\n</html>\n";
  }

 private:
  void add(const Heading& heading) {
    const char* start = heading.level == 1 ? "h1 class=\"part\"" : "h2";
    const char* end = heading.level == 1 ? "h1" : "h2";
    out_ += fmt::format("<{}>{}</{}>\n", start, escaped(heading.text), end);
  }

  void add(const Paragraph& paragraph) {
    out_ += fmt::format("<p{}>{}</p>\n", paragraph.is_lead ? " class=\"lead\"" : "",
                        typeset(paragraph.text));
  }

  void add(const Facts& facts) {
    out_ += "<dl>\n";
    for (const auto& [label, lines] : facts.facts) {
      out_ += fmt::format("<dt>{}</dt><dd>", escaped(label));
      for (const std::string& line : lines) out_ += fmt::format("<p>{}</p>", typeset(line));
      out_ += "</dd>\n";
    }
    out_ += "</dl>\n";
  }

  void add(const Table& table) {
    out_ += fmt::format("<details{}><summary>{}</summary><div class=\"scroll\"><table>\n<tr>",
                        table.is_open ? " open" : "", escaped(table.title));
    for (const std::string& cell : table.header) out_ += fmt::format("<th>{}</th>", escaped(cell));
    out_ += "</tr>\n";
    for (const Table::Row& row : table.rows) add(row, table.header.size());
    out_ += "</table></div></details>\n";
  }

  void add(const Table::Row& row, std::size_t columns) {
    if (row.kind != Table::Row::Kind::Cells) {
      const char* kind = row.kind == Table::Row::Kind::Heading ? "about" : "note";
      for (const std::string& cell : row.cells)
        out_ += fmt::format(
            "<tr class=\"{}\"><td colspan=\"{}\"><span class=\"wide\">{}</span></td></tr>\n", kind,
            columns, typeset(cell));
      return;
    }
    out_ += "<tr>";
    for (const std::string& cell : row.cells) out_ += fmt::format("<td>{}</td>", typeset(cell));
    out_ += "</tr>\n";
  }

  void add(const BarChart& fall) {
    out_ += "<figure class=\"fall\">" + drawn(fall) + "</figure>\n";
  }

  void add(const Programs& programs) {
    const auto is_new = new_steps(programs.before, programs.after);
    out_ += "<div class=\"pair\">\n";
    draw(programs.before, {}, "It was");
    draw(programs.after, is_new,
         "It became <span class=\"key\"><span class=\"swatch made\"></span>new "
         "<span class=\"swatch moved\"></span>moves elements, computes nothing "
         "<span class=\"swatch given\"></span>input</span>");
    out_ += "</div>\n";
  }

  // `caption` is markup.
  void draw(const ProgramRecord& program, const std::vector<bool>& is_new,
            const std::string& caption) {
    out_ += fmt::format("<figure class=\"graph\"><figcaption>{}</figcaption>", caption);
    if (!without_graphviz_) {
      auto svg = svg_of(dot_of(program, is_new, fmt::format("g{}", ++graphs_)));
      if (svg) {
        out_ += "<div class=\"scroll\">" + *svg + "</div>";
      } else {
        without_graphviz_ = true;
        out_ += fmt::format(
            "<p>Graphs are shown as text: {}. The Debian package graphviz has what "
            "is needed.</p>",
            escaped(svg.error().message));
      }
    }
    if (without_graphviz_) {
      list(program, is_new);
    } else {
      out_ += "<details><summary>as text</summary>";
      list(program, is_new);
      out_ += "</details>";
    }
    out_ += "</figure>\n";
  }

  void list(const ProgramRecord& program, const std::vector<bool>& is_new) {
    out_ += "<pre>";
    for (const std::string& line : listing(program, is_new)) {
      out_ += line.starts_with('+') ? fmt::format("<span class=\"mark\">{}</span>", escaped(line))
                                    : escaped(line) + "\n";
    }
    out_ += "</pre>";
  }

  std::string out_;
  std::size_t graphs_ = 0;
  bool without_graphviz_ = false;
};

}  // namespace

std::string typeset(std::string_view text) {
  std::string out = escaped(text);
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (std::size_t at = out.find(from); at != std::string::npos; at = out.find(from, at))
      out.replace(at, from.size(), to);
  };
  replace(" -&gt; ", " \xE2\x86\x92 ");
  replace("&gt;=", "\xE2\x89\xA5");
  for (std::size_t at = out.find("2^-"); at != std::string::npos; at = out.find("2^-", at)) {
    std::size_t end = std::min(out.size(), out.find_first_not_of("0123456789.", at + 3));
    while (end > at + 3 && out[end - 1] == '.') --end;
    out = out.substr(0, at) + "2<sup>\xE2\x88\x92" + out.substr(at + 3, end - at - 3) + "</sup>" +
          out.substr(end);
  }
  return out;
}

std::string as_html(const Document& document) { return Page().of(document); }

}  // namespace pet::explain
