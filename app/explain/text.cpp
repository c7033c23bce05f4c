#include "app/explain/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/explain/words.h"
#include "core/util/plural.h"

namespace pet::explain {
namespace {

constexpr std::size_t kWidth = 100;
constexpr std::size_t kLabel = 13;

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return !continues(c); }));
}

// As many bytes as make so many columns.
std::size_t bytes_of(std::string_view text, std::size_t wanted) {
  std::size_t at = 0;
  std::size_t seen = 0;
  while (at < text.size() && (continues(text[at]) || seen < wanted)) {
    if (!continues(text[at])) ++seen;
    ++at;
  }
  return at;
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string spaces(width - std::min(width, columns(text)), ' ');
  return right ? spaces + text : text + spaces;
}

void add(std::string& out, const Heading& heading) {
  if (!out.empty()) out += "\n";
  out += heading.text.substr(0, bytes_of(heading.text, kWidth)) + "\n";
  const std::size_t length = std::min(kWidth, columns(heading.text));
  out += std::string(length, heading.level == 1 ? '=' : '-') + "\n";
}

void add(std::string& out, const Paragraph& paragraph) {
  for (const std::string& line : wrapped(paragraph.text, kWidth, 0)) out += line + "\n";
}

void add(std::string& out, const Facts& facts) {
  for (const auto& [label, lines] : facts.facts) {
    std::string start = padded(label, kLabel, false);
    for (const std::string& text : lines) {
      for (const std::string& line : wrapped(text, kWidth - kLabel, 0)) {
        out += start + line + "\n";
        start = std::string(kLabel, ' ');
      }
    }
  }
}

void add(std::string& out, const Table& table) {
  if (table.header.empty()) return;
  std::vector<std::size_t> width;
  // "not checked" stands in two lines where nothing in its column is that wide.
  std::vector<std::string> above{""};
  std::vector<std::string> header{table.header.front()};
  for (std::size_t c = 1; c < table.header.size(); ++c) {
    const std::string& name = table.header[c];
    std::size_t widest = 0;
    for (const auto& row : table.rows)
      if (c < row.cells.size()) widest = std::max(widest, columns(row.cells[c]));
    const std::size_t space = widest < columns(name) ? name.find(' ') : std::string::npos;
    const bool in_two = space != std::string::npos;
    above.push_back(in_two ? name.substr(0, space) : "");
    header.push_back(in_two ? name.substr(space + 1) : name);
    width.push_back(std::max({widest, columns(above.back()), columns(header.back())}));
  }
  std::size_t others = 2;
  for (const std::size_t w : width) others += w + 2;
  const std::size_t first = kWidth - std::min(kWidth - 20, others);
  const auto line = [&](const std::vector<std::string>& row) {
    const auto parts = wrapped(row.front(), first, 2);
    std::string text = "  " + padded(parts.front(), first, false);
    for (std::size_t c = 1; c < row.size(); ++c) text += "  " + padded(row[c], width[c - 1], true);
    while (text.ends_with(' ')) text.pop_back();
    out += text + "\n";
    for (std::size_t i = 1; i < parts.size(); ++i) out += "  " + parts[i] + "\n";
  };
  const auto wide = [&](const std::string& text, std::size_t indent) {
    for (const std::string& part : wrapped(text, kWidth - indent, 0))
      out += std::string(indent, ' ') + part + "\n";
  };
  if (std::ranges::any_of(above, [](const std::string& word) { return !word.empty(); }))
    line(above);
  line(header);
  for (const auto& [cells, kind] : table.rows) {
    if (cells.empty()) continue;
    if (kind == Table::Row::Kind::Cells) line(cells);
    if (kind == Table::Row::Kind::Heading) wide(cells.front(), 0);
    if (kind == Table::Row::Kind::Note) wide(cells.front(), 4);
  }
}

void add(std::string& out, const Programs& programs) {
  const auto list = [&](const char* title, const ProgramRecord& program,
                        const std::vector<bool>& is_new) {
    out += title;
    for (const std::string& value : listing(program, is_new)) {
      for (const std::string& line : wrapped(value, kWidth - 2, 6)) out += "  " + line + "\n";
    }
  };
  list("was\n", programs.before, {});
  list("became (+ is new)\n", programs.after, new_steps(programs.before, programs.after));
}

void add(std::string& out, const BarChart& fall) {
  constexpr std::size_t kBar = 34;
  constexpr std::size_t kName = 46;
  double largest = 0;
  for (const auto& bar : fall.bars) largest = std::max({largest, bar.from_ms, bar.to_ms});
  if (largest <= 0) return;
  const auto column = [&](double ms) {
    const double at = std::clamp(ms / largest, 0.0, 1.0) * static_cast<double>(kBar);
    return static_cast<std::size_t>(std::lround(at));
  };
  for (const auto& bar : fall.bars) {
    const std::size_t low = column(std::min(bar.from_ms, bar.to_ms));
    const std::size_t high = std::max(low + 1, column(std::max(bar.from_ms, bar.to_ms)));
    const bool is_total = bar.kind == BarChart::Kind::Total;
    const char mark = is_total ? '#' : bar.kind == BarChart::Kind::Saving ? '-' : '+';
    const std::string drawn = std::string(low, ' ') + std::string(high - low, mark);
    const std::string value =
        is_total ? milliseconds(bar.to_ms) : fmt::format("{:+.3f} ms", bar.to_ms - bar.from_ms);
    out += padded(shown(bar.label, kName), kName, false) + " " + padded(drawn, kBar + 1, false) +
           padded(value, 14, true) + "\n";
  }
}

std::string from_in_words(const ProgramRecord::Leaf& leaf) {
  if (leaf.value) return fmt::format("{:.6g}", *leaf.value);
  if (leaf.from.empty()) return "fixed";
  if (leaf.operators == 0) return shown(leaf.from.front());
  std::string names;
  for (const std::string& name : leaf.from) names += (names.empty() ? "" : ", ") + shown(name);
  return fmt::format("{} of {}", plural(leaf.operators, "operator"), names);
}

}  // namespace

std::vector<std::string> listing(const ProgramRecord& program, const std::vector<bool>& is_new) {
  std::vector<std::string> out;
  for (const auto& leaf : program.inputs)
    out.push_back(fmt::format("  {} : {} = input {}", shown(leaf.id), shown(to_string(leaf.type)),
                              shown(leaf.name)));
  for (const auto& leaf : program.constants) {
    const bool made = leaf.operators > 0 || leaf.from.empty();
    out.push_back(fmt::format("{} {} : {} = constant, {}", made ? '+' : ' ', shown(leaf.id),
                              shown(to_string(leaf.type)), from_in_words(leaf)));
  }
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    const auto& step = program.steps[i];
    std::string operands;
    for (const std::string& operand : step.operands)
      operands += (operands.empty() ? "" : ", ") + shown(operand);
    const bool marked = i < is_new.size() && is_new[i];
    out.push_back(fmt::format("{} {} : {} = {}({}){}", marked ? '+' : ' ', shown(step.id),
                              shown(to_string(step.type)), shown(operator_in_words(step), 200),
                              operands, step.is_view ? "  (view)" : ""));
  }
  return out;
}

std::vector<std::string> wrapped(const std::string& text, std::size_t width, std::size_t indent) {
  std::vector<std::string> out;
  std::string_view rest = text;
  std::string start;
  while (columns(rest) + start.size() > width) {
    const std::size_t room = width - start.size();
    std::size_t cut = bytes_of(rest, room + 1);
    const std::size_t space = rest.rfind(' ', cut - 1);
    const bool at_space = space != std::string_view::npos && space > room / 3;
    cut = at_space ? space : bytes_of(rest, room);
    out.push_back(start + std::string(rest.substr(0, cut)));
    rest.remove_prefix(at_space ? cut + 1 : cut);
    start = std::string(indent, ' ');
  }
  out.push_back(start + std::string(rest));
  return out;
}

std::string as_text(const Document& document) {
  std::string out;
  add(out, Heading{1, document.title});
  for (const Block& block : document.blocks) std::visit([&](const auto& b) { add(out, b); }, block);
  return out;
}

}  // namespace pet::explain
