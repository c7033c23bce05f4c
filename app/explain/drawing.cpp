#include "app/explain/drawing.h"

#include <fmt/format.h>

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

// "Conv<group=1, pads=[1,1]>" as a line for the operator and lines for its attributes.
std::string operator_label(const std::string& op) {
  constexpr std::size_t kLine = 30;
  const std::string all = shown(op, 120);
  const std::size_t open = all.find('<');
  std::string out = quoted(all.substr(0, open));
  if (open == std::string::npos) return out;
  std::string rest = all.substr(open + 1);
  if (rest.ends_with('>')) rest.pop_back();
  while (!rest.empty()) {
    std::size_t cut = rest.size();
    if (cut > kLine) {
      const std::size_t comma = rest.rfind(',', kLine);
      cut = comma == std::string::npos ? rest.size() : comma + 1;
    }
    out += "\\n" + quoted(rest.substr(0, cut));
    rest.erase(0, cut);
  }
  return out;
}

class Drawer {
 public:
  explicit Drawer(const std::string& id) : id_(id) {
    out_ = fmt::format(
        "digraph \"{0}\" {{ graph [id=\"{0}\" bgcolor=\"transparent\" nodesep=0.3 ranksep=0.3]; "
        "node [shape=box style=\"rounded\" fontname=\"Helvetica\" fontsize=11 "
        "margin=\"0.16,0.08\"];"
        " edge [arrowsize=0.6 fontname=\"Helvetica\" fontsize=10];\n",
        quoted(id));
  }

  void leaf(const Program::Leaf& leaf, const std::string& label, const std::string& style) {
    node(leaf.id, label + "\\n" + quoted(shown(leaf.type, 60)), style);
  }

  void step(const Program::Step& step, bool is_new) {
    const std::string style =
        std::string(step.is_view ? "view" : "product") + (is_new ? " new" : "");
    node(step.id, operator_label(step.op) + "\\n" + quoted(shown(step.type, 60)), style);
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
    const char* shape = style.starts_with("constant") ? " shape=note" : "";
    out_ += fmt::format("n{0} [id=\"{1}-n{0}\" class=\"{2}\" label=\"{3}\"{4}];\n", number, id_,
                        style, label, shape);
  }

  std::string id_;
  std::string out_;
  std::map<std::string, std::size_t> numbers_;
  std::size_t edges_ = 0;
};

std::string constant_label(const Program::Leaf& leaf) {
  if (leaf.from.empty()) return "fixed constant";
  const std::string from = quoted(shown(leaf.from.front(), 34));
  if (leaf.operators == 0) return from;
  return fmt::format("weight program of\\n{}{}", from,
                     leaf.from.size() > 1 ? fmt::format(" and {} more", leaf.from.size() - 1) : "");
}

}  // namespace

std::string dot_of(const Program& program, const std::vector<bool>& is_new, const std::string& id) {
  Drawer drawer(id);
  for (const auto& leaf : program.inputs) drawer.leaf(leaf, quoted(shown(leaf.name, 40)), "input");
  for (const auto& leaf : program.constants) {
    const bool made = leaf.operators > 0 || leaf.from.empty();
    drawer.leaf(leaf, constant_label(leaf), made ? "constant new" : "constant");
  }
  for (std::size_t i = 0; i < program.steps.size(); ++i)
    drawer.step(program.steps[i], i < is_new.size() && is_new[i]);
  return drawer.done();
}

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
  return all.substr(begin, end + 6 - begin);
}

}  // namespace pet::explain
