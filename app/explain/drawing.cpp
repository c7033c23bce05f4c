#include "app/explain/drawing.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <fstream>
#include <map>
#include <sstream>

#include "app/common/files.h"
#include "app/explain/words.h"
#include "core/backend/process.h"
#include "core/backend/scratch_folder.h"

namespace pet::explain {
namespace {

// A name within quotes; nothing in it is markup or an escape of Graphviz.
std::string quoted(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out;
}

// A line for the operator and lines for its attributes.
std::string operator_label(const ProgramRecord::Step& step) {
  constexpr std::size_t kLine = 30;
  std::string out = quoted(shown(step.op, 60));
  std::string line;
  const auto end_line = [&] {
    if (!line.empty()) out += "\\n" + quoted(shown(line, 60));
    line.clear();
  };
  for (const std::string& attribute : telling_attributes(step)) {
    if (line.size() + attribute.size() + 2 > kLine) end_line();
    line += (line.empty() ? "" : ", ") + attribute;
  }
  end_line();
  return out;
}

// "[1,64,56,56]": what is not said to be something else is float.
std::string type_label(const TensorType& type) {
  const bool is_plain = type.dtype == DType::Float && type.shape && !type.shape->empty();
  return quoted(shown(is_plain ? to_string(*type.shape) : to_string(type), 60));
}

// What a constant is to its operator.
std::string role_of(const std::string& name, std::size_t operand) {
  const bool is_product = name == "Conv" || name == "MatMul" || name == "Gemm";
  if (is_product && operand <= 1) return "weight";
  return is_product ? "bias" : "constant";
}

std::string constant_label(const ProgramRecord::Leaf& leaf, const std::string& role) {
  if (leaf.value) return quoted(fmt::format("constant {:.6g}", *leaf.value));
  if (leaf.from.empty()) return role + ", fixed, " + type_label(leaf.type);
  const std::string from = quoted(shown(leaf.from.front(), 28));
  if (leaf.operators == 0) return role + " " + from;
  const std::string more =
      leaf.from.size() > 1 ? fmt::format(" and {} more", leaf.from.size() - 1) : "";
  return fmt::format("{} {} by a weight\\nprogram of {}{}", role, type_label(leaf.type), from,
                     more);
}

// Constants stand in the operators that read them: there are often more of them than of operators.
class Drawer {
 public:
  Drawer(const std::string& id, const ProgramRecord& program) : id_(id) {
    for (const ProgramRecord::Leaf& leaf : program.constants) constants_.emplace(leaf.id, &leaf);
    out_ = fmt::format(
        "digraph \"{0}\" {{ graph [id=\"{0}\" bgcolor=\"transparent\" nodesep=0.25 ranksep=0.3 "
        "margin=0.02]; node [shape=box style=\"rounded\" fontname=\"Helvetica\" fontsize=11 "
        "margin=\"0.14,0.07\"];"
        " edge [arrowsize=0.6 fontname=\"Helvetica\" fontsize=10];\n",
        quoted(id));
  }

  void input(const ProgramRecord::Leaf& leaf) {
    node(leaf.id, quoted(shown(leaf.name, 40)) + "\\n" + type_label(leaf.type), "input");
  }

  void step(const ProgramRecord::Step& step, bool is_new) {
    const std::string style =
        std::string(step.is_view ? "view" : "product") + (is_new ? " new" : "");
    std::string label = operator_label(step);
    for (std::size_t i = 0; i < step.operands.size(); ++i) {
      const auto constant = constants_.find(step.operands[i]);
      if (constant != constants_.end())
        label += "\\n" + constant_label(*constant->second, role_of(step.op, i));
    }
    node(step.id, label + "\\n" + type_label(step.type), style);
    for (const std::string& operand : step.operands) {
      const auto from = numbers_.find(operand);
      if (from == numbers_.end()) continue;
      const std::size_t to = numbers_.at(step.id);
      out_ += fmt::format("n{} -> n{} [id=\"{}-e{}\"];\n", from->second, to, id_, edges_++);
    }
  }

  std::string done() { return std::move(out_) + "}\n"; }

 private:
  void node(const std::string& id, const std::string& label, const std::string& style) {
    const std::size_t number = numbers_.size();
    if (!numbers_.emplace(id, number).second) return;
    out_ += fmt::format("n{0} [id=\"{1}-n{0}\" class=\"{2}\" label=\"{3}\"];\n", number, id_, style,
                        label);
  }

  std::string id_;
  std::string out_;
  std::map<std::string, const ProgramRecord::Leaf*> constants_;
  std::map<std::string, std::size_t> numbers_;
  std::size_t edges_ = 0;
};

}  // namespace

std::string dot_of(const ProgramRecord& program, const std::vector<bool>& is_new,
                   const std::string& id) {
  Drawer drawer(id, program);
  for (const auto& leaf : program.inputs) drawer.input(leaf);
  for (std::size_t i = 0; i < program.steps.size(); ++i)
    drawer.step(program.steps[i], i < is_new.size() && is_new[i]);
  return drawer.done();
}

namespace {

// A picture shrinks with its page as far as it can be read, and is scrolled from there on.
std::string legible(std::string svg) {
  constexpr double kPixels = 4.0 / 3;  // of a point
  constexpr double kSmallest = 0.6;
  const std::size_t at = svg.find("width=\"");
  double points = 0;
  if (at == std::string::npos ||
      std::from_chars(svg.data() + at + 7, svg.data() + svg.size(), points).ec != std::errc())
    return svg;
  svg.insert(4, fmt::format(" style=\"min-width:{:.0f}px;max-width:{:.0f}px\"",
                            points * kPixels * kSmallest, points * kPixels));
  return svg;
}

}  // namespace

Result<std::string> svg_of(const std::string& dot) {
  const auto folder = ScratchFolder::make("pet-graph");
  if (!folder) return folder.error();
  const auto source = folder->path() / "graph.dot";
  const auto drawn = folder->path() / "graph.svg";
  if (auto written = app::write_text(source, dot); !written) return std::move(written).error();
  auto child = ChildProcess::start({"dot", "-Tsvg", "-o", drawn.string(), source.string()});
  if (!child) return std::move(child).error().within("Graphviz (dot)");
  // It says nothing and ends: that is what is waited for.
  constexpr std::chrono::seconds kPatience{30};
  const auto ended = child->receive(kPatience);
  std::ifstream file(drawn, std::ios::binary);
  std::ostringstream read;
  read << file.rdbuf();
  const std::string all = std::move(read).str();
  const std::size_t begin = all.find("<svg");
  const std::size_t end = all.rfind("</svg>");
  if (begin == std::string::npos || end == std::string::npos || end < begin)
    return Error{
        "Graphviz (dot) drew nothing" + (ended ? std::string() : ": " + ended.error().message),
        ErrorKind::Tool};
  return legible(all.substr(begin, end + 6 - begin));
}

}  // namespace pet::explain
